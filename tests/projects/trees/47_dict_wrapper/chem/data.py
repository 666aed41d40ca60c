from __future__ import annotations

import torch

INPUT_KEYS = ("positions", "charges")


def atoms_to_dict(count: int) -> dict[str, torch.Tensor]:
    """A random molecule; always in host memory, as readers of files give it."""
    return {
        "positions": torch.rand(count, 3),
        "charges": torch.ones(count),
        "cell": torch.eye(3),
    }


def to_device(data: dict[str, torch.Tensor], device) -> dict[str, torch.Tensor]:
    return {key: value.to(device) for key, value in data.items()}
