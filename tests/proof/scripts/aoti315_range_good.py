"""A range on the Dim says for which sizes the forward is right; the hints find it themselves."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.positions = torch.nn.Parameter(torch.zeros(32, 8))

    def forward(self, x):
        y = x + self.positions[: x.shape[1]]
        return y[:, 1:] - y[:, :-1] + y[:, 2:3]


example = (torch.randn(2, 6, 8),)
named = torch.export.export(Net(), example, dynamic_shapes={"x": {1: torch.export.Dim("length", min=3, max=32)}})
hint = torch.export.export(Net(), example, dynamic_shapes={"x": {1: torch.export.Dim.DYNAMIC}})
print("ranges", *named.range_constraints.values(), *hint.range_constraints.values())
