"""The function of a loop gives a copy of what it is given."""

import torch
from torch._higher_order_ops import while_loop


class Net(torch.nn.Module):
    def forward(self, x):
        steps = torch.tensor(0)
        return while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x.clone()), (steps, x))[1]


program = torch.export.export(Net(), (torch.randn(4, 4),))
print("shape", program.module()(torch.ones(4, 4)).shape)
