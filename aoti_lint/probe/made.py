"""Inputs made from the schema of an operator, when nobody gives any."""

from __future__ import annotations

import itertools
import random
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch

from aoti_lint.probe.arguments import Example, types
from aoti_lint.probe.errors import of_error, says
from aoti_lint.probe.fakes import run_fake
from aoti_lint.probe.gpu import only_on_gpu
from aoti_lint.probe.kernel import Kernel

_TRIES = 600
_KERNEL_TRIES = 60
_MOST = 16
"""Tensors that get a shape of their own."""

Shapes = Callable[[int], tuple[int, ...]]
"""The shape of each tensor, by its position."""

_M, _N, _K = 6, 8, 10
"""Sizes that tell dimensions apart; even, as many kernels pack two values in one."""

_PLANS: tuple[Shapes, ...] = (
    lambda index: (_M, _N),
    lambda index: (_M,),
    lambda index: (2, _M, _N),
    lambda index: (2, 3, _M, _N),
    lambda index: (_M, _N) if index == 0 else (_N,),
    lambda index: (_M, _N) if index == 0 else (_M,),
    lambda index: [(_M, _N), (_N, _K)][index] if index < 2 else (_K,),
    lambda index: [(_M, _N), (_K, _N)][index] if index < 2 else (_K,),
    lambda index: (2, _M, _N) if index == 0 else (_N,),
    lambda index: (2, 4, _M, _N) if index == 0 else (_N,),
    lambda index: [(2, _M, _N), (2, _N, _K)][index] if index < 2 else (_K,),
    lambda index: [(_M, _N), (4, _N, _K)][index] if index < 2 else (4,),
    lambda index: [(2, 3, _M, _N), (4, 5)][index] if index < 2 else (_N,),
    lambda index: [(2, 3, _M, _N), (4, 3, 3, 3)][index] if index < 2 else (4,),
    lambda index: (4, _N),
    lambda index: (_N, _N),
    lambda index: (32, 32),
    lambda index: (128, 128),
    lambda index: (_M, 4),
    lambda index: (_M, 4) if index == 0 else (_M,),
    lambda index: (),
    lambda index: (1,),
)
_POOL = (_M, _N, _K, 4, 3, 2, 1, 16, 32, 128)
_RANKS = (2, 2, 2, 1, 1, 3, 3, 4, 0)
_INDEX = re.compile(r"(^|_)(ind(ex|ices)?|idxs?|ids?|offs(ets?)?|lengths?|perm|pos(itions?)?|seqlens?|map)(_|\[|$)")
_DTYPES = (torch.float32, torch.int64, torch.int32, torch.bfloat16, torch.float16, torch.uint8, torch.int8, torch.bool,
           torch.float64)  # fmt: skip


@dataclass(frozen=True)
class Search:
    """What came of it: an example that the fake takes (and the kernel, if it runs here), or why there is none."""

    example: Example | None
    tried: int
    error: str = ""


def search(op: Any, *, kernels: bool, seconds: float, stage: Callable[[str], None]) -> Search:
    """Look for inputs that the operator takes."""
    until = time.monotonic() + seconds
    kernel = Kernel(op, stage)
    kernel.missing = not kernels
    second: Example | None = None
    error, tried, asked = "", 0, 0
    try:
        candidates = _candidates(op)
    except _Unknown as unknown:
        return Search(None, 0, str(unknown))
    for example in itertools.islice(candidates, _TRIES):
        if time.monotonic() > until:
            break
        tried += 1
        stage("looking for inputs that the fake takes")
        run = run_fake(op, example, "fixed")
        if run.error is not None:
            error = says(run.error)
            if of_error(op, run, "") is None:
                continue
        if kernel.missing or asked >= _KERNEL_TRIES:
            second = second or example
            break
        asked += 1
        if kernel.call(example) is not None or kernel.refuses_aliases():
            return Search(_told_apart(op, example, kernel), tried)
        if kernel.missing and example.device is not None:
            return Search(_told_apart(op, example, None), tried)
        second = second or example
    if second is not None:
        return Search(_told_apart(op, second, None), tried)
    return Search(None, tried, error)


def _told_apart(op: Any, example: Example, kernel: Kernel | None) -> Example:
    """The same with sizes that differ where they may: a fake that takes one for the other is seen then."""
    fresh = itertools.chain((5, 7, 9, 11, 12, 14, 18, 20, 22, 24, 26, 28, 30), itertools.count(34, 2))
    for label, tensor in list(example.tensors().items()):
        for dim, size in enumerate(tensor.shape):
            sizes = {size for other in example.tensors().values() for size in other.shape}
            if size < 2 or sum(list(other.shape).count(size) for other in example.tensors().values()) < 2:
                continue
            new = next(number for number in fresh if number not in sizes)
            shape = (*tensor.shape[:dim], new, *tensor.shape[dim + 1 :])
            other = example.resized({label: shape})
            if run_fake(op, other, "fixed").error is None and (kernel is None or kernel.call(other) is not None):
                example = other
                tensor = example.tensors()[label]
    return example


class _Unknown(Exception):
    """An argument of a type for which nothing can be made; its text says which."""


def _candidates(op: Any) -> Iterator[Example]:
    """Inputs, the likely ones first: planned shapes with the same type, then drawn ones; on the CPU, then on CUDA.

    All are on CUDA where there is a GPU and the kernel is for one alone."""
    kinds = types(op)
    needed = [argument for argument in op._schema.arguments if not argument.has_default_value()]
    values = {argument.name: _values(argument, kinds[argument.name]) for argument in needed}
    # A check now, for the error: generators run later.
    for argument in needed:
        if not values[argument.name]:
            raise _Unknown(f"nothing can be made for {kinds[argument.name]} {argument.name}: give inputs with --inputs")
    drawn = _drawn(needed, kinds, values)
    return map(on_cuda, drawn) if torch.cuda.is_available() and only_on_gpu(op) else drawn


def _drawn(needed: list[Any], kinds: dict[str, str], values: dict[str, list[Any]]) -> Iterator[Example]:
    chance = random.Random(0)
    names = [argument.name for argument in needed]
    firsts = {name: options[0] for name, options in values.items()}
    tensors = sum(value is torch.Tensor for _, value in Example(firsts).leaves())
    planned: list[tuple[Any, Shapes]] = [(dtype, plan) for dtype in _DTYPES[:3] for plan in _PLANS]
    for dtype, plan in planned:
        if dtype is torch.float32 and any(_INDEX.search(label.lower()) for label, _ in Example(firsts).leaves()):
            yield _example(names, firsts, plan, [dtype] * _MOST, named=True)
        yield _example(names, firsts, plan, [dtype] * _MOST)
        if dtype is torch.float32:
            # What follows the first tensor, or comes last, is often an index.
            yield _example(names, firsts, plan, [torch.float32] + [torch.int64] * _MOST)
            if tensors > 2:
                yield _example(names, firsts, plan, [torch.float32] * (tensors - 1) + [torch.int32] * _MOST)
    for plan in _PLANS[:4]:
        yield on_cuda(_example(names, firsts, plan, [torch.float32] * _MOST))
    for number in itertools.count():
        dtypes = [chance.choice(_DTYPES[: 2 + number % len(_DTYPES)]) for _ in range(_MOST)]
        pool = chance.sample(_POOL, 4)
        shapes = [tuple(chance.choice(pool) for _ in range(chance.choice(_RANKS))) for _ in range(_MOST)]
        if number % 2:
            shapes = [chance.choice(_PLANS)(index) for index in range(_MOST)]
        chosen = {name: chance.choice(options) for name, options in values.items()}
        made = _example(names, chosen, shapes.__getitem__, dtypes, named=number % 3 == 0)
        yield on_cuda(made) if number % 5 == 4 else made


def _example(
    names: list[str], values: dict[str, Any], shapes: Shapes, dtypes: list[Any], named: bool = False
) -> Example:
    """`named`: what is called like an index is one, whatever its type would be."""
    numbers = itertools.count()

    def made(label: str, leaf: Any) -> Any:
        if leaf is not torch.Tensor:
            return leaf
        index = next(numbers) % _MOST
        dtype = torch.int64 if named and _INDEX.search(label.lower()) else dtypes[index]
        return data(shapes(index), dtype, index)

    return Example({name: values[name] for name in names}, made=True).mapped(made)


def on_cuda(example: Example) -> Example:
    """The same on the GPU, or as if there was one: fakes need none."""
    if not torch.cuda.is_available():
        return replace(example, device="cuda")
    return example.mapped(lambda _, leaf: leaf.cuda() if isinstance(leaf, torch.Tensor) else leaf)


def data(shape: tuple[int, ...], dtype: Any, seed: int) -> Any:
    """A tensor; whole numbers are 0 and 1, which are good indices more often than others."""
    chance = torch.Generator().manual_seed(seed)
    if dtype.is_floating_point or dtype.is_complex:
        return torch.randn(shape, generator=chance).to(dtype)
    return torch.randint(0, 2, shape, generator=chance).to(dtype)


def _values(argument: Any, kind: str) -> list[Any]:
    """What may stand for an argument, the likeliest first; `torch.Tensor` is a tensor yet to be made."""
    kind = re.sub(r"\([^)]*\)", "", kind)
    if kind.endswith("?"):
        inner = _values(argument, kind[:-1])
        return [*inner[:1], None, *inner[1:]]
    match = re.fullmatch(r"(.+)\[(\d*)\]", kind)
    if match is not None:
        inner = _values(argument, match[1])
        count = getattr(argument, "N", None) or 2
        return [[value] * count for value in inner] + [[value] for value in inner[:1] if not match[2]]
    simple: dict[str, list[Any]] = {
        "Tensor": [torch.Tensor],
        "int": [2, 1, 0, 4, 8, -1, 32],
        "SymInt": [2, 1, 0, 4, 8, -1, 32],
        "float": [0.5, 1.0, 2.0],
        "SymFloat": [0.5, 1.0],
        "Scalar": [2, 0.5],
        "bool": [False, True],
        "SymBool": [False, True],
        "str": ["", "mean", "sum", "none"],
        "Device": [torch.device("cpu")],
        "ScalarType": [torch.float32, torch.bfloat16, torch.int8],
        "Layout": [torch.strided],
        "MemoryFormat": [torch.contiguous_format],
        "Generator": [None],
    }
    return simple.get(kind, [])
