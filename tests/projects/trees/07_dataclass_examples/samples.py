from __future__ import annotations

from dataclasses import dataclass

import torch


@dataclass
class Sample:
    """What one export needs besides the model."""

    features: torch.Tensor
    mask: torch.Tensor

    @classmethod
    def dummy(cls, batch: int = 1, length: int = 16, width: int = 8) -> Sample:
        return cls(torch.randn(batch, length, width), torch.ones(batch, length))

    def as_args(self) -> tuple[torch.Tensor, torch.Tensor]:
        return self.features, self.mask
