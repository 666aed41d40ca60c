"""What the terminal and the page say in the same words."""

from __future__ import annotations

import os
import re
import signal
from collections import deque
from typing import Any, Final

from aoti_lint.files.opener import LOG, open_regular
from aoti_lint.quoting import shell
from aoti_lint.quoting.json import Json, of_model
from aoti_lint.rerun.result import Culprit, Launch, Place, Ran, Result, Values
from aoti_lint.rerun.run.folder import as_asked
from aoti_lint.triage.log import decoded

TAIL: Final = 25
"""Lines of a log that are shown."""
_LOG_BYTES = 64_000
_COLOURS = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")


def headline(result: Result) -> str:
    """Whether the culprit was found, in a sentence."""
    if not result.culprits:
        return "Not found: nothing that was run points at a culprit."
    first = result.culprits[0]
    if result.found and first.sure:
        return f"Found: {named(first)}"
    return f"Not proved. What was run only points at {named(first)}."


def named(one: Culprit) -> str:
    """A culprit by its kind and name."""
    return {
        "kernel": f"the kernel {one.name}",
        "op": f"the operator {one.name}",
        "input": f"the input {one.name}",
        "code": f"the code at {one.name}",
        "package": f"the package {one.name}",
        "setting": f"the setting {one.name}",
    }[one.kind]


def place(one: Place) -> str:
    """A line of the user's code, as editors open it."""
    return f"{one.path}:{one.line}" + (f" in {one.function}" if one.function else "")


def launch(one: Launch) -> str:
    """A launch with its number in the compiled model."""
    return f"{one.number}. {one.name}" + (f" ({one.kind})" if one.kind != "kernel" else "")


def kind(one: Values) -> str:
    """Dtype, shape and device of a tensor."""
    return f"{one.dtype}{list(one.shape)}" + (f" on {one.device}" if one.device else "")


def number(value: float | None) -> str:
    """A number in few digits; nothing for one that is not known."""
    return "" if value is None else f"{value:.4g}"


def bad_counts(one: Values) -> str:
    """How many NaN and infinities, as far as they were counted; nothing if there are none that are known of."""
    counted = ", ".join(f"{count} {what}" for count, what in ((one.nan, "NaN"), (one.inf, "Inf")) if count)
    if counted or not one.bad:
        return counted
    return "NaN" if one.inf == 0 else "Inf" if one.nan == 0 else "NaN or Inf"


def command(ran: Ran) -> str:
    """What to type to run it again, as a shell takes it. `settings` have no place in it."""
    return shell.command(ran.command, dict(sorted(ran.environment.items())))


def settings(ran: Ran) -> list[str]:
    """The lines of Python that set what has no variable."""
    return [
        *(f"{name} = {value!r}" for name, value in sorted(ran.config.items())),
        *(f"{name} = {other}" for name, other in sorted(ran.replace.items())),
    ]


def ended(ran: Ran) -> str:
    """How a process ended, and after how long."""
    after = f"after {ran.seconds:.1f} s"
    if ran.how == "time":
        return f"did not end, and was stopped {after}"
    if ran.how == "memory":
        return f"used more memory than it may {after}"
    if ran.how == "stopped":
        return f"interrupted {after}"
    if ran.how == "signal" or (ran.code is not None and ran.code < 0):
        return f"died of {_signal(ran.code)} {after}"
    return f"exit code {ran.code} {after}"


def went_wrong(ran: Ran) -> bool:
    """Whether it ended otherwise than well."""
    return ran.how != "ended" or ran.code != 0


def _signal(code: int | None) -> str:
    if code is None:
        return "a signal"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {abs(code)}"


def tail(folder: str, log: str, lines: int = TAIL) -> list[str]:
    """The last lines of a log, clean of what moves a cursor; none if it is not there."""
    try:
        with open_regular(os.path.join(folder, log), LOG) as file:
            file.seek(max(file.seek(0, os.SEEK_END) - _LOG_BYTES, 0))
            data = file.read()
    except (OSError, ValueError):
        return []
    kept = deque(decoded(data).splitlines(), lines)
    return [_COLOURS.sub("", as_asked(folder, line)).expandtabs(4) for line in kept]


def excluded(result: Result) -> list[str]:
    """What the stages showed, each with its name: all that is known where nothing was found."""
    return [f"{tried.title}: {shown}" for tried in result.tried for shown in tried.shows]


def causes(result: Result) -> list[dict[str, Any]]:
    """What the logs say beside what is said of the culprits: where one is found, no effects and nothing around it."""
    told = " ".join(one.what for one in result.culprits)
    return [
        one
        for one in result.causes
        if str(one.get("title")) not in told and not (result.found and one.get("level", "cause") != "cause")
    ]


def repeat_alone(result: Result) -> str:
    """The command that runs the culprit alone; nothing if there is no script for it."""
    if result.repro is None:
        return ""
    return shell.command(["python", shell.path(os.path.join(result.folder, result.repro))])


def json_text(result: Result) -> Json:
    """`report.json`."""
    return of_model(result)
