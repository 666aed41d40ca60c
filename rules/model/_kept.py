"""What the rules about models share: which export is behind what is compiled, and how sure a way is."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from aoti_lint.rule import Cond, Confidence, Facts, Span, VersionSet, usual
from aoti_lint.rule.events import CallEvent, CompileEvent, Event, SaveEvent
from aoti_lint.rule.links import written_to
from aoti_lint.rule.values import Package, Program, ProgramModule, Value, leaves

RUN_ON = VersionSet.since("2.13")
"""The release on which it was run what compiled programs make of state, and those after it."""


def exports_kept(event: Event) -> Iterator[Span]:
    """Where what is compiled or saved was exported."""
    if isinstance(event, CompileEvent | SaveEvent):
        yield from _exports_of(event, written_to(event)[1])


def exports_called(event: CallEvent) -> Iterator[Span]:
    """Where the programs were exported whose modules a script calls."""
    if any(isinstance(one, ProgramModule) for _, one in leaves(event.target, event.path)):
        yield from _exports_of(event, event.target)


def _exports_of(event: Event, value: Value) -> Iterator[Span]:
    todo = [value]
    while todo:
        for _, one in leaves(todo.pop(), event.path):
            if isinstance(one, Package | ProgramModule):
                todo.append(one.program)
            elif isinstance(one, Program):
                yield one.span


def packaged(facts: Facts, exports: Container[tuple[str, Span]]) -> Iterator[tuple[CompileEvent, Span]]:
    """The compiles of packages, each with the place of an export among `exports` that it compiles."""
    for event in facts.of(CompileEvent):
        package = event.package
        if isinstance(package, Package) and package.api == "torch._inductor.aoti_compile_and_package":
            for span in exports_kept(event):
                if (event.root, span) in exports:
                    yield event, span


def sure(event: Event, path: Iterable[tuple[Cond, bool]]) -> Confidence:
    """How sure it is that a forward gets where `path` leads: certain if nothing is asked that `event` does not ask."""
    extra = [(cond, answer) for cond, answer in path if event.path.get(cond) != answer]
    if any(usual(cond) != answer for cond, answer in extra):
        return Confidence.POSSIBLE
    return Confidence.LIKELY if extra else Confidence.CERTAIN
