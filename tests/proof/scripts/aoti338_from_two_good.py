"""What holds for all sizes from two on is not asked of a call, whatever the Dim allows."""

import torch


class Checked(torch.nn.Module):
    def forward(self, x):
        torch._check(x.size(0) > 1)
        return x * 2


for dim in (torch.export.Dim.DYNAMIC, torch.export.Dim("b"), torch.export.Dim("c", min=1)):
    program = torch.export.export(Checked(), (torch.randn(3, 2),), dynamic_shapes=({0: dim},))
    print("gives", tuple(program.module()(torch.randn(1, 2)).shape))
