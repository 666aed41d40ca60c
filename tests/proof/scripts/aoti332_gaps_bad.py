"""An example with gaps and an open size: the program is for such tensors alone."""

import torch
from torch.export import Dim


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


x = torch.randn(16, 4)[::2]
program = torch.export.export(Net(), (x,), dynamic_shapes={"x": {0: Dim.AUTO}})
print("equal", torch.equal(program.module()(x), x * 2))
program.module()(torch.randn(8, 4))  # <- AOTI332
