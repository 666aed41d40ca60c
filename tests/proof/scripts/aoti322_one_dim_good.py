"""One Dim for both, or a derived one; a hint beside a Dim is tied to it without a word."""

import torch


class Add(torch.nn.Module):
    def forward(self, x, y):
        return x.relu() + y


class Pairs(torch.nn.Module):
    def forward(self, x, y):
        return x.repeat(2, 1) + y


a, b = torch.export.Dim("a"), torch.export.Dim("b")
example = (torch.randn(6, 8), torch.randn(6, 8))
torch.export.export(Add(), example, dynamic_shapes=({0: a}, {0: a}))
torch.export.export(Add(), example, dynamic_shapes=({0: b}, {0: torch.export.Dim.AUTO}))
torch.export.export(Pairs(), (torch.randn(6, 8), torch.randn(12, 8)), dynamic_shapes=({0: a}, {0: 2 * a}))
print("exported")
