"""Programs to compile and verify.

A function `healthy_…`, `wrong_…` or `outside_…` gives an exported program; `make_…` gives a module and its arguments.
"""

import ctypes
import time

import torch
from torch import nn
from torch.export import Dim, export

BATCH = Dim("b", min=1, max=64)


def op(name, real, fake, mutates=()):
    """Register an operator of one tensor; gives a function that calls it."""
    torch.library.custom_op(f"verifytest::{name}", real, mutates_args=mutates).register_fake(fake)
    return getattr(torch.ops.verifytest, name)


def sine(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


def positive(x: torch.Tensor) -> torch.Tensor:
    return x[x > 0]


def adds(x: torch.Tensor) -> torch.Tensor:
    x.add_(1)
    return x.clone()


def dies_at_seven(x: torch.Tensor) -> torch.Tensor:
    if x.shape[0] == 7:
        ctypes.string_at(0)
    return x.clone()


def hangs_at_seven(x: torch.Tensor) -> torch.Tensor:
    if x.shape[0] >= 7:
        time.sleep(600)
    return x.clone()


def like(x):
    return torch.empty_like(x)


def new_size(x):
    return x.new_empty((torch.library.get_ctx().new_dynamic_size(),))


class Calls(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x) + 1


OPS = {}

# Registered whenever this file is imported, as a package needs them.
for _name, _real, _fake, _mutates in (
    ("right", sine, like, ()),
    ("hard_coded", sine, lambda x: x.new_empty((4, 8)), ()),
    ("wrong_dtype", sine, lambda x: torch.empty_like(x, dtype=torch.float64), ()),
    ("wrong_size", sine, lambda x: x.new_empty((x.shape[0], 16)), ()),
    ("even", sine, lambda x: x.new_empty((x.shape[0] // 2 * 2, x.shape[1])), ()),
    ("not_dynamic", positive, lambda x: x.new_empty((x.numel(),)), ()),
    ("dynamic", positive, new_size, ()),
    ("undeclared", adds, like, ()),
    ("declared", adds, like, ("x",)),
    ("dies", dies_at_seven, like, ()),
    ("hangs", hangs_at_seven, like, ()),
    ("baked", sine, lambda x: x.new_empty((int(x.shape[0]), x.shape[1])), ()),
):
    OPS[_name] = op(_name, _real, _fake, _mutates)


def with_op(name, dim=BATCH):
    return export(Calls(OPS[name]), (torch.randn(4, 8),), dynamic_shapes={"x": {0: dim}})


# ---------------------------------------------------------------- right


def healthy_op():
    return with_op("right")


def healthy_dynamic_op():
    return with_op("dynamic")


def healthy_declared_write():
    return with_op("declared")


class Scaled(nn.Module):
    def forward(self, x, k):
        return x * k


def healthy_tensor_scalar():
    return export(Scaled(), (torch.ones(3), torch.tensor(2.0)))


class Static(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.l = nn.Linear(8, 4)
        self.d = nn.Dropout(0.5)
        self.n = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.n(self.d(self.l(x))).softmax(-1)


def healthy_eval():
    return export(Static().eval(), (torch.randn(6, 8),))


class Nested(nn.Module):
    """Derived dims, indices, nested arguments by keyword, several dtypes, None and ints in the result."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.e = nn.Embedding(50, 8)
        self.l = nn.Linear(8, 4, dtype=torch.bfloat16)

    def forward(self, batch, *, mask):
        ids, x = batch["ids"], batch["x"]
        return {"y": self.l(self.e(ids).to(torch.bfloat16)), "z": (x.relu() * mask, ids + 1, None), "n": 3}


def healthy_nested():
    batch = {"ids": torch.randint(0, 50, (4, 6)), "x": torch.randn(8, 3)}
    shapes = {"batch": {"ids": {0: BATCH}, "x": {0: 2 * BATCH}}, "mask": None}
    return export(Nested().eval(), (batch,), {"mask": torch.ones(3, dtype=torch.bool)}, dynamic_shapes=shapes)


class Halves(nn.Module):
    """Only even sizes are allowed: that is a guard."""

    def forward(self, x):
        return x.view(2, x.shape[0] // 2, -1).sum(0)


def healthy_guard():
    return export(Halves(), (torch.randn(12, 5),), dynamic_shapes={"x": {0: Dim.AUTO}})


class Counts(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("steps", torch.zeros(size))

    def forward(self, x):
        self.steps.add_(1)
        return x + self.steps.sum()


def healthy_buffer():
    return export(Counts(8), (torch.randn(3),))


# ---------------------------------------------------------------- wrong inside the contract


class Frozen(nn.Module):
    def forward(self, x, k: int):
        return x * k


def wrong_scalar():
    return export(Frozen(), (torch.ones(3), 2))


def wrong_buffer():
    return export(Counts(1), (torch.randn(3),))


def wrong_dropout():
    return export(nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5)), (torch.randn(4, 8),))


def wrong_batch_norm():
    return export(nn.BatchNorm1d(4), (torch.randn(8, 4),))


def wrong_hard_coded():
    return with_op("hard_coded")


def wrong_dtype():
    return with_op("wrong_dtype")


def wrong_size():
    return with_op("wrong_size")


def wrong_even():
    return with_op("even", Dim("b", min=4, max=64))


def wrong_not_dynamic():
    return with_op("not_dynamic")


def wrong_undeclared():
    return with_op("undeclared")


def wrong_autocast():
    return export(nn.Linear(8, 8).eval(), (torch.randn(2, 8),))


# ---------------------------------------------------------------- wrong only outside the contract


class Adds(nn.Module):
    def forward(self, x, y):
        return torch.sin(x) + y


def outside_equal():
    x = torch.randn(4, 3)
    dim = Dim("b", min=2, max=64)
    return export(Adds(), (x, x.clone()), dynamic_shapes={"x": {0: dim}, "y": {0: dim}})


# ---------------------------------------------------------------- the module a program was made from


def make_baked():
    return Calls(OPS["baked"]), (torch.randn(4, 8),)


def program_baked():
    return export(*make_baked(), dynamic_shapes={"x": {0: Dim.AUTO}})


class Copies(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.name = name

    def forward(self, x):
        return OPS[self.name](x).sin() + 1


def make_dies():
    return Copies("dies"), (torch.randn(4, 8),)


def make_hangs():
    return Copies("hangs"), (torch.randn(4, 8),)


def make_nested():
    batch = {"ids": torch.randint(0, 50, (4, 6)), "x": torch.randn(8, 3)}
    return Nested().eval(), (batch,), {"mask": torch.ones(3, dtype=torch.bool)}
