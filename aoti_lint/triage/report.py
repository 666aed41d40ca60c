"""Says what was found in a log, as text and as JSON."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from aoti_lint.quoting.shell import command, path
from aoti_lint.report.output import width_of
from aoti_lint.triage.cause import Level

if TYPE_CHECKING:
    from aoti_lint.report.styled import Line
    from aoti_lint.triage.cause import Cause
    from aoti_lint.triage.diagnose import Diagnosis, Finding
    from aoti_lint.triage.log import Frame

SCHEMA = "aoti-lint/triage/1"
SHOWN = 3
"""Causes that are said in full; further ones with their titles."""
WIDTH = 100
"""Columns of explanations."""
QUOTED = 200
"""Characters of a log's line that are shown."""


def text(name: str, found: Diagnosis) -> Iterator[Line]:
    """The report for people."""
    if not found.causes:
        yield from _unknown(name, found)
    told = [one for one in found.causes if one.cause.level is not Level.WALL][:SHOWN] or found.causes[:1]
    for number, one in enumerate(told):
        if number:
            yield []
        yield from _cause(name, one, found.log.started(one.at), first=not number)
    yield from _kernels(found)
    further = [one for one in found.causes if one not in told]
    if further or found.notes:
        yield []
        yield [("Also in the log:", "name")]
    for one in (*further, *found.notes):
        yield [(f"  {name}:{one.at}  ", "related"), (one.cause.title, "")]


def _cause(name: str, one: Finding, script: str | None, *, first: bool) -> Iterator[Line]:
    cause = one.cause
    yield [
        (f"{'cause' if first else 'also'}[{cause.name}]", "error" if first else "warning"),
        (f": {cause.title}", "message"),
    ]
    times = f" ({one.times} times, the last one)" if one.times > 1 else ""
    yield [("  log:  ", "gutter"), (f"{name}:{one.at}{times}: {_cut(one.text)}", "")]
    if one.frame is not None:
        yield [("  code: ", "gutter"), (_place(one.frame), "related")]
    for item in one.diagnostics:
        place = f"{item['filename']}:{item['location']['row']}"
        yield [("  here: ", "gutter"), (place, "related"), (f" {item['code']} {item['message']}", "")]
    yield from wrapped("why", cause.why)
    yield from wrapped("do", cause.fix)
    if not one.diagnostics and cause.rules:
        yield [("  rule: ", "gutter"), (f"{', '.join(cause.rules)} (aoti-lint explain {cause.rules[0]})", "")]
    yield from wrapped("rule", unseen(cause))
    if cause.rerun:
        settings = " ".join(cause.rerun)
        again = f"{settings} {command(['python', path(script)])}" if script else f"what failed, with {settings}"
        yield [("  next: ", "gutter"), (again, "")]


def unseen(cause: Cause) -> str:
    """That no rule finds a cause before the run, and why; nothing where one does."""
    return f"none finds this before the run. {cause.unseen}" if cause.unseen else ""


def wrapped(label: str, words: str, indent: str = "  ") -> Iterator[Line]:
    """Sentences under a label or a sign, in lines of `WIDTH` columns; nothing for none."""
    head = f"{label + ':':<6}" if label.isalpha() else f"{label} "
    width = min(WIDTH, width_of(sys.stdout) - len(indent) - len(head))
    for number, line in enumerate(textwrap.wrap(words, width, break_long_words=False, break_on_hyphens=False)):
        yield [(indent + (head if not number else " " * len(head)), "gutter"), (line, "")]


def _kernels(found: Diagnosis) -> Iterator[Line]:
    kernels = found.kernels
    if kernels.unfinished is not None:
        yield []
        yield [(f"The kernel that began and did not end: {kernels.unfinished}", "message")]
    elif kernels.last is not None and found.causes:
        yield []
        yield [(f"The last kernel that ended: {kernels.last}", "message")]
        yield [("  What came after it prints nothing: a custom operator, or the end of the model.", "")]


def _unknown(name: str, found: Diagnosis) -> Iterator[Line]:
    if not found.log.lines:
        yield [(f"{name} is empty.", "message")]
        return
    yield [("Nothing in this log is known here.", "message")]
    if found.log.last_error:
        yield [("  The last error in it: ", "gutter"), (_cut(found.log.last_error), "")]
        if (frame := found.log.users_line(found.log.last_error_at)) is not None:
            yield [("  Your code there:      ", "gutter"), (_place(frame), "related")]
    yield [("  Run again with TORCH_SHOW_CPP_STACKTRACES=1 PYTHONUNBUFFERED=1 for more.", "")]


def _place(frame: Frame) -> str:
    return f"{frame.path}:{frame.row}" + (f" in {frame.function}" if frame.function else "")


def _cut(line: str) -> str:
    return line if len(line) <= QUOTED else line[:QUOTED] + "…"


def document(name: str, found: Diagnosis) -> dict[str, Any]:
    """The report for programs."""
    return {
        "format": SCHEMA,
        "schema": SCHEMA,
        "log": name,
        "lines": found.log.lines,
        "causes": [entry(one) for one in found.causes],
        "notes": [entry(one) for one in found.notes],
        "kernels": {"unfinished": found.kernels.unfinished, "last": found.kernels.last},
        "last_error": found.log.last_error or None,
        "last_error_code": _code(found.log.users_line(found.log.last_error_at)) if found.log.last_error else None,
    }


def entry(one: Finding) -> dict[str, Any]:
    """A cause as the JSON report has it."""
    cause = one.cause
    return {
        "cause": cause.name,
        "title": cause.title,
        "level": cause.level.name.lower(),
        "line": one.at,
        "text": one.text,
        "times": one.times,
        "code": _code(one.frame),
        "why": cause.why,
        "fix": cause.fix,
        "rules": list(cause.rules),
        "unseen": cause.unseen,
        "symptom": cause.symptom,
        "rerun": list(cause.rerun),
        "diagnostics": list(one.diagnostics),
    }


def _code(frame: Frame | None) -> dict[str, Any] | None:
    return None if frame is None else {"path": frame.path, "line": frame.row, "function": frame.function or None}
