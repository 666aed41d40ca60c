from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import torch


def _default_device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


@dataclass(frozen=True)
class Settings:
    workdir: Path = Path("build")
    device: str = field(default_factory=_default_device)
    horizon: int = 6

    @property
    def package(self) -> str:
        return str(self.workdir / f"windcast-{self.device}.pt2")
