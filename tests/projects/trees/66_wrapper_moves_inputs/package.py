from __future__ import annotations

import torch


class Package:
    """A loaded package that takes host tensors, wherever it was compiled for."""

    def __init__(self, path: str, device: torch.device | str):
        self._inner = torch._inductor.aoti_load_package(path)
        self.device = torch.device(device)

    def __call__(self, *tensors: torch.Tensor) -> torch.Tensor:
        moved = [tensor.to(self.device, non_blocking=True) for tensor in tensors]
        return self._inner(*moved).cpu()

    def __getattr__(self, name: str):
        return getattr(self._inner, name)
