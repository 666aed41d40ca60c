"""Slices and windows over open sizes, and whether tracing asks if they leave more than one index.

Run on torch 2.13: most operations on a slice, or on what a convolution or a pooling made, ask it. Where none works on
it, as where it is returned, or one that copies or reduces (`cat`, `softmax`, `sum`), an export without `strict=True`
asks it while it looks whether the tensor is contiguous: from the innermost dimension out, up to the first that has
gaps. Of a slice of what was permuted before it asks nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from aoti_lint.lazily.dataclass import dataclass, field, replace
from aoti_lint.tracing import strides
from aoti_lint.tracing.layouts import KEEPING, TURNING
from aoti_lint.tracing.trial_observer import Watch
from aoti_lint.values.events.forwards import SizeGuard
from aoti_lint.values.torch_values import Tensor

_TURNED = TURNING | strides.TURNED
_KEEPING = KEEPING | {"where", None}
"""What makes a tensor that lies as what it is made of; an operator has no name."""
_ASKING = strides.ELEMENTWISE | {
    "where", "linear", "matmul", "stack", "cumsum", "logsumexp", "batch_norm", "conv1d", "conv2d", "conv3d", None,
}  # fmt: skip
"""What asks in any export; an operator and a layer have no name."""
_QUIET = strides.ELEMENTWISE | {
    "sum", "mean", "max", "min", "amax", "amin", "prod", "std", "var", "argmax", "argmin", "median", "nansum", None,
}  # fmt: skip
"""What may ask nothing of a slice whose dimensions lie in another order: what reduces, and works item by item."""


@dataclass(slots=True)
class Cuts:
    """The guards of slices, each with the tensors that were sliced and the slices of them, by keys."""

    _now: list[SizeGuard] = field(default_factory=list)
    _slices: list[tuple[SizeGuard, Tensor | None, str]] = field(default_factory=list)
    _windows: list[SizeGuard] = field(default_factory=list)

    def asked(self, guard: SizeGuard | None) -> None:
        """The slice that is being made is this guard."""
        if guard is not None:
            self._now.append(guard)

    def made(self, source: Tensor, keys: Iterable[str]) -> None:
        """An index into `source` gave the tensors of these keys."""
        self._slices += [(guard, source, key) for key in keys for guard in self._now]
        self._now.clear()

    def window(self, guard: SizeGuard | None) -> None:
        """A size of the tensor that is being made is this guard."""
        if guard is not None:
            self._windows.append(guard)

    def windowed(self, key: str) -> None:
        """The tensor of this key was made."""
        self._slices += [(guard, None, key) for guard in self._windows]
        self._windows.clear()

    def judged(self, watch: Watch, guards: list[SizeGuard]) -> tuple[SizeGuard, ...]:
        """The guards, without those that nothing asks; what `strict=True` does not ask is of the kind `slice`."""
        asking, copied = _used(watch, _ASKING), _used(watch, but=_QUIET)
        turned = {key for _, source, key in self._slices if source is not None and _turned(watch, source)}
        told = {guard for guard, _, key in self._slices if key in copied or key not in turned}
        alone = told.difference(guard for guard, _, key in self._slices if key in asking)
        never = {guard for guard, _, _ in self._slices} - told
        return tuple(replace(one, kind="slice") if one in alone else one for one in guards if one not in never)


def _used(watch: Watch, by: Container[str | None] | None = None, but: Container[str | None] = ()) -> set[str]:
    """The tensors that operations (of these names, of others than those) work on, or on views of them."""
    used: set[str] = set()
    for made, parents in watch.sources.items():
        maker = watch.makers.get(made)
        if not watch.views.get(made, ("", False))[1] and (by is None or maker in by) and maker not in but:
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
