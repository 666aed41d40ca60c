import torch
from torch._higher_order_ops import while_loop


class Net(torch.nn.Module):
    def forward(self, steps, x):
        return while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y + torch.tensor(1.0)), (steps, x))


program = torch.export.export(Net(), (torch.tensor(0), torch.randn(4)))
program = program.run_decompositions()  # <- AOTI718
