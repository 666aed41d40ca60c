"""Where a forward raises because of what it is given.

What it raises whatever it is given, it raises by something else that we know of it: that may be wrong. So it is run
once more with inputs of which nothing is known, and what it raises then, too, does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from aoti_lint.diagnostics import Span
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.state import Budget, Trace
from aoti_lint.models.export.tracing import OPEN_STEPS
from aoti_lint.models.modules import forwards
from aoti_lint.values.call import Call
from aoti_lint.values.events.forwards import Raised
from aoti_lint.values.meter import BudgetSpent
from aoti_lint.values.values import Compilation, Unknown, Value


def unknown_inputs(m: Machine, model: Value, given: Call) -> Call:
    """The call of a model with inputs of which nothing is known.

    What is not given has its default, which is known of the inputs as well.
    """
    left = {name for name, _ in forwards.defaults(m, model)}
    left -= {name for name, _ in (forwards.parameters(m, model) or ())[: len(given.args)]}
    return replace(
        given,
        args=[Unknown(f"u{m.fresh()}", "an input") for _ in given.args],
        kwargs={name: Unknown(f"u{m.fresh()}", "an input") for name in {**given.kwargs, **dict.fromkeys(sorted(left))}},
    )


def by_inputs(first: Trace, blind: Trace) -> tuple[Raised, ...]:
    """What the `first` run raised because of its inputs; `blind` is the run with unknown ones."""
    if blind.unended:
        return ()
    anyway = [(one.span, one.path) for one in blind.raised]
    refused = {one.span for one in blind.raised if one.why}
    ours = (one for one in first.raised if not (one.why and one.span in refused))
    return tuple(one for one in ours if (one.span, one.path) not in anyway)


def of_compiled(
    m: Machine, call: Call, by: Compilation, model: Value, run: Callable[[Call], Value]
) -> dict[str, tuple[Any, ...]]:
    """What compiled code raises for what `call` gives it, as parts of a `CompiledCall`."""
    first = _traced(m, by, m.span(call.node), lambda: run(call))
    told: dict[str, tuple[Any, ...]] = {} if first.unended else {"sizes": tuple(first.sizes)}
    if first.raised and not first.unended:
        blind = _traced(m, by, None, lambda: run(unknown_inputs(m, model, call)))
        told["raised"] = by_inputs(first, blind)
    return told


def aside(m: Machine, by: Compilation, run: Callable[[], Value], **around: Any) -> bool:
    """Run compiled code once more within bounds, which tells nobody; whether that ended. What it changes is undone.

    `around` are the parts of the root that are other ones then.
    """
    budget = Budget(OPEN_STEPS, aside=m.root.budget.aside)
    root = m.root.within(muted=m.root.muted + 1, budget=budget, compiling=[by], **around)
    with suppress(BudgetSpent, RecursionError), m.running(root, m.demand.tried()):
        run()
        return True
    return False


def _traced(m: Machine, by: Compilation, place: Span | None, run: Callable[[], Value]) -> Trace:
    """What a run of compiled code comes by."""
    made = Trace(export=place)
    made.unended = not aside(m, by, run, trace=made)
    return made
