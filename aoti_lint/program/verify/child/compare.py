"""In the child: whether two results are the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch.utils import _pytree as pytree

from aoti_lint.program.errors import Unreadable
from aoti_lint.program.treespec import output_paths, parse_treespec

TOLERANCES = {
    torch.float64: (1e-7, 1e-7),
    torch.float32: (1e-4, 1e-5),
    torch.float16: (5e-3, 1e-3),
    torch.bfloat16: (3e-2, 1e-2),
    torch.complex64: (1e-4, 1e-5),
    torch.complex128: (1e-7, 1e-7),
}
"""Relative and absolute, by type. Wider than those of `torch.testing`, as a compiled kernel adds in another order and
keeps half precision wider between the operators it fuses. The absolute one grows with the largest number there is."""


class Comparison:
    """Compares results of two models.

    `largest` is the largest difference that was tolerated, `numbers` are places where one gives a Python number and the
    other a tensor that holds it: a package returns every number so.
    """

    def __init__(self, rtol: float | None, atol: float | None, values: bool) -> None:
        self._rtol, self._atol, self._values = rtol, atol, values
        self.largest = 0.0
        self.numbers: list[str] = []

    def results(self, left: Any, right: Any) -> Iterator[tuple[str, str, str]]:
        """What differs in `right`: what, where, and how, with the numbers of both."""
        left_leaves, left_spec = pytree.tree_flatten(left)
        right_leaves, right_spec = pytree.tree_flatten(right)
        if left_spec != right_spec and str(left_spec) != str(right_spec):
            yield "structure", "out", f"{_shown(right_spec)} instead of {_shown(left_spec)}"
            return
        for path, one, other in zip(_paths(left_spec), left_leaves, right_leaves, strict=True):
            yield from self.leaf(path, one, other)

    def leaf(self, path: str, left: Any, right: Any) -> Iterator[tuple[str, str, str]]:
        """The same for one leaf."""
        if not isinstance(left, torch.Tensor) or not isinstance(right, torch.Tensor):
            if isinstance(right, torch.Tensor) and right.numel() == 1 and isinstance(left, int | float):
                self.numbers.append(path)
                left, right = left, right.item()
            if type(left) is not type(right):
                yield "structure", path, f"{type(right).__name__} instead of {type(left).__name__}"
            elif left != right and not (left != left and right != right):
                yield "values", path, f"{right!r} instead of {left!r}"
            return
        if left.shape != right.shape:
            yield "shape", path, f"{tuple(right.shape)} instead of {tuple(left.shape)}"
        if left.dtype != right.dtype:
            yield "dtype", path, f"{right.dtype} instead of {left.dtype}"
        if left.shape == right.shape and left.dtype == right.dtype and self._values:
            yield from self._numbers(path, left.cpu(), right.cpu())

    def _numbers(self, path: str, left: Any, right: Any) -> Iterator[tuple[str, str, str]]:
        if not left.numel() or torch.equal(left, right):
            return
        known = TOLERANCES.get(left.dtype)
        if known is None:
            close = left == right
        else:
            rtol = known[0] if self._rtol is None else self._rtol
            atol = known[1] if self._atol is None else self._atol
            wide = torch.complex128 if left.is_complex() else torch.float64
            left, right = left.to(wide), right.to(wide)
            finite = left.abs()[left.isfinite()]
            scale = max(float(finite.max()), 1.0) if finite.numel() else 1.0
            close = torch.isclose(right, left, rtol=rtol, atol=atol * scale, equal_nan=True)
        off = ~close
        if bool(off.any()):
            first = tuple(int(index) for index in off.nonzero()[0])
            count = int(off.sum())
            place = f"[{', '.join(map(str, first))}]" if first else ""
            yield (
                "values",
                path,
                (
                    f"{path}{place} is {_number(right[first])} instead of {_number(left[first])}; "
                    f"{count} of {left.numel()} values differ"
                ),
            )
        else:
            gap = (left - right).abs()
            gap = gap[gap.isfinite()]
            self.largest = max(self.largest, float(gap.max()) if gap.numel() else 0.0)


def _number(value: Any) -> str:
    plain = value.item()
    return f"{plain:.6g}" if isinstance(plain, float) else str(plain)


def _paths(spec: Any) -> list[str]:
    try:
        paths = output_paths(parse_treespec(pytree.treespec_dumps(spec)))
    except (Unreadable, NotImplementedError, TypeError, AttributeError):
        paths = []
    return paths if len(paths) == spec.num_leaves else [f"leaf {index} of out" for index in range(spec.num_leaves)]


def _shown(spec: Any) -> str:
    """A structure in one line, without its line breaks."""
    return " ".join(str(spec).split())[:200]
