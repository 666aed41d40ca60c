import fakes  # registers
import torch
from ops import scaled


class M(torch.nn.Module):
    def forward(self, x):
        return scaled(x, 2.0)


ep = torch.export.export(M(), (torch.randn(2, 2),), dynamic_shapes={"x": {0: torch.export.Dim("b")}})
ep.module()(torch.randn(5, 2))
