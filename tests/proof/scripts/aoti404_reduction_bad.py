"""The kernel doubles the last dimension, the fake does not: the model runs, and the layer after it refuses the export."""

import torch


@torch.library.custom_op("proof::widened", mutates_args=())
def widened(x: torch.Tensor) -> torch.Tensor:
    return torch.cat([x, x], dim=-1)


@widened.register_fake
def _(x):
    return x.new_empty(x.shape)  # <- AOTI404


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(16, 4)

    def forward(self, x):
        return self.linear(widened(x))


model = Model().eval()
print(model(torch.randn(2, 8)).shape)
torch.export.export(model, (torch.randn(2, 8),))
