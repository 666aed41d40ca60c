"""What a file outside Python says, as rows of JSON's types, so that it need not be read again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aoti_lint.diagnostics import Span
from aoti_lint.source.settings.model import Assignment, Settings, Start


def rows_of(settings: Settings) -> list[Any]:
    """What `settings_of` makes the same of. `settings` are finished."""
    numbers: dict[Assignment, int] = {}

    def row(one: Assignment) -> int:
        return numbers.setdefault(one, len(numbers))

    lists = [[row(one) for one in each] for each in (settings.assignments, settings.unheard)]
    starts = [
        [one.command, one.span.start, one.span.end, one.words, one.conditional,
         [[name, row(made)] for name, made in one.variables.items()]]
        for one in settings.starts
    ]  # fmt: skip
    made = [[one.name, one.value, one.span.start, one.span.end, one.command, one.conditional] for one in numbers]
    return [settings.packed, made, *lists, starts, [[one.start, one.end] for one in settings.gaps]]


def settings_of(path: str, rows: Sequence[Any]) -> Settings:
    """The settings of the file at `path`, of which `rows_of` made these rows."""
    packed, made, assignments, unheard, starts, gaps = rows
    every = [
        Assignment(name, value, Span(path, start, end), command, conditional)
        for name, value, start, end, command, conditional in made
    ]
    return Settings(
        path,
        packed,
        [every[number] for number in assignments],
        [every[number] for number in unheard],
        [
            Start(command, Span(path, start, end), {name: every[number] for name, number in variables},
                  None if words is None else tuple(words), conditional)
            for command, start, end, words, conditional, variables in starts
        ],
        [Span(path, start, end) for start, end in gaps],
    )  # fmt: skip
