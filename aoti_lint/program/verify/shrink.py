"""From a failing case to the smallest one that still fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from aoti_lint.program.verify.cases import Call, Case
from aoti_lint.program.verify.space import Space


def shrink(space: Space, case: Case, fails: Callable[[Case], bool], budget: int = 24) -> Case:
    """A case that `fails` as well, and of which nothing more could be taken away within `budget` runs.

    Taken away are calls, special values and layouts, and then sizes; what a case changes on purpose stays.
    """
    left = budget
    again = True
    tried: list[Case] = [case]
    while again and left > 0:
        again = False
        for smaller in _smaller(space, case):
            if left == 0:
                break
            if smaller in tried:
                continue
            tried.append(smaller)
            left -= 1
            if fails(smaller):
                case, again = smaller, True
                break
    return case


def _smaller(space: Space, case: Case) -> Iterator[Case]:
    """Cases with one thing less, the largest steps first."""
    calls = case.calls
    if len(calls) > 1:
        yield case.model_copy(update={"calls": calls[:1]})
        if len(calls) > 2:
            yield case.model_copy(update={"calls": calls[:2]})
        if any(call != calls[0] for call in calls):
            yield case.model_copy(update={"calls": (calls[0],) * len(calls)})
    if case.layout != "plain":
        yield case.model_copy(update={"layout": "plain"})
    if case.values != "normal":
        yield case.model_copy(update={"values": "normal"})
    if case.values == "example":
        return
    for name in space.symbols:
        yield from (case.model_copy(update={"calls": tuple(made)}) for made in _less(space, name, calls))


def _less(space: Space, name: str, calls: tuple[Call, ...]) -> Iterator[list[Call]]:
    """The calls with a smaller value of a symbol: its smallest first, then ever smaller steps."""
    top = max(call.sizes[name] for call in calls)
    low = max(space.bounds(name)[0], 1)
    for value in dict.fromkeys(
        (low, low + 1, low + 2, *(top - (top - low) // part for part in (2, 4, 8, 16)), top - 1)
    ):
        if not low <= value < top:
            continue
        made = []
        for call in calls:
            sizes = {**call.sizes, name: min(value, call.sizes[name])}
            if not space.valid(sizes):
                break
            made.append(Call(sizes=sizes, seed=call.seed))
        else:
            yield made
