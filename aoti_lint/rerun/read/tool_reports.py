"""Reads what aoti-lint's own `probe` and `verify` say of what a run left behind, and the tensors that it saved."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from typing import Any

from aoti_lint.rerun.plan.plan import Step
from aoti_lint.rerun.read.evidence import Evidence
from aoti_lint.rerun.read.printed_values import Seen
from aoti_lint.rerun.result import Culprit, Launch, Place, Values, place_at
from aoti_lint.rerun.wrapper.calls import short
from aoti_lint.rerun.wrapper.launches import Program
from aoti_lint.tensors import dumps

OF_THE_MODEL = {"random": "random results", "training mode": "training mode"}
"""Verdicts of `verify` on the model itself, whatever was compiled from it, and what they are called."""
_LINE = re.compile(r"\((\S+\.py):(\d+)\)")
SPEAKS_JSON = ("probe", "verify")
NO_FAKE = "AOTI401"
"""What `probe` says of an operator without a fake: nothing that calls one is exported, so no package runs it."""


def speaking(step: Step) -> Step:
    """The step as it can be started here and read, if it is one of our own tools: its name may be on no path."""
    first, *words = step.command
    if step.phase != "tool" or first != "aoti-lint":
        return step
    form = ("--output-format", "json") if words[0] in SPEAKS_JSON else ()
    return step.model_copy(update={"command": (sys.executable, "-m", "aoti_lint", *words, *form)})


def report(lines: Sequence[str]) -> dict[str, Any] | None:
    """The JSON document in a log, which has what the tool said of its progress before it."""
    for number, line in enumerate(lines):
        if line.startswith("{"):
            try:
                found, _ = json.JSONDecoder().raw_decode("\n".join(lines[number:]))
            except ValueError:
                continue
            return found if isinstance(found, dict) else None
    return None


def well(seen: Evidence, good: str) -> str:
    """What to say of a tool that names no fault: that all is `good`, if it came to its end and looked at something."""
    if report(seen.lines) is not None:
        return good
    error = next((line for line in reversed(seen.lines) if "error: " in line), seen.how)
    return f"{' '.join(seen.step.command[:2])} could not tell: {error.rpartition('error: ')[2]}"


def probed(seen: Evidence, *, exporting: bool) -> list[Culprit]:
    """The operators whose fakes are at odds with their kernels; where it is the export that fails, also those that
    have none."""
    found = []
    for op in (report(seen.lines) or {}).get("ops", ()):
        faults = [
            one for one in op.get("findings", ())
            if one.get("level") == "fault" and (exporting or one.get("rule") != NO_FAKE)
        ]  # fmt: skip
        if faults:
            first = faults[0]
            spot = first.get("place") or op.get("fake")
            found.append(
                Culprit(
                    kind="op", name=op["name"].partition(".")[0], what=first["text"], sure=True,
                    place=None if not spot else Place(
                        path=spot["file"], line=spot["line"], function=spot["function"], text=spot["text"],
                    ),
                    rules=tuple(sorted({one["rule"] for one in faults if one.get("rule")})),
                )
            )  # fmt: skip
        elif op.get("status") in ("crashed", "hung"):
            what = f"its kernel {op['status']} when it was run alone: {op.get('error', '')}"
            found.append(Culprit(kind="op", name=op["name"].partition(".")[0], what=what, sure=True))
    return found


def verified(seen: Evidence) -> list[Culprit]:
    """The package, where it is at odds with its program inside the contract; or the model, where both are what nothing
    can be compared with."""
    failures = (report(seen.lines) or {}).get("failures", ())
    found = []
    for one in failures[:1]:
        case = f" ({one['smallest']})" if one.get("smallest") else ""
        fix = one.get("why") or ""
        if one.get("verdict") in OF_THE_MODEL:
            spot = _LINE.search(one["text"])
            found.append(
                Culprit(
                    kind="code", name=OF_THE_MODEL[one["verdict"]], what=one["text"] + case, sure=True, fix=fix,
                    place=place_at(spot[1], int(spot[2])) if spot is not None else None,
                )
            )  # fmt: skip
            continue
        what = f"on inputs inside its contract it is at odds with its program: {one['text']}{case}"
        found.append(Culprit(kind="package", name="package", sure=True, what=what, fix=fix))
    return found


def saved(folder: str, program: Program) -> list[Seen]:
    """The launches whose arguments were saved, in the order of the source.

    A kernel that is launched twice with the same argument wrote over its own file: nobody knows which launch that is
    of, and it is left out. Raises `CannotRun` if they cannot be read.
    """
    found: dict[int, Seen] = {}
    for dump in dumps.read(folder):
        name = dump.name
        launches = [one for one in program.launches if short(one.name) == short(name.kernel)
                    and name.argument in (*one.reads, *one.writes)]  # fmt: skip
        if len(launches) != 1 or dump.stats is None:
            continue
        seen = found.setdefault(launches[0].number, Seen(launches[0]))
        if name.when == "after":
            seen.after.append(_values(dump, fresh=False))
        else:
            seen.before.append(_values(dump, fresh=_unwritten(name.argument, launches[0], program)))
    return [seen for _, seen in sorted(found.items())]


def _unwritten(argument: str, launch: Launch, program: Program) -> bool:
    """Whether nothing had written to a buffer when a launch was given it."""
    return argument.startswith("buf") and program.producer(argument, launch.number) is None


def _values(dump: dumps.Dump, *, fresh: bool) -> Values:
    stats = dump.stats
    assert stats is not None
    return Values(
        argument=dump.name.argument, when="before" if dump.name.when == "before" else "after", dtype=stats.dtype,
        shape=stats.shape, device=dump.name.device, low=stats.low, high=stats.high, mean=stats.mean, nan=stats.nan,
        inf=stats.inf, bars=stats.bars, bad=stats.bad and not fresh, fresh=fresh,
        masked=bool(stats.inf) and not stats.nan and not stats.positive,
    )  # fmt: skip
