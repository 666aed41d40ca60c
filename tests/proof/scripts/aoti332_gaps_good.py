"""No gaps in the example; or gaps, and all sizes are fixed."""

import torch
from torch.export import Dim


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


x = torch.randn(16, 4)[::2].contiguous()
program = torch.export.export(Net(), (x,), dynamic_shapes={"x": {0: Dim.AUTO}})
print(program.module()(torch.randn(5, 4)).shape)
fixed = torch.export.export(Net(), (torch.randn(16, 4)[::2],))
print(fixed.module()(torch.randn(8, 4)).shape)
