"""What the rules about models share: which export is behind what is compiled, and how sure a way is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aoti_lint.diagnostics import Confidence, Span
from aoti_lint.interp.conditions import Cond, usual
from aoti_lint.interp.events import CompileEvent, Event, SaveEvent
from aoti_lint.interp.values import Package, Program, ProgramModule, Value, leaves


def exports_kept(event: Event) -> Iterator[Span]:
    """Where what is compiled or saved was exported."""
    kept: Value | None = None
    if isinstance(event, CompileEvent):
        kept = event.package
    elif isinstance(event, SaveEvent):
        kept = event.program
    todo = [kept] if kept is not None else []
    while todo:
        for _, one in leaves(todo.pop(), event.path):
            if isinstance(one, Package | ProgramModule):
                todo.append(one.program)
            elif isinstance(one, Program):
                yield one.span


def sure(event: Event, path: Iterable[tuple[Cond, bool]]) -> Confidence:
    """How sure it is that a forward gets where `path` leads: certain if nothing is asked that `event` does not ask."""
    extra = [(cond, answer) for cond, answer in path if event.path.get(cond) != answer]
    if any(usual(cond) != answer for cond, answer in extra):
        return Confidence.POSSIBLE
    return Confidence.LIKELY if extra else Confidence.CERTAIN
