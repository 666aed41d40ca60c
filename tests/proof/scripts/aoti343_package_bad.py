import torch
from torch._higher_order_ops import while_loop


class Net(torch.nn.Module):
    def forward(self, steps, x):
        return while_loop(lambda i, a, b: i < 3, lambda i, a, b: (i + 1, a * 2, b * 3), (steps, x, x))


with torch.no_grad():
    program = torch.export.export(Net(), (torch.tensor(0), torch.randn(4)), strict=True)
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")  # <- AOTI343
