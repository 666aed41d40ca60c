"""Small operators, each with one fault, and its twin without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

Tensor = torch.Tensor


def _doubled(x: Tensor) -> Tensor:
    return x * 2


def _define(name: str, kernel: Callable[..., Any] | None = _doubled, schema: str = "(Tensor x) -> Tensor"):
    """A decorator that makes a function the fake of a new operator."""

    def fake(function):
        torch.library.define(f"probed::{name}", schema)
        if kernel is not None:
            torch.library.impl(f"probed::{name}", "CPU")(kernel)
        torch.library.register_fake(f"probed::{name}")(function)
        return function

    return fake


@_define("right")
def right(x):
    assert x.dim() > 0
    return torch.empty_like(x)


@_define("integer")
def integer(x):
    rows = int(x.shape[0])
    return x.new_empty((rows, *x.shape[1:]))


@_define("branch")
def branch(x):
    if x.shape[0] > 100:
        return torch.empty_like(x)
    return torch.empty_like(x)


@_define("counted")
def counted(x):
    return x.new_empty((sum(1 for _ in range(x.shape[0])), *x.shape[1:]))


@_define("asserted")
def asserted(x):
    assert x.shape[0] == 4
    return torch.empty_like(x)


def _four_columns(x: Tensor) -> Tensor:
    assert x.shape[1] == 4
    return x * 2


@_define("demanded", _four_columns)
def demanded(x):
    torch._check(x.shape[1] == 4)
    return torch.empty_like(x)


@_define("halves", lambda x: x[: x.shape[0] // 2].clone())
def halves(x):
    return x.new_empty((x.shape[0] // 2, *x.shape[1:]))


@_define("item")
def item(x):
    x.sum().item()
    return torch.empty_like(x)


@_define("truth")
def truth(x):
    if (x > 0).any():
        return torch.empty_like(x)
    return torch.empty_like(x)


@_define("pointer")
def pointer(x):
    x.data_ptr()
    return torch.empty_like(x)


@_define("hard_coded")
def hard_coded(x):
    return x.new_empty((6, 8))


@_define("turned", lambda x: x.mT.contiguous())
def turned(x):
    return x.new_empty((x.shape[1], x.shape[0]))


@_define("swapped", lambda x: x.mT.clone(memory_format=torch.contiguous_format))
def swapped(x):
    return x.new_empty(x.shape)


@_define("strides", lambda x: x.mT.contiguous().mT * 2)
def strides(x):
    return x.new_empty(x.shape)


@_define("double")
def double(x):
    return torch.empty_like(x, dtype=torch.float64)


@_define("default_dtype")
def default_dtype(x):
    return torch.empty(x.shape)


@_define("device")
def device(x):
    return torch.empty_like(x, device="cuda")


@_define("none")
def none(x):
    return None


@_define("too_few", lambda x: (x * 2, x * 3), "(Tensor x) -> (Tensor, Tensor)")
def too_few(x):
    return (torch.empty_like(x),)


@_define("same")
def same(x):
    return x


@_define("kernel_view", lambda x: x[:1])
def kernel_view(x):
    return x.new_empty((1, *x.shape[1:]))


@_define("writes", lambda x: x.add_(1) * 2)
def writes(x):
    return torch.empty_like(x)


@_define("declared", lambda x: x.add_(1) * 2, "(Tensor(a!) x) -> Tensor")
def declared(x):
    return torch.empty_like(x)


@_define("selected", lambda x: x[x > 0])
def selected(x):
    return x.new_empty((x.numel(),))


@_define("dynamic", lambda x: x[x > 0])
def dynamic(x):
    return x.new_empty((torch.library.get_ctx().new_dynamic_size(),))


@_define("parameters", lambda x, n=2: x * n, "(Tensor x, int n=2) -> Tensor")
def parameters(x, n):
    return torch.empty_like(x)


@_define("parameters_right", lambda x, n=2: x * n, "(Tensor x, int n=2) -> Tensor")
def parameters_right(x, n=2):
    return torch.empty_like(x)


@_define("number", lambda x, n: x.new_zeros(n), "(Tensor x, SymInt n) -> Tensor")
def number(x, n):
    return x.new_empty((int(n),))


@_define("product", torch.mm, "(Tensor x, Tensor y) -> Tensor")
def product(x, y):
    assert x.shape[1] == y.shape[0]
    return x.new_empty((x.shape[0], y.shape[1]))


@_define("even", lambda x: x.reshape(-1, 2).sum(1), "(Tensor x) -> Tensor")
def even(x):
    assert x.numel() % 2 == 0
    return x.new_empty((x.numel() // 2,))


@_define("elsewhere")
def elsewhere(x):
    if x.shape[0] > 6:
        return x.new_empty((x.shape[0], int(x.shape[1])))
    return torch.empty_like(x)


@_define("constant", None)
def constant(x):
    return x.new_empty((6, x.shape[1]))


torch.library.define("probed::composed", "(Tensor x) -> Tensor")


@torch.library.impl("probed::composed", "CompositeImplicitAutograd")
def composed(x):
    return x.view(-1)[:1]


@_define("bytes", lambda x: x.clone())
def bytes_(x):
    return torch.empty_like(x)


@_define("switch", lambda x, flat=False: (x * 2).flatten() if flat else x * 2, "(Tensor x, bool flat=False) -> Tensor")
def switch(x, flat=False):
    return torch.empty_like(x)


@_define("at_least", lambda x: x.new_zeros(max(x.shape[0], 64)))
def at_least(x):
    return x.new_empty((max(x.shape[0], 64),))


@_define("nowhere", None)
def nowhere(x):
    return torch.empty_like(x)


torch.library.define("probed::bare", "(Tensor x) -> Tensor")
torch.library.impl("probed::bare", "CPU")(_doubled)
