"""Sizes of 0 and 1 for which the compiled code reads what is not there."""

from __future__ import annotations

from collections.abc import Mapping

from aoti_lint.program import facts
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.symbolic import Symbol as _Symbol
from aoti_lint.program.symbolic import evaluate, parse, symbols


def least_for_slices(program: facts.Program, least: Mapping[str, int]) -> tuple[dict[str, int], list[str]]:
    """`least`, raised where a slice would be shorter than the program says; and why.

    Export takes every dynamic size to be 2 or more, also after `Dim(min=1)`: the result of `x[:2]` has 2 rows. For one
    row `ep.module()` gives one, and the compiled code reads two.
    """
    raised = dict(least)
    reasons: dict[str, str] = {}
    for call in program.calls:
        if call.target != "aten.slice.Tensor" or not call.inputs or not call.outputs:
            continue
        before, after = program.tensors.get(call.inputs[0]), program.tensors.get(call.outputs[0])
        if before is None or after is None:
            continue
        cut = _cut(call.args, before, after)
        if cut is None:
            continue
        name, old, new, where = cut
        for value in range(raised.get(name, 2), 2):
            size, stated = (evaluate(parse(str(text)), {_Symbol(name): value}) for text in (old, new))
            if not isinstance(size, int) or size < 0 or len(range(size)[where]) != stated:
                raised[name] = value + 1
                line = call.place.text if call.place is not None else ""
                at = f": a slice in the line `{line}`" if line else ": a slice"
                reasons[name] = f"{name} must be {value + 1} or more{at} was compiled for that."
    return raised, list(reasons.values())


def _cut(
    args: Mapping[str, str], before: facts.Tensor, after: facts.Tensor
) -> tuple[str, facts.Size, facts.Size, slice] | None:
    """Symbol, size before and after, and what is cut out; None where that is not in numbers and one symbol."""
    try:
        dim = int(args.get("dim", "0"))
        start, end, step = (
            None if args.get(key, "None") == "None" else int(args[key]) for key in ("start", "end", "step")
        )
        old, new = before.shape[dim], after.shape[dim]
        names = symbols(parse(str(old))) if isinstance(old, str) else set()
        if len(names) != 1 or (isinstance(new, str) and not symbols(parse(new)) <= names):
            return None
    except (ValueError, IndexError, Unreadable):
        return None
    return next(iter(names)), old, new, slice(start, end, step)
