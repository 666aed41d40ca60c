"""Decides what a log says: which causes are in it, in what order, and where in the user's code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import ModuleType
from typing import Any

from aoti_lint.triage.cause import Cause, Level, parts_of
from aoti_lint.triage.causes import FAMILIES
from aoti_lint.triage.kernels import Kernels
from aoti_lint.triage.log import Frame, Log


@dataclass(frozen=True, slots=True)
class Finding:
    """A cause that a log has. `at` is the line of the log, `text` what stands there, `times` how often it does.

    `chain` and `link` are those of the exception that the line belongs to (`log.Log`). `diagnostics` are findings of
    the rules in the sources that the log names, which explain it.
    """

    cause: Cause
    at: int
    text: str
    times: int = 1
    chain: int = 0
    link: int = 0
    frame: Frame | None = None
    diagnostics: tuple[Mapping[str, Any], ...] = ()


@dataclass(slots=True)
class Diagnosis:
    """What a log says, the likeliest cause first; `notes` are warnings that end no run."""

    causes: list[Finding] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)
    log: Log = field(default_factory=Log)
    kernels: Kernels = field(default_factory=Kernels)

    @property
    def sources(self) -> list[str]:
        """The user's files in the order of the tracebacks, the last ones first."""
        return list(dict.fromkeys(frame.path for frame in reversed(self.log.frames)))


@cache
def _any(family: ModuleType) -> re.Pattern[str]:
    """One expression for how the messages of a family begin: most lines of a log are of none."""
    return re.compile("|".join(f"(?:{parts_of(pattern)[0]})" for cause in family.CAUSES for pattern in cause.messages))


def causes_in(line: str, log: Log, families: Iterable[ModuleType] = FAMILIES) -> dict[ModuleType, Cause]:
    """The causes a line names, one of each family at most; `log` is read up to that line."""
    found: dict[ModuleType, Cause] = {}
    for family in families:
        if _any(family).search(line):
            above = log.above
            if named := [cause for cause in family.CAUSES if cause.found_in(line, above)]:
                found[family] = named[0]
    return found


def diagnose(lines: Iterable[str]) -> Diagnosis:
    """Read a log to its end.

    Causes come before effects, and these before what only stands around them. Among equals the last one counts first:
    what was caught and logged on the way stands before what ended the run. Of exceptions that caused each other the
    first one counts first: Python writes down what went wrong, then what others made of it.

    A message that is broken into several lines is also read as one, for the families that none of its lines names.
    """
    made = Diagnosis()
    found: dict[str, Finding] = {}
    told: set[ModuleType] = set()
    for at, text in made.log.read(lines):
        log = made.log
        made.kernels.look(at, text)
        causes = causes_in(text, log)
        told = told | set(causes) if log.message else set(causes)
        if log.message:
            broken = causes_in(log.message, log, [family for family in FAMILIES if family not in told])
            told |= set(broken)
            causes |= broken
        for cause in causes.values():
            known = found.pop(cause.name, None)
            times = 1 if known is None else known.times + 1
            found[cause.name] = Finding(cause, at, text.strip(), times, log.chain, log.link)
    ordered = sorted(found.values(), key=lambda one: (one.cause.level, -one.chain, one.link, -one.at))
    placed = [replace(one, frame=made.log.users_line(one.at)) for one in ordered]
    made.notes = [one for one in placed if one.cause.level is Level.NOTE]
    made.causes = [one for one in placed if one.cause.level is not Level.NOTE]
    return made


def explained(findings: Sequence[Finding], diagnostics: Sequence[Mapping[str, Any]]) -> list[Finding]:
    """The findings with the diagnostics of the rules that find their causes.

    What a rule confirms in the sources comes before what the log alone says, at the same level.
    """
    joined = [
        replace(one, diagnostics=tuple(d for d in diagnostics if d["code"] in one.cause.rules)) for one in findings
    ]
    return sorted(joined, key=lambda one: (one.cause.level, not one.diagnostics))
