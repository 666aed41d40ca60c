"""Registered dataclasses, by either function, named tuples and members of an enum are taken."""

import enum
from dataclasses import dataclass
from typing import NamedTuple

import torch


@dataclass
class One:
    x: torch.Tensor


@dataclass
class Two:
    x: torch.Tensor


class Pair(NamedTuple):
    x: torch.Tensor
    y: torch.Tensor


class Mode(enum.Enum):
    ADD = 1


class Net(torch.nn.Module):
    def forward(self, one, two, pair, mode):
        return one.x + two.x + pair.x if mode == Mode.ADD else pair.y


torch.export.register_dataclass(One)
for kind in (Two,):
    torch.utils._pytree.register_dataclass(kind)
x = torch.randn(6, 8)
program = torch.export.export(Net(), (One(x), Two(x + 1), Pair(x + 2, x + 3), Mode.ADD))
print("inputs", len(program.graph_signature.user_inputs))
