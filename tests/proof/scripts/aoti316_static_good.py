"""A size that is static may be looked up."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = {8: 1.0, "cols_8": 2.0}

    def forward(self, x):
        return x * self.scales[x.shape[1]] * self.scales[f"cols_{x.shape[1]}"]


program = torch.export.export(Net(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: torch.export.Dim("rows")}})
print("ranges", *program.range_constraints.values())
