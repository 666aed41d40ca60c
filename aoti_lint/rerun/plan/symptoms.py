"""How the program fails: as it was said, as a log shows it, or as what the rules find would look like."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, get_args

from aoti_lint.diagnostics import Symptom

if TYPE_CHECKING:
    from aoti_lint.rerun.plan.phases import Work

SYMPTOMS: Final[tuple[Symptom, ...]] = get_args(Symptom)
QUOTED = 160
"""Characters of a message that are shown as a reason."""
SHOWN = 3
"""Findings that are named as reasons."""

_NAN = re.compile(r"\bnans?\b|isnan|isfinite|isinf|nan_?to_?num|not finite", re.IGNORECASE)
"""What a line holds that asks whether numbers are numbers."""
_EXTENDED = re.compile(r'TORCHDYNAMO_EXTENDED_DEBUG_(GUARD_ADDED|CREATE_SYMBOL)="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Chosen:
    """A symptom and why it was chosen. `logs` are names for TORCH_LOGS that the log asks for, `guards` and `symbols`
    what it says the extended logging of torch can explain."""

    symptom: Symptom
    reasons: tuple[str, ...] = ()
    logs: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()


def of_log(name: str, lines: Iterable[str]) -> Chosen | str:
    """The symptom that a log shows, or a sentence that says why there is none."""
    from aoti_lint.triage.diagnose import diagnose

    kept = list(lines)
    found = diagnose(kept)
    asked: dict[str, list[str]] = {"GUARD_ADDED": [], "CREATE_SYMBOL": []}
    for line in kept:
        for what, text in _EXTENDED.findall(line):
            asked[what].append(text)
    for one in found.causes:
        if one.cause.symptom is not None:
            words = [word.partition("=") for word in one.cause.rerun]
            return Chosen(
                one.cause.symptom,
                (f"{name}:{one.at}: {one.cause.title}",),
                tuple(log for key, _, value in words if key == "TORCH_LOGS" for log in value.split(",")),
                tuple(dict.fromkeys(asked["GUARD_ADDED"])),
                tuple(dict.fromkeys(asked["CREATE_SYMBOL"])),
            )
    if found.causes:
        one = found.causes[0]
        return f"{name}:{one.at} says that {one.cause.title}: no rerun shows more about that. {one.cause.fix}"
    return _own_check(name, kept) or f"nothing in {name} is known here"


def _own_check(name: str, lines: Sequence[str]) -> Chosen | None:
    """What the program says that looked at its results itself; the line above in the traceback is that of the code."""
    failed = [at for at, line in enumerate(lines) if line.startswith("AssertionError")]
    if not failed:
        return None
    at = failed[-1]
    symptom: Symptom = "nan" if any(map(_NAN.search, lines[max(at - 1, 0) : at + 1])) else "wrong-result"
    return Chosen(symptom, (f"{name}:{at + 1}: a check of its own fails: {lines[at].rstrip()[:QUOTED]}",))


def of_diagnostics(diagnostics: Sequence[Mapping[str, Any]], device: str | None) -> Chosen | None:
    """How the worst thing that the rules find would be seen; None if they find nothing that fails."""
    ranked = sorted(diagnostics, key=lambda one: (_SEVERITIES.index(one["severity"]), _SURE.index(one["confidence"])))
    seen = [(symptom, one) for one in ranked if (symptom := _seen_as(one, device)) is not None]
    if not seen:
        return None
    symptom = seen[0][0]
    reasons = [_reason(one) for other, one in seen if other == symptom]
    return Chosen(symptom, tuple(reasons[:SHOWN]))


_SEVERITIES = ("error", "warning", "info")
_SURE = ("certain", "likely", "possible")


def usual(work: Work, device: str | None) -> Chosen:
    """What is looked for where nothing says how the program fails: what its last step can end in."""
    said = "nothing says how it fails (--symptom, --from-log), and the rules find nothing that does"
    if work.runs or not work.known:
        crash: Symptom = "illegal-memory-access" if device == "cuda" else "segfault"
        return Chosen(crash, (f"{said}: taken for a crash, whose plan looks at every kernel",))
    if work.packs:
        return Chosen("compile-error", (f"{said}: it compiles and runs nothing, so the compile is looked at",))
    if work.traces:
        return Chosen("wrong-result", (f"{said}: what torch.compile makes is compared with eager",))
    return Chosen("export-error", (f"{said}: it only exports",))


def fitting(chosen: Chosen, device: str | None) -> Chosen:
    """The same for what cannot happen on a device: on the CPU, memory outside of a tensor ends in a segfault."""
    if device == "cpu" and chosen.symptom == "illegal-memory-access":
        why = "on the CPU a read outside of memory ends in a segmentation fault: the plan is the one for that"
        return replace(chosen, symptom="segfault", reasons=(*chosen.reasons, why))
    if device == "cpu" and chosen.symptom == "cuda-graph-overwrite":
        why = "there are no CUDA graphs on the CPU: if it fails on a GPU, say --device cuda"
        return replace(chosen, reasons=(*chosen.reasons, why))
    return chosen


def _seen_as(one: Mapping[str, Any], device: str | None) -> Symptom | None:
    found: Symptom | None = one["symptom"]
    return "illegal-memory-access" if found == "segfault" and device == "cuda" else found


def _reason(one: Mapping[str, Any]) -> str:
    message = one["message"]
    cut = message if len(message) <= QUOTED else message[:QUOTED] + "…"
    return f"{one['filename']}:{one['location']['row']}: {one['code']} {cut}"
