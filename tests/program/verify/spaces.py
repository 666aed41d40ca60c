"""Contracts to plan for."""

from __future__ import annotations

from collections.abc import Mapping

from aoti_lint.program.facts import Range
from aoti_lint.program.symbolic import parse
from aoti_lint.program.verify.cases import Scalar
from aoti_lint.program.verify.space import Input, Space, expressions


def tensor(path: str, *shape: int | str, dtype: str = "float32", below: tuple[int | str, ...] = ()) -> Input:
    """A tensor input."""
    return Input(path=path, dtype=dtype, shape=expressions(shape), below=expressions(below))


def scalar(path: str, value: Scalar) -> Input:
    """A Python value."""
    return Input(path=path, value=value)


def space(
    *inputs: Input,
    ranges: Mapping[str, tuple[int | None, int | None]] | None = None,
    guards: tuple[str, ...] = (),
    base: Mapping[str, int] | None = None,
) -> Space:
    """A contract; `base` are the exported sizes."""
    made = {name: Range(min=low, max=high) for name, (low, high) in (ranges or {}).items()}
    return Space(tuple(inputs), made, tuple(map(parse, guards)), base=dict(base or {}))
