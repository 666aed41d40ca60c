"""Whether an export surely raises: that decides what runs next where something catches it.

Only what every release in question refuses: an example that its `Dim` does not allow, sizes 0 and 1 of a dynamic
dimension, and a forward that holds a dynamic size to that of the example. Run on torch 2.13, see the rules AOTI302,
AOTI308, AOTI313 and AOTI323.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from aoti_lint.models.tensors.sizes import number
from aoti_lint.tracing.forwards.forward import holds
from aoti_lint.values.conditions import Cond
from aoti_lint.values.events.forwards import OpenSize, SizeGuard
from aoti_lint.values.sizes.shapes import inputs
from aoti_lint.values.sizes.symbols import LEAST
from aoti_lint.values.torch_values import Program

_FARTHEST = 64
"""Other sizes are tried up to here, and multiples of that of the example."""
_ASKED_ALWAYS = frozenset({"branch", "fit", "reshape"})
"""The kinds of guards that torch makes in any export."""


def refuses(
    program: Program, open_sizes: Iterable[OpenSize], guards: Iterable[SizeGuard], path: Mapping[Cond, bool]
) -> bool:
    """Whether an export raises for sure on `path`; `guards` are what its forward asks of its `open_sizes`."""
    if program.oblivious or program.is_draft:
        return False
    return _is_outside(program) or any(_is_fixed(size, guard, path) for size in open_sizes for guard in guards)


def _is_outside(program: Program) -> bool:
    """Whether the example has a size that its declaration does not allow."""
    for one in inputs(program):
        for index, size in enumerate(one.tensor.shape or ()):
            dim, length = one.declared(index), number(size)
            if dim is None or length is None or one.marked(program, index) is not None:
                continue
            if dim.kind in ("named", "DYNAMIC") and length < LEAST:
                return True
            if dim.kind == "derived" and (length - dim.offset) % dim.scale:
                return True
            low, high = number(dim.min), number(dim.max)
            if dim.kind == "named" and ((low is not None and length < low) or (high is not None and length > high)):
                return True
    return False


def _is_fixed(size: OpenSize, guard: SizeGuard, path: Mapping[Cond, bool]) -> bool:
    """Whether a guard that is surely asked holds for the size of the example alone, which is declared dynamic."""
    if size.dim.kind not in ("named", "DYNAMIC") or guard.op != "==" or guard.kind not in _ASKED_ALWAYS:
        return False
    if {*guard.left.roots, *guard.right.roots} != {size.root} or any(path.get(c) != a for c, a in guard.path):
        return False
    multiples = (times * size.example for times in (2, 3))
    others = (n for n in (*range(LEAST, _FARTHEST), *multiples) if n != size.example)
    return holds(guard, {size.root: size.example}) is True and all(
        holds(guard, {size.root: n}) is False for n in others
    )
