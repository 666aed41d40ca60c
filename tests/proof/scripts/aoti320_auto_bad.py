"""A loop over the rows, with Dim.AUTO: nothing is said, and the program is for six rows."""

import torch


class Total(torch.nn.Module):
    def forward(self, x):
        total = x.new_zeros(8)
        for i in range(x.shape[0]):  # <- AOTI320
            total = total + x[i]
        return total


program = torch.export.export(Total(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: torch.export.Dim.AUTO}})
print("ranges", list(program.range_constraints.values()))
try:
    program.module()(torch.randn(7, 8))
except AssertionError as error:
    print("refused", error)
