"""A dataclass that was not registered, in a list."""

from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Batch:
    x: torch.Tensor
    y: torch.Tensor


class Net(torch.nn.Module):
    def forward(self, batches):
        return batches[0].x + batches[0].y


batch = Batch(torch.randn(6, 8), torch.randn(6, 8))
torch.export.export(Net(), ([batch],))  # <- AOTI317
