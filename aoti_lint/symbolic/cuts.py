"""Slices of open sizes, and whether tracing asks if they leave more than one index.

Run on torch 2.13: an operation on a slice asks it. Where none works on the slice, as where it is returned, an export
without `strict=True` asks it while it looks whether the slice is contiguous: from the innermost dimension out, up to
the first that has gaps. Of what was permuted before it asks nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from aoti_lint.interp.events import SizeGuard
from aoti_lint.interp.values import Tensor
from aoti_lint.symbolic import strides
from aoti_lint.symbolic.layouts import KEEPING, TURNING

if TYPE_CHECKING:
    from aoti_lint.symbolic.watch import Watch

_TURNED = TURNING | strides.TURNED
_KEEPING = KEEPING | {"where", None}
"""What makes a tensor that lies as what it is made of; an operator has no name."""


@dataclass(slots=True)
class Cuts:
    """The guards of slices, each with the tensors that were sliced and the slices of them, by keys."""

    _now: list[SizeGuard] = field(default_factory=list)
    _slices: list[tuple[SizeGuard, Tensor, str]] = field(default_factory=list)

    def asked(self, guard: SizeGuard | None) -> None:
        """The slice that is being made is this guard."""
        if guard is not None:
            self._now.append(guard)

    def made(self, source: Tensor, keys: Iterable[str]) -> None:
        """An index into `source` gave the tensors of these keys."""
        self._slices += [(guard, source, key) for key in keys for guard in self._now]
        self._now.clear()

    def judged(self, watch: Watch, guards: list[SizeGuard]) -> tuple[SizeGuard, ...]:
        """The guards, without those that nothing asks; those that the slice alone asks are of the kind `slice`."""
        used = _used(watch)
        always = {guard for guard, _, key in self._slices if key in used}
        alone = {guard for guard, source, _ in self._slices if not _turned(watch, source)} - always
        never = {guard for guard, _, _ in self._slices} - always - alone
        return tuple(replace(one, kind="slice") if one in alone else one for one in guards if one not in never)


def _used(watch: Watch) -> set[str]:
    """The tensors that operations work on, themselves or by way of views of them."""
    used: set[str] = set()
    for made, parents in watch.sources.items():
        if not watch.views.get(made, ("", False))[1]:
            for key in parents:
                while key not in used:
                    used.add(key)
                    key = watch.views.get(key, (key, False))[0]
    return used


def _turned(watch: Watch, tensor: Tensor) -> bool:
    """Whether the dimensions of a tensor may lie in another order than they stand in."""
    if tensor.strides and tensor.strides[-1] != 1:
        return True
    todo, seen = [tensor.key], set[str]()
    while todo:
        key = todo.pop()
        maker = watch.makers.get(key)
        if maker in _TURNED:
            return True
        if key not in seen and (key in watch.views or maker in _KEEPING):
            seen.add(key)
            todo += watch.sources.get(key, ())
    return False
