"""The models whose calls are recorded: small, and each with one way to be called wrongly. Needs torch."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,misc"

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.export import Dim
from torch.utils import _pytree

Point = collections.namedtuple("Point", ["px", "py"])
_pytree._register_namedtuple(Point, serialized_type_name="contract.Point")


@dataclasses.dataclass
class Pair:
    left: torch.Tensor
    right: torch.Tensor


torch.export.register_dataclass(Pair, serialized_type_name="contract.Pair")


@dataclasses.dataclass(frozen=True)
class Case:
    """A model with the call it is exported with."""

    model: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = dataclasses.field(default_factory=dict)
    dynamic_shapes: Any = None


class _Model(nn.Module):
    """A function as a module, with parameters to have some; subclasses keep the signature of forward."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.scale = nn.Parameter(torch.randn(8))
        self.linear = nn.Linear(8, 8)


class Pointwise(_Model):
    def forward(self, x):
        return torch.relu(x * self.scale + 0.5) - x


class Linear(_Model):
    def forward(self, x):
        return torch.relu(self.linear(x))


class Double(_Model):
    def forward(self, x, y):
        return torch.cat([x, x]) * self.scale + y


class Next(_Model):
    def forward(self, x, y):
        return x * 2 + y[1:] * self.scale


class Halves(_Model):
    def forward(self, x):
        return (x * self.scale).view(x.shape[0] // 2, 2, 8).sum(1)


class Quarters(_Model):
    def forward(self, x):
        return x.view(-1, 4, 8).sum(1) * self.scale


class Plane(_Model):
    def forward(self, x):
        return torch.sin(x) * 2 + x.sum(1, keepdim=True)


class Shared(_Model):
    def forward(self, x, y):
        return x * self.scale + y


class Nested(_Model):
    def forward(self, x, batch, *, point, pair, scale=2):
        first, (second, third) = batch["list"]
        inner = batch["ids"] * 3 - batch["mask"]
        return x * scale + first * second - third + inner, point.px - point.py * 2, pair.left - pair.right * 3


class Frozen(_Model):
    def forward(self, x, k: int, factor: float, shift: bool, mode: str, bias=None):
        y = x * k + factor
        if shift:
            y = y + self.scale
        if mode == "relu":
            y = y.relu()
        return y if bias is None else y + bias


class Dtypes(_Model):
    def forward(self, half, ids, mask):
        return half * 2 + ids, torch.where(mask, ids, -ids), mask


class Image(_Model):
    def forward(self, x):
        return x * 2 + x.mean(1, keepdim=True)


class Transposed(_Model):
    def forward(self, x):
        return x * 3 + 1


class Relation(_Model):
    def forward(self, x, y):
        return x.sum(1) * 2 + y.sum(0)


class Empty(_Model):
    def forward(self, x, nothing):
        return torch.cat([x * self.scale, nothing]) + 1


class FirstTwo(_Model):
    def forward(self, x):
        return x[:2] * self.scale


class Range(_Model):
    def forward(self, x, y):
        if x.shape[0] > 3 and x.shape[0] + y.shape[0] < 40:
            return x.sum(0) * self.scale + y
        return y


class Conv(_Model):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv1d(3, 4, 3, stride=2)

    def forward(self, x):
        return torch.relu(self.conv(x))


class Flat(_Model):
    def forward(self, x):
        return (x.view(x.shape[0] * x.shape[1], 8) * self.scale).view(-1, 4, 2) + 1


class Differences(_Model):
    def forward(self, x, offset):
        return x[:, 1:] - x[:, :-1] + offset[-3:].sum()


class Attention(_Model):
    def forward(self, q, k, mask):
        return torch.softmax(q @ k.transpose(1, 2) + mask, -1).sum(-1)


class Either(_Model):
    def forward(self, x, y, flags=None, *, gain=2.0):
        if x.shape[0] % 3 == 0:
            x = x.view(-1, 3, 8).sum(1).repeat_interleave(3, 0)
        return x * gain + y.sum(), (x - 1 if flags is None else x)


def _batch() -> dict[str, Any]:
    return {
        "ids": torch.randn(4, 8),
        "mask": torch.randn(4, 8),
        "list": [torch.randn(4, 8), (torch.randn(4, 8), torch.randn(8))],
    }


_N = Dim("n", min=1, max=64)

CASES: dict[str, Callable[[], Case]] = {
    "static": lambda: Case(Pointwise, (torch.randn(4, 8),)),
    "linear": lambda: Case(Linear, (torch.randn(4, 8),), dynamic_shapes={"x": {0: _N}}),
    "range": lambda: Case(Pointwise, (torch.randn(4, 8),), dynamic_shapes={"x": {0: _N}}),
    "double": lambda: Case(
        Double, (torch.randn(4, 8), torch.randn(8, 8)), dynamic_shapes={"x": {0: _N}, "y": {0: 2 * _N}}
    ),
    "next": lambda: Case(Next, (torch.randn(4, 8), torch.randn(5, 8)), dynamic_shapes={"x": {0: _N}, "y": {0: _N + 1}}),
    "halves": lambda: Case(Halves, (torch.randn(6, 8),), dynamic_shapes={"x": {0: Dim.AUTO}}),
    "quarters": lambda: Case(
        Quarters, (torch.randn(12, 8),), dynamic_shapes={"x": {0: 4 * Dim("quarter", min=2, max=10)}}
    ),
    "plane": lambda: Case(Plane, (torch.randn(4, 6),), dynamic_shapes={"x": {0: Dim.AUTO, 1: Dim.AUTO}}),
    "shared": lambda: Case(Shared, (torch.randn(4, 8), torch.randn(4, 8)), dynamic_shapes={"x": {0: _N}, "y": {0: _N}}),
    "nested": lambda: Case(
        Nested,
        (torch.randn(4, 8), _batch()),
        {"point": Point(torch.randn(3), torch.randn(3)), "pair": Pair(torch.randn(2), torch.randn(2)), "scale": 2},
    ),
    "frozen": lambda: Case(
        Frozen, (torch.randn(4, 8), 3, 1.5, True, "relu", None), dynamic_shapes=({0: _N}, None, None, None, None, None)
    ),
    "dtypes": lambda: Case(
        Dtypes,
        (torch.randn(4, 8).bfloat16(), torch.arange(32).view(4, 8), torch.arange(32).view(4, 8) % 3 == 0),
        dynamic_shapes={"half": {0: _N}, "ids": {0: _N}, "mask": {0: _N}},
    ),
    "image": lambda: Case(
        Image,
        (torch.randn(2, 3, 6, 6).to(memory_format=torch.channels_last),),
        dynamic_shapes={"x": {0: Dim("images", max=16)}},
    ),
    "transposed": lambda: Case(Transposed, (torch.randn(5, 7).t(),), dynamic_shapes={"x": {1: Dim("c", max=32)}}),
    "relation": lambda: Case(
        Relation,
        (torch.randn(5, 3), torch.randn(4, 5)),
        dynamic_shapes={"x": {0: Dim.AUTO}, "y": {1: Dim.AUTO}},
    ),
    "empty": lambda: Case(
        Empty,
        (torch.randn(4, 8), torch.randn(0, 8)),
        dynamic_shapes={"x": {0: Dim("rows", min=0, max=9)}, "nothing": None},
    ),
    "first_two": lambda: Case(FirstTwo, (torch.randn(4, 8),), dynamic_shapes={"x": {0: _N}}),
    "guards": lambda: Case(
        Range, (torch.randn(6, 8), torch.randn(5, 8)), dynamic_shapes={"x": {0: Dim.AUTO}, "y": {0: Dim.AUTO}}
    ),
    "conv": lambda: Case(
        Conv, (torch.randn(2, 3, 16),), dynamic_shapes={"x": {0: Dim("b", max=8), 2: Dim("length", min=8, max=64)}}
    ),
    "flat": lambda: Case(Flat, (torch.randn(3, 5, 8),), dynamic_shapes={"x": {0: Dim.AUTO, 1: Dim.AUTO}}),
    "differences": lambda: Case(
        Differences, (torch.randn(4, 6), torch.randn(9)), dynamic_shapes={"x": {1: Dim.AUTO}, "offset": {0: Dim.AUTO}}
    ),
    "attention": lambda: Case(
        Attention,
        (torch.randn(2, 5, 8), torch.randn(2, 7, 8), torch.randn(5, 7)),
        dynamic_shapes={
            "q": {0: Dim.AUTO, 1: Dim.AUTO},
            "k": {0: Dim.AUTO, 1: Dim.AUTO},
            "mask": {0: Dim.AUTO, 1: Dim.AUTO},
        },
    ),
    "either": lambda: Case(
        Either,
        (torch.randn(6, 8), torch.randn(2, 0, 3)),
        {"gain": float("inf")},
        dynamic_shapes={"x": {0: Dim.AUTO}, "y": {0: Dim.AUTO}, "gain": None},
    ),
}
