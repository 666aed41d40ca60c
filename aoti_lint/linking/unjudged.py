"""Calls of compiled or exported models that could not be judged."""

from __future__ import annotations

from aoti_lint.linking.archives import called_archive
from aoti_lint.linking.artefacts import programs_of
from aoti_lint.machine.facts import Facts
from aoti_lint.values.events.packages import CallEvent
from aoti_lint.values.sizes.shapes import inputs
from aoti_lint.values.torch_values import Program


def unjudged(facts: Facts) -> int:
    """How many places call a model of which no program, or no example input, is known."""
    places = {
        event.span
        for event in facts.of(CallEvent)
        if event.span.path in facts.project.reported
        and called_archive(facts, event) is None
        and not any(
            isinstance(c.value, Program) and any(True for _ in inputs(c.value))
            for c in programs_of(facts, event.target, event)
        )
    }
    return len(places)


def summary(facts: Facts) -> str | None:
    """What the summary says of them; None where there are none."""
    missed = unjudged(facts)
    if not missed:
        return None
    what = "1 call of a compiled or exported model" if missed == 1 else f"{missed} calls of compiled models"
    return f"{what} could not be checked; --why-silent LINE says why"
