"""AOTI338."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product

from aoti_lint.rule import Confidence, Outcome, Path, Related, Verdict, VersionSet, judge
from aoti_lint.rule.events import ExportEvent, SizeGuard
from aoti_lint.rule.inputs import Beside, span_of
from aoti_lint.rule.shapes import LEAST, Expr, guard_holds, non_strict, refuses
from aoti_lint.rule.values import Const, Program, Value

from ._calls import RAISED, Called, CallRule, Fault, sizes
from ._guards import OF_PYTHON, sure, written

CHECKED = VersionSet.since("2.9")
"""Releases whose `ep.module()` checks what tracing found out of sizes (sources of 2.8.0 and 2.9.1, `_guards_fn`)."""
KINDS = frozenset({"branch", "fit", "reshape", "bound", "range", "items", "steps", "points"})
"""The kinds of guards that are checked, and those of `OF_PYTHON` in an export without `strict=True`."""
OPEN = frozenset({"AUTO", "DYNAMIC"})
_SIZES = (2, 3, 4, 5, 7, 8, 12, 16, 100, 4096)
MOST_ROOTS = 2
"""The sizes, and how many of them together, for which it is tried whether a guard always holds."""
TABLE = "table"
"""The kind of guards that nothing checks, and that a call fails by, whatever the size was declared as."""


class GuardBrokenByCall(CallRule):
    """A call gives sizes that the forward, as it was traced, cannot take: it branched on them, or they have to fit.

    What happens:
        Since torch 2.9 `ep.module()` raises `AssertionError: Guard failed: x.size()[0] % 2 == 0`; before, it goes on. A
        package checks nothing of this: it goes the way of the example, with wrong results, or reads outside an input.
        Where more rows of a table are looked up than there are, both raise: `IndexError: index out of range in self`,
        the package `index out of bounds`.

    Why:
        `Dim.AUTO` and `Dim.DYNAMIC` let tracing find out what holds for a size. Where the forward asks something of it,
        adds two tensors, or loops over it in Python, the program holds only for sizes that give the same answer as the
        example. Numbers by which a table is looked up, as `embedding(torch.arange(x.shape[1]))` does, are not looked at
        before a call, however the size was declared.

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

        class Ranks(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.ranks = torch.nn.Embedding(16, 8)

            def forward(self, x):
                return x + self.ranks(torch.arange(x.shape[1]))

        any_length = torch.export.Dim("any_length")
        program = torch.export.export(Ranks(), (torch.randn(2, 6, 8),), dynamic_shapes={"x": {1: any_length}})
        program.module()(torch.randn(2, 17, 8))  # <- AOTI338

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
        Run on torch 2.13, with and without `strict=True`, 40 forwards (this project's tests). What holds for all sizes
        from 2 on (`x.shape[0] > 1`) is not asked, whatever the `Dim` allows: a call with 1 goes on.
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI338"
    name = "guard-broken-by-call"
    outcome = Outcome.SILENTLY_WRONG
    raised = (*RAISED, "IndexError")

    def faults(self, called: Called, program: Program, path: Path) -> Iterator[Fault]:
        export = called.facts.export_of(program)
        if export is None or refuses(program, export.open_sizes, export.guards, export.path):
            return
        given = {(part.name, index): (part, size) for part, _, index, size in sizes(called, program)}
        found = {
            one.root: given[one.name, one.index]
            for one in export.open_sizes
            if (one.name, one.index) in given and not _above(given[one.name, one.index][1], one.dim.max)
        }
        hints = {one.root for one in export.open_sizes if one.dim.kind in OPEN}
        for guard in export.guards:
            roots = list(dict.fromkeys((*guard.left.roots, *guard.right.roots)))
            reached = sure(export, guard)
            checked = (
                guard.kind in KINDS
                or (guard.kind == "walk" and called.raises)
                or (guard.kind in (*OF_PYTHON, "slice") and export.versions <= non_strict(program))
            )
            broken = guard.kind == TABLE or (checked and hints >= {*roots})
            if not broken or reached is None or not roots or not found.keys() >= {*roots}:
                continue
            of_least = guard.kind in ("bound", "slice") and guard.right == Expr("const", LEAST)
            if of_least:
                if not called.raises:
                    continue  # tracing takes every size for at least that, and no package checks it
                guard = replace(guard, op="!=", right=Expr("const", 1))  # what `ep.module()` asks for it
            verdict = judge([found[root][1] for root in roots], path, partial(_breaks, guard, roots))
            if verdict is None or verdict[0] is Confidence.POSSIBLE:
                continue
            if called.raises and not of_least and _is_given(guard, roots):
                continue  # tracing takes every size for at least two, and `ep.module()` asks nothing
            yield _fault(called, export, guard, found[roots[-1]][0], verdict)
            return


def _above(size: Value, most: Value) -> bool:
    """Whether a size is more than its Dim allows, which AOTI333 tells."""
    known = [one.value for one in (size, most) if isinstance(one, Const) and type(one.value) is int]
    return len(known) == 2 and known[0] > known[1]


def _is_given(guard: SizeGuard, roots: list[Expr]) -> bool:
    """Whether a guard holds for all sizes that tracing takes into account, as far as a few tell."""
    if len(roots) > MOST_ROOTS:
        return False
    few = product(_SIZES, repeat=len(roots))
    return all(guard_holds(guard, dict(zip(roots, sizes, strict=True))) is True for sizes in few)


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
    table = guard.kind == TABLE
    why = "looks rows up in a table, and is" if table else "was traced"
    return Fault(
        guard.span,
        span_of(called.event, part.place),
        f"the program {why} for {asked}, which the sizes of this call ({said}) break: "
        f"{'the call raises' if table else called.effect}",
        "called with it here",
        "call it with sizes for which this holds; or "
        + ("make the table larger" if table else "write the forward so that it holds for all"),
        Outcome.RAISES_AT_CALL if table else called.outcome,
        verdict,
        (Related(guard.span, "looked up here" if table else "asked here"), Related(export.span, "exported here")),
        failing=CHECKED if called.raises and not table else None,
    )
