from enum import IntEnum
from typing import NamedTuple

from torch.export import Dim


class Batch(IntEnum):
    SMALL = 8
    LARGE = 64


class Range(NamedTuple):
    low: int
    high: int

    def dim(self, name: str) -> Dim:
        return Dim(name, min=self.low, max=self.high)


LIMITS = {"interactive": Range(2, Batch.SMALL), "bulk": Range(Batch.SMALL, Batch.LARGE), "wrong": Range(Batch.LARGE, Batch.SMALL)}
