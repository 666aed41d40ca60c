"""AOTI338."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Confidence, Outcome, Path, Related, Verdict, VersionSet, judge
from aoti_lint.rule.events import ExportEvent, SizeGuard
from aoti_lint.rule.inputs import Beside, span_of
from aoti_lint.rule.shapes import LEAST, Expr, guard_holds, non_strict, refuses
from aoti_lint.rule.values import Const, Program, Value

from ._calls import Called, CallRule, Fault, sizes
from ._guards import OF_PYTHON, sure, written

CHECKED = VersionSet.since("2.9")
"""Releases whose `ep.module()` checks what tracing found out of sizes (sources of 2.8.0 and 2.9.1, `_guards_fn`)."""
KINDS = frozenset({"branch", "fit", "reshape", "bound", "range", "items", "steps", "points"})
"""The kinds of guards that are checked, and those of `OF_PYTHON` in an export without `strict=True`."""
OPEN = frozenset({"AUTO", "DYNAMIC"})


class GuardBrokenByCall(CallRule):
    """A call gives sizes that the forward, as it was traced, cannot take: it branched on them, or they have to fit.

    What happens:
        Since torch 2.9 `ep.module()` raises `AssertionError: Guard failed: x.size()[0] % 2 == 0`; before, it goes on. A
        package checks nothing of this: it goes the way of the example, with wrong results, or reads outside an input.

    Why:
        `Dim.AUTO` and `Dim.DYNAMIC` let tracing find out what holds for a size. Where the forward asks something of it,
        adds two tensors, or loops over it in Python, the program holds only for sizes that give the same answer as the
        example.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return x + y

        rows = {0: torch.export.Dim.AUTO}
        program = torch.export.export(Net(), (torch.randn(3, 4), torch.randn(3, 4)), dynamic_shapes=(rows, rows))
        program.module()(torch.randn(5, 4), torch.randn(6, 4))  # <- AOTI338

        class Steps(torch.nn.Module):
            def forward(self, x):
                return torch.stack([x[:, step] * step for step in range(x.shape[1])], 1)

        both = {0: torch.export.Dim.AUTO, 1: torch.export.Dim.AUTO}
        program = torch.export.export(Steps(), (torch.randn(3, 6),), dynamic_shapes={"x": both})
        program.module()(torch.randn(3, 9))  # <- AOTI338

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x, y):
                return x + y

        rows = {0: torch.export.Dim.AUTO}
        program = torch.export.export(Net(), (torch.randn(3, 4), torch.randn(3, 4)), dynamic_shapes=(rows, rows))
        program.module()(torch.randn(5, 4), torch.randn(5, 4))

    How to debug:
        `print(program.module().code)` lists what is checked at the beginning of its forward.

    Sources:
        Run on torch 2.13, with and without `strict=True`, 40 forwards (this project's tests).
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI338"
    name = "guard-broken-by-call"
    outcome = Outcome.SILENTLY_WRONG

    def faults(self, called: Called, program: Program, path: Path) -> Iterator[Fault]:
        export = called.export_of(program)
        if export is None or refuses(program, export.open_sizes, export.guards, export.path):
            return
        given = {(part.name, index): (part, size) for part, _, index, size in sizes(called, program)}
        found: dict[Expr, tuple[Beside, Value]] = {}
        for one in export.open_sizes:
            if one.dim.kind in OPEN and (one.name, one.index) in given:
                found[one.root] = given[one.name, one.index]
        for guard in export.guards:
            roots = list(dict.fromkeys((*guard.left.roots, *guard.right.roots)))
            reached = sure(export, guard)
            checked = (
                guard.kind in KINDS
                or (guard.kind == "walk" and called.raises)
                or (guard.kind in OF_PYTHON and export.versions <= non_strict(program))
            )
            if not checked or reached is None or not roots or not found.keys() >= {*roots}:
                continue
            if guard.kind == "bound" and guard.right == Expr("const", LEAST):
                continue  # tracing takes every size for at least that, and nothing checks it
            verdict = judge([found[root][1] for root in roots], path, partial(_breaks, guard, roots))
            if verdict is None or verdict[0] is Confidence.POSSIBLE:
                continue
            yield _fault(called, export, guard, found[roots[-1]][0], verdict)
            return


def _breaks(guard: SizeGuard, roots: list[Expr], values: list[Value]) -> bool | None:
    """Whether a guard does not hold for these sizes."""
    known = [one.value for one in values if isinstance(one, Const) and type(one.value) is int]
    if len(known) < len(roots):
        return None
    holds = guard_holds(guard, dict(zip(roots, known, strict=True)))
    return None if holds is None else not holds


def _fault(called: Called, export: ExportEvent, guard: SizeGuard, part: Beside, verdict: Verdict) -> Fault:
    asked = f"{written(export, guard.left)} {guard.op} {written(export, guard.right)}"
    said = " and ".join(str(one.value) for one in verdict[1] if isinstance(one, Const))
    return Fault(
        guard.span,
        span_of(called.event, part.place),
        f"the program was traced for {asked}, which the sizes of this call ({said}) break: {called.effect}",
        "called with it here",
        "call it with sizes for which this holds; or write the forward so that it holds for all",
        called.outcome,
        verdict,
        (Related(guard.span, "asked here"), Related(export.span, "exported here")),
        failing=CHECKED if called.raises else None,
    )
