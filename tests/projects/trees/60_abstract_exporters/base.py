from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

import torch
from torch import nn


class Exporter(ABC):
    name: ClassVar[str]
    BATCH: ClassVar[int] = 4
    out = Path("build")

    @abstractmethod
    def module(self) -> nn.Module: ...

    @abstractmethod
    def example(self) -> tuple[torch.Tensor, ...]: ...

    @abstractmethod
    def dynamic(self) -> tuple: ...

    @property
    def target(self) -> str:
        return str(self.out / f"{self.name}.pt2")

    def run(self) -> str:
        program = torch.export.export(self.module().eval(), self.example(), dynamic_shapes=self.dynamic())
        self.out.mkdir(exist_ok=True)
        torch.export.save(program, self.target)
        return self.target
