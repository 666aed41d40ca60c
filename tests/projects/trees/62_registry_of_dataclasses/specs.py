from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

from torch import nn

ROOT = Path("artifacts")


def tiny() -> nn.Module:
    return nn.Sequential(nn.Linear(6, 6), nn.ReLU())


def wide() -> nn.Module:
    return nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 6))


@dataclass(frozen=True)
class Spec:
    build: Callable[[], nn.Module]
    device: str = "cpu"
    shape: tuple[int, ...] = (4, 6)
    tags: list[str] = field(default_factory=list)
    library: Path = ROOT / "default.so"


BASE = Spec(build=tiny)
REGISTRY: dict[str, Spec] = {
    "kiosk": dataclasses.replace(BASE, library=ROOT / "kiosk.so", tags=["small"]),
    "lobby": dataclasses.replace(BASE, build=wide, library=ROOT / "lobby.so"),
}
