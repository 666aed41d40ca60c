"""An assertion that the number of rows is that of the example, with Dim.AUTO."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        assert x.shape[0] == 6  # <- AOTI324
        return x + 1


program = torch.export.export(Net(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: torch.export.Dim.AUTO}})
print("ranges", list(program.range_constraints.values()))
