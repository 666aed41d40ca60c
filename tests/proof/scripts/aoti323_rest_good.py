"""-1 for the rows, the size of the input, and with Dim.AUTO a number that has to divide."""

import torch


class Split(torch.nn.Module):
    def forward(self, x):
        return x.view(-1, 2, 4).sum(-1) + x.view(x.shape[0], 2, 4).sum(-1)


class Pairs(torch.nn.Module):
    def forward(self, x):
        return x.view(2, -1, 8).sum(0)


batch = torch.export.Dim("batch")
torch.export.export(Split(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: batch}})
program = torch.export.export(Pairs(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: torch.export.Dim.AUTO}})
print("ranges", list(program.range_constraints.values()))
