"""Why a call of a compiled or exported model could not be judged: what is not known of it, traced back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.interp.archives import called_archive
from aoti_lint.interp.events import CallEvent
from aoti_lint.interp.linking import programs_of
from aoti_lint.interp.models.tracing import flat_tensors
from aoti_lint.interp.shapes import inputs
from aoti_lint.interp.values import Const, Device, Loaded, Program, Sym, Tensor, Unknown, Value

if TYPE_CHECKING:
    from aoti_lint.interp.facts import Facts


def reasons(facts: Facts, event: CallEvent) -> Iterator[str]:
    """What is not known of one call: the program behind it, its examples, the arguments."""
    candidates = programs_of(facts, event.target, event)
    archived = called_archive(facts, event) is not None
    if not candidates and not archived:
        given = event.target.file.given if isinstance(event.target, Loaded) else None
        named = f" of {given.value}" if isinstance(given, Const) else ""
        yield f"no compile{named} was seen, so what is called is not known"
    for candidate in () if archived else candidates:
        program = candidate.value
        if not isinstance(program, Program):
            yield f"the program that is called is not known{why(program)}"
        elif not any(True for _ in inputs(program)):
            lost = next((leaf for leaf in flat_tensors(program.args) if not isinstance(leaf, Tensor)), program.args)
            yield f"the example inputs of the program are not known{why(lost)}"
        else:
            yield from (f"the example of {one.name}: {gap}" for one in inputs(program) for gap in gaps(one.tensor))
    for i, value in enumerate(event.args):
        if isinstance(value, Tensor):
            yield from (f"argument {i}: {gap}" for gap in gaps(value))
        elif isinstance(value, Unknown | Sym):
            yield f"argument {i} is not known{why(value)}"


def gaps(tensor: Tensor) -> Iterator[str]:
    """What is not known of a tensor."""
    if not isinstance(tensor.device, Device):
        yield f"its device is not known for sure{why(tensor.device)}"
    if tensor.shape is None:
        yield "its shape is not known"
    else:
        yield from (f"its size in dimension {i} is not known{why(s)}" for i, s in enumerate(tensor.shape) if vague(s))


def vague(size: Value) -> bool:
    return not isinstance(size, Const)


def why(value: Value) -> str:
    """The reason an unknown carries, as the end of a sentence."""
    reason = value.reason if isinstance(value, Unknown) else value.origin if isinstance(value, Sym) else ""
    return f": {reason}" if reason else ""


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
