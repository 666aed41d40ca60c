from pathlib import Path

import torch
from torch.utils.cpp_extension import load

load(
    name="bands_ops",
    sources=[str(Path(__file__).parent / "csrc" / "shift.cpp")],
    is_python_module=False,
)


def shift(x: torch.Tensor, by: int) -> torch.Tensor:
    return torch.ops.bands.shift(x, by)
