"""With strict=True, dynamo traces int() and len() as they are."""

import torch


class Mean(torch.nn.Module):
    def forward(self, x):
        return x.sum(0) / int(x.shape[0]) + len(x)


batch = torch.export.Dim("batch")
program = torch.export.export(Mean(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: batch}}, strict=True)
print("ranges", list(program.range_constraints.values()))
