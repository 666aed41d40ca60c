from __future__ import annotations

from collections.abc import Iterator, Mapping

import torch


class TensorBag(Mapping[str, torch.Tensor]):
    """A dict of tensors that move together."""

    def __init__(self, **tensors: torch.Tensor) -> None:
        self._t = dict(tensors)

    def __getitem__(self, key: str) -> torch.Tensor:
        return self._t[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._t)

    def __len__(self) -> int:
        return len(self._t)

    def to(self, device) -> "TensorBag":
        return TensorBag(**{k: v.to(device) for k, v in self._t.items()})

    @property
    def device(self) -> torch.device:
        return next(iter(self._t.values())).device

    @classmethod
    def collate(cls, bags: list["TensorBag"]) -> "TensorBag":
        return cls(**{k: torch.stack([b[k] for b in bags]) for k in bags[0]})
