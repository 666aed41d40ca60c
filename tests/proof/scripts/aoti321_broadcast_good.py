"""A buffer of one row fits beside any number of rows; joined along the dynamic dimension everything fits."""

import torch


class Shift(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("offset", torch.ones(1, 8))
        self.register_buffer("last", torch.ones(6, 8))

    def forward(self, x):
        return torch.cat([x + self.offset, self.last], 0)


batch = torch.export.Dim("batch")
program = torch.export.export(Shift(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: batch}})
print("ranges", list(program.range_constraints.values()))
