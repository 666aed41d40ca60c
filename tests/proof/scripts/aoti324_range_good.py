"""The range has one side of the branch; Dim.AUTO finds that range itself."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] > 16:
            return x + 1
        return x - 1


batch = torch.export.Dim("batch", max=16)
torch.export.export(Net(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: batch}})
program = torch.export.export(Net(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: torch.export.Dim.AUTO}})
print("ranges", list(program.range_constraints.values()))
