"""What a model takes, named as its forward names it."""
from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch.export import Dim


@dataclass(frozen=True)
class TensorSpec:
    shape: tuple[int, ...]
    dtype: torch.dtype = torch.float32
    batched: bool = True

    def example(self, batch: int) -> torch.Tensor:
        shape = (batch, *self.shape) if self.batched else self.shape
        return torch.zeros(shape, dtype=self.dtype)


@dataclass
class InputSpec:
    tensors: dict[str, TensorSpec]
    batch_name: str = "batch"
    _dim: Dim | None = field(default=None, repr=False)

    def example_inputs(self, batch: int = 2) -> dict[str, torch.Tensor]:
        return {name: spec.example(batch) for name, spec in self.tensors.items()}

    def dynamic_shapes(self) -> dict[str, dict[int, Dim] | None]:
        dim = self._dim or Dim(self.batch_name, max=256)
        return {name: {0: dim} if spec.batched else None for name, spec in self.tensors.items()}
