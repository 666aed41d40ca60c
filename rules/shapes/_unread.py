"""What the rules on unread names share: the exports that a `Dim` or a `dynamic_shapes` could have been for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from aoti_lint.rule import Facts
from aoti_lint.rule.events import ExportEvent, ShapesUnread
from aoti_lint.rule.values import NONE, Program


def unread(facts: Facts) -> Iterator[ShapesUnread]:
    """Every name that holds a `Dim` or what is made of some, and that no code reads; each once."""
    told = set()
    for event in facts.of(ShapesUnread):
        key = (event.scope, event.name)
        if key not in told and not event.expected and not (event.whole and _elsewhere(facts, event)):
            told.add(key)
            yield event


def _elsewhere(facts: Facts, event: ShapesUnread) -> bool:
    """Whether another file may read a variable of this one: it names both."""
    path = event.span.path
    module = PurePosixPath(path).parent.name if path.endswith("__init__.py") else PurePosixPath(path).stem
    both = set(facts.project.mentions(event.name).files) & set(facts.project.mentions(module).files)
    return bool(both - {path})


def programs_there(facts: Facts, event: ShapesUnread) -> list[Program]:
    """The programs that are exported in the function or file of the name, or by what is called there."""
    scope = event.scope
    found: dict[object, Program] = {}
    for export in facts.of(ExportEvent):
        spans = (export.span, *export.chain)
        if isinstance(export.program, Program) and any(
            one.path == scope.path and scope.start <= one.start and one.end <= scope.end for one in spans
        ):
            found[export.program.span, export.program.spec == NONE] = export.program
    return list(found.values())


def is_bare(program: Program) -> bool:
    """Whether nothing says that a size of a program is dynamic."""
    return program.spec == NONE and not program.marks
