"""What is written down about one cause of failed runs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from aoti_lint.diagnostics import Symptom


class Level(IntEnum):
    """How much a message tells. A lower one counts before a higher one."""

    CAUSE = 0
    """The message names what went wrong."""
    EFFECT = 1
    """It names what came of it: memory that is broken shows up in any later place."""
    WALL = 2
    """It stands around other messages, and says nothing if one of them is known."""
    NOTE = 3
    """A warning that is worth reading, and that ends no run."""


@dataclass(frozen=True, slots=True, eq=False)
class Cause:
    """One cause, told by what torch, C++ or the system prints.

    `name` is its name in reports. Each of `patterns` is a regular expression for one line of a log (a log is read line
    by line). `placed` are messages that Python prints for every program: each with an expression that the lines of
    the traceback above it must have. `title` says what is wrong, `why` how it comes about, `fix` what to write
    instead. `rules` are the codes of the rules that find it before the run. `rerun` are environment variables,
    `NAME=VALUE`, that make the next run tell more, and `symptom` is that of the plan which tells more, if one
    does. `source` says how the messages are known.
    """

    name: str
    title: str
    patterns: tuple[str, ...]
    why: str
    fix: str
    placed: tuple[tuple[str, str], ...] = ()
    rules: tuple[str, ...] = ()
    rerun: tuple[str, ...] = ()
    symptom: Symptom | None = None
    level: Level = Level.CAUSE
    source: str = "run on torch 2.13 (CPU)"

    @property
    def messages(self) -> tuple[str, ...]:
        """All expressions for lines."""
        return *self.patterns, *(pattern for pattern, _ in self.placed)

    def found_in(self, line: str, above: str = "") -> bool:
        """Whether a line names this cause; `above` are the lines of its traceback."""
        return any(_compiled(pattern).search(line) for pattern in self.patterns) or any(
            _compiled(pattern).search(line) and _compiled(place).search(above) for pattern, place in self.placed
        )


def innermost(path: str) -> str:
    """An expression for tracebacks that end in a file of torch; `path` is an expression for its path below `torch/`."""
    return rf'File "[^"]*torch[/\\](?:{path})[^"]*", line \d+(?:(?!\n\s*File ")[\s\S])*\Z'


def generated() -> str:
    """An expression for tracebacks that end in a file that Inductor wrote."""
    return r'File "[^"]*torchinductor_[^/\\"]*[/\\][^"]*", line \d+(?:(?!\n\s*File ")[\s\S])*\Z'


def outside(path: str) -> str:
    """An expression for tracebacks that end elsewhere than in a file of torch, and for messages without a traceback."""
    return (
        rf'\A(?![\s\S]*\bFile ")'
        rf'|File "(?![^"]*torch[/\\](?:{path}))[^"]*", line \d+(?:(?!\n\s*File ")[\s\S])*\Z'
    )


_COMPILERS = "_dynamo|_export|_functorch|_higher_order_ops|_inductor|_subclasses|export|fx|onnx"

COMPILED = rf'File "[^"]*torch[/\\](?:{_COMPILERS})[/\\]'
"""An expression for tracebacks that go through the compilers of torch."""

TRACED = rf'\A(?![\s\S]*\bFile ")|{COMPILED}'
"""An expression for tracebacks that go through the compilers of torch, and for messages without a traceback."""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
