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


MACHINE = "What the machine has, and how that is installed, no source says."
GPU = "Which GPU it will run on, no source says."
VALUES = "The values in the tensors decide, which only a run has."
COMPILER = "It is known once the compiler has got that far."
GRADIENTS = "What a backward does is not followed."
OBJECTS = "Objects of C++ classes are not followed."
BY_RELEASE = "Whether it fails hangs on the release, and on what comes with it; no rule looks for it."
NOT_YET = "The sources can show it, and no rule looks for it yet."


@dataclass(frozen=True, slots=True, eq=False)
class Cause:
    """One cause, told by what torch, C++ or the system prints.

    `name` is its name in reports. Each of `patterns` is a regular expression for one line of a log (a log is read line
    by line). `placed` are messages that Python prints for every program: each with an expression that the lines of
    the traceback above it must have. `title` says what is wrong, `why` how it comes about, `fix` what to write
    instead. `rules` are the codes of the rules that find it before the run, in some cases at least; where there are
    none, `unseen` says why. `rerun` are environment variables,
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
    unseen: str = ""
    rerun: tuple[str, ...] = ()
    symptom: Symptom | None = None
    level: Level = Level.CAUSE
    source: str = "run on torch 2.13 (CPU)"

    @property
    def messages(self) -> tuple[str, ...]:
        """All expressions for lines."""
        return *self.patterns, *(pattern for pattern, _ in self.placed)

    def found_in(self, line: str, above: str | None = "") -> bool:
        """Whether a line names this cause; `above` are the lines of its traceback, None where nobody looks there."""
        return any(_found(pattern, line) for pattern in self.patterns) or (
            above is not None
            and any(_found(pattern, line) and _compiled(place).search(above) for pattern, place in self.placed)
        )

    def may_say(self, line: str) -> bool:
        """Whether a line without its traceback may be of this cause."""
        return any(_found(pattern, line) for pattern in self.messages)


def innermost(path: str) -> str:
    """An expression for tracebacks that end in a file of torch; `path` is an expression for its path below `torch/`."""
    return rf'File "[^"]*torch[/\\](?:{path})[^"]*", line \d+(?!\d)(?:(?!\n[ \t]*File ")[\s\S])*\Z'


def generated() -> str:
    """An expression for tracebacks that end in a file that Inductor wrote."""
    return r'File "[^"]*torchinductor_[^/\\"]*[/\\][^"]*", line \d+(?!\d)(?:(?!\n[ \t]*File ")[\s\S])*\Z'


def last_line(pattern: str) -> str:
    """An expression for tracebacks of which the last line of code has what `pattern` says."""
    # What is repeated and what follows it have no letter in common: nothing is tried twice.
    return rf"{pattern}(?![^\n]*\n[\s~^]*[^\s~^])"


def outside(path: str) -> str:
    """An expression for tracebacks that end elsewhere than in a file of torch, and for messages without a traceback."""
    return (
        rf'\A(?![\s\S]*\bFile ")'
        rf'|File "(?![^"]*torch[/\\](?:{path}))[^"]*", line \d+(?!\d)(?:(?!\n[ \t]*File ")[\s\S])*\Z'
    )


_COMPILERS = "_dynamo|_export|_functorch|_higher_order_ops|_inductor|_subclasses|export|fx|onnx"

COMPILED = rf'File "[^"]*torch[/\\](?:{_COMPILERS})[/\\]'
"""An expression for tracebacks that go through the compilers of torch."""

TRACED = rf'\A(?![\s\S]*\bFile ")|{COMPILED}'
"""An expression for tracebacks that go through the compilers of torch, and for messages without a traceback."""


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _found(pattern: str, line: str) -> bool:
    """Whether an expression for lines is found, in time that grows with the line.

    `a.*b.*c` as one expression tries every `a` with every `b` and every `c`; here each is looked for after the first
    place of the one before.
    """
    at = 0
    for part in parts_of(pattern):
        found = _compiled(part).search(line, at)
        if found is None:
            return False
        at = found.end()
    return True


_PIECE = re.compile(r"\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|\.\*(?!\?)|.", re.DOTALL)


@cache
def parts_of(pattern: str) -> tuple[str, ...]:
    """What stands between the `.*` of an expression, outside of brackets; one with a choice there is one part."""
    parts, depth = [""], 0
    for piece in _PIECE.findall(pattern):
        depth += (piece == "(") - (piece == ")")
        if depth == 0 and piece == "|":
            return (pattern,)
        if depth == 0 and piece == ".*":
            parts.append("")
        else:
            parts[-1] += piece
    return tuple(filter(None, parts))
