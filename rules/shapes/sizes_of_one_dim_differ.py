"""AOTI334."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Confidence, Outcome, Path, Related, VersionSet, dataclass, judge
from aoti_lint.rule.inputs import Beside, span_of
from aoti_lint.rule.values import Const, DimValue, Program, Value

from ._calls import MISREAD, Called, CallRule, Fault, made_elsewhere, sizes

COMPARES = VersionSet.since("2.13")
"""Releases whose packages compare two sizes of one `Dim`, where they check their inputs at all."""


@dataclass(frozen=True, slots=True)
class Given:
    """A size that a call gives, and how the dimension is declared."""

    part: Beside
    index: int
    size: Value
    dim: DimValue


class SizesOfOneDimDiffer(CallRule):
    """Two dimensions that have one `Dim` are called with sizes that do not go together.

    What happens:
        A package takes the size of the one for both: it reads outside the smaller input, or computes a part. With
        `AOTI_RUNTIME_CHECK_INPUTS=1`, torch 2.13 raises `expected size 2==8, stride 3==3 at dim=0`, and then speaks of
        the fake kernel of a custom op; there is none. Releases before compare nothing. `ep.module()` raises:
        `AssertionError: Guard failed`.

    Why:
        One `Dim` is one number. Inductor reads it from the first input that has it. That is so for what is derived from
        it, such as `2 * batch`, too: of 7 rows a package takes 6.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return x + y

        batch = torch.export.Dim("batch", min=2, max=64)
        both = {"x": {0: batch}, "y": {0: batch}}
        program = torch.export.export(Net(), (torch.randn(4, 3), torch.randn(4, 3)), dynamic_shapes=both)
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)
        run(torch.ones(8, 3), torch.ones(2, 3))  # <- AOTI334

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return x + y

        batch = torch.export.Dim("batch", min=2, max=64)
        both = {"x": {0: batch}, "y": {0: batch}}
        program = torch.export.export(Net(), (torch.randn(4, 3), torch.randn(4, 3)), dynamic_shapes=both)
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)
        run(torch.ones(8, 3), torch.ones(8, 3))

    How to debug:
        Call `ep.module()` with the same inputs: its message names both sizes.

    Sources:
        Run on torch 2.13, with and without the check. No release before has the comparison in
        `torch/_inductor/codegen/cpp_wrapper_cpu.py` (2.12).
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI334"
    name = "sizes-of-one-dim-differ"
    unflattened = True

    def faults(self, called: Called, program: Program, path: Path) -> Iterator[Fault]:
        first: dict[str, Given] = {}
        for part, one, index, size in sizes(called, program):
            dim = one.declared(index)
            root = dim if dim is None or dim.kind == "named" else dim.root
            if dim is None or root is None or not root.name or one.marked(program, index) is not None:
                continue
            given = Given(part, index, size, dim)
            whole = judge([size], path, partial(_has_no_root, dim)) if called.packaged else None
            if whole is not None:
                yield _rootless(called, program, given, root.name, *whole)
                continue
            before = first.setdefault(root.name, given)
            verdict = judge([size, before.size], path, partial(_apart, dim, before.dim))
            if verdict is not None:
                yield _fault(called, program, given, before, *verdict)


def _fault(
    called: Called, program: Program, given: Given, before: Given, sure: Confidence, values: list[Value]
) -> Fault:
    name, place, index, dim = given.part.name, span_of(called.event, given.part.place), given.index, given.dim
    got, there = (v.value if isinstance(v, Const) else None for v in values)
    other = span_of(called.event, before.part.place)
    elsewhere = (Related(other, f"size {there} here"),) if other != place else ()
    raises = not called.packaged or (called.checked is True and called.event.versions <= COMPARES)
    effect = "the call raises" if raises else MISREAD
    return Fault(
        (name, index),
        place,
        f"dimension {index} of {name} is {dim.name} and has size {got}, and dimension {before.index} of "
        f"{before.part.name}, which is {before.dim.name}, has size {there}: {effect}",
        f"size {got} here",
        "give sizes that go together, or a Dim of its own to each",
        Outcome.RAISES_AT_CALL if raises else Outcome.SILENTLY_WRONG,
        sure,
        (*elsewhere, Related(dim.span or program.span, "declared here"), *made_elsewhere(given.part.given, place)),
    )


def _rootless(
    called: Called, program: Program, given: Given, root: str, sure: Confidence, values: list[Value]
) -> Fault:
    """A size that no root gives: a package rounds it down, and the module of a program does not mind."""
    name, place, index, dim = given.part.name, span_of(called.event, given.part.place), given.index, given.dim
    got = values[0].value if isinstance(values[0], Const) else None
    raises = called.checked is True and called.event.versions <= COMPARES
    return Fault(
        (name, index),
        place,
        f"dimension {index} of {name} is {dim.name} and has size {got}, which no whole {root} gives: "
        + ("the call raises" if raises else "nothing checks it, the result has another size"),
        f"size {got} here",
        "give a size that the formula has",
        Outcome.RAISES_AT_CALL if raises else Outcome.SILENTLY_WRONG,
        sure,
        (Related(dim.span or program.span, "declared here"), *made_elsewhere(given.part.given, place)),
    )


def _has_no_root(dim: DimValue, values: list[Value]) -> bool | None:
    size = values[0]
    if not isinstance(size, Const) or not isinstance(size.value, int):
        return None
    return (size.value - dim.offset) % dim.scale != 0


def _apart(dim: DimValue, earlier: DimValue, values: list[Value]) -> bool | None:
    """Whether two sizes come from no common root: of a dimension, and of an earlier one that has the same root."""
    found = [v.value for v in values if isinstance(v, Const) and isinstance(v.value, int)]
    if len(found) != len(values):
        return None
    return (found[0] - dim.offset) * earlier.scale != (found[1] - earlier.offset) * dim.scale
