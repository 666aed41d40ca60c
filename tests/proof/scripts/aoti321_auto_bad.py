"""An input of a fixed size is joined to one with Dim.AUTO: both become fixed, without a word."""

import torch


class Join(torch.nn.Module):
    def forward(self, x, y):
        return torch.cat([x, y], 1)  # <- AOTI321


example = (torch.randn(6, 8), torch.randn(6, 4))
program = torch.export.export(Join(), example, dynamic_shapes={"x": {0: torch.export.Dim.AUTO}, "y": None})
print("ranges", list(program.range_constraints.values()))
