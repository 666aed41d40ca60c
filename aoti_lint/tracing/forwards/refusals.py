"""Whether an export surely raises: that decides what runs next where something catches it.

Only what every release in question refuses: a `dynamic_shapes` of another structure than the inputs, an example that
its `Dim` does not allow, sizes 0 and 1 of a dynamic dimension, one `Dim` on two sizes; a forward that holds a dynamic
size to that of the example, goes a way that not all sizes of a named `Dim` go, or ties two of them; one that needs a
value of a tensor. Run on torch 2.13, see the rules AOTI302, AOTI304, AOTI305, AOTI308, AOTI311, AOTI313 and AOTI320 to
AOTI325.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from aoti_lint.models.export.binding import Mismatch, parts
from aoti_lint.models.tensors.sizes import number
from aoti_lint.tracing.forwards.forward import holds
from aoti_lint.values.conditions import Cond
from aoti_lint.values.events.forwards import DataUse, OpenSize, Raised, SizeGuard
from aoti_lint.values.sizes.shapes import inputs
from aoti_lint.values.sizes.symbols import LEAST, Expr
from aoti_lint.values.torch_values import Program
from aoti_lint.values.values import NONE

_FARTHEST = 64
"""Other sizes are tried up to here, and multiples of that of the example."""
_ASKED_ALWAYS = frozenset({"branch", "fit", "reshape", "range", "items", "steps"})
"""The kinds of guards that torch makes in any export."""
_OF_VALUES = frozenset({"truth", "mask", "number", "size", "rounds", "items", "key"})
"""The uses of values that raise in any export, outside of an `assert`."""


def refuses(
    program: Program,
    open_sizes: Iterable[OpenSize],
    guards: Iterable[SizeGuard],
    path: Mapping[Cond, bool],
    data: Iterable[DataUse] = (),
    raised: Iterable[Raised] = (),
) -> bool:
    """Whether an export raises for sure on `path`.

    `guards` are what its forward asks of its `open_sizes`, `data` what it asks of the values in tensors, `raised`
    where it raises.
    """
    if program.oblivious or program.is_draft:
        return False
    if is_misdeclared(program) or _is_torn(open_sizes):
        return True
    always = (one for one in guards if one.kind in _ASKED_ALWAYS or _is_plain_bound(one))
    asked = [one for one in always if _is_met(one.path, path)]
    sizes = {one.root: one for one in open_sizes if one.dim.kind in ("named", "DYNAMIC")}
    values = (one for one in data if one.kind in _OF_VALUES and not (one.asserted or one.checked))
    own = (one for one in raised if not one.caught and _is_met(one.path.items(), path))
    return any(_is_broken(one, sizes) for one in asked) or any(_is_met(one.path, path) for one in values) or any(own)


def is_misdeclared(program: Program) -> bool:
    """Whether what is declared does not fit the inputs, so that nothing is heard of what the forward raises."""
    return any(isinstance(part, Mismatch) for part in parts(program)) or _is_outside(program)


def _is_plain_bound(guard: SizeGuard) -> bool:
    """Whether a size itself has to lie within a number, which torch cannot know of a `Dim` that may be beyond it."""
    of = {*guard.left.roots, *guard.right.roots}
    return guard.kind == "bound" and len(of) == 1 and not of.isdisjoint({guard.left, guard.right})


def _is_met(needed: Iterable[tuple[Cond, bool]], path: Mapping[Cond, bool]) -> bool:
    """Whether what comes under the answers `needed` surely comes on `path`."""
    return all(path.get(cond) == answer for cond, answer in needed)


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


def _is_torn(open_sizes: Iterable[OpenSize]) -> bool:
    """Whether one named `Dim` stands for different sizes in the example."""
    examples: dict[Expr, int] = {}
    return any(examples.setdefault(one.root, one.example) != one.example for one in open_sizes)


def _is_broken(guard: SizeGuard, sizes: Mapping[Expr, OpenSize]) -> bool:
    """Whether a guard does not hold for all sizes that are declared, so that the export refuses them."""
    of = {*guard.left.roots, *guard.right.roots}
    if not of <= sizes.keys():
        return False
    if len(of) > 1:
        # Each is declared to be free of the other.
        return guard.op == "==" and {guard.left, guard.right} == of and all(sizes[r].dim.kind == "named" for r in of)
    size = next((sizes[root] for root in of), None)
    if size is None or holds(guard, {size.root: size.example}) is not True:
        return False
    multiples = (times * size.example for times in (2, 3))
    around = (n + step for side in (guard.left, guard.right) for n in side.numbers for step in (-1, 0, 1))
    others = {n for n in (*range(LEAST, _FARTHEST), *multiples, *around) if n >= LEAST} - {size.example}
    held = {n: holds(guard, {size.root: n}) for n in others}
    if guard.op == "==" and set(held.values()) == {False}:
        return True
    # What Python asks has to have one answer for the whole range of a named one.
    low, high = number(size.dim.min), number(size.dim.max)
    known = (low is not None or size.dim.min == NONE) and (high is not None or size.dim.max == NONE)
    declared = size.dim.kind == "named" and guard.kind in ("branch", "bound") and known
    return declared and any(yes is False for n, yes in held.items() if (low or 0) <= n <= (high or n))
