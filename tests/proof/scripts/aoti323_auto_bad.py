"""reshape() with the number of rows of the example, and Dim.AUTO."""

import torch


class Split(torch.nn.Module):
    def forward(self, x):
        return x.reshape(6, 2, 4).sum(-1)  # <- AOTI323


program = torch.export.export(Split(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: torch.export.Dim.AUTO}})
print("ranges", list(program.range_constraints.values()))
