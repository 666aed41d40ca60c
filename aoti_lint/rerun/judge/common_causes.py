"""What a log and its events say, whatever the stage."""

from __future__ import annotations

import os
import re

from aoti_lint.rerun.inside import INSIDE
from aoti_lint.rerun.judge.agreement import AGREES, GOOD, agrees, by_agreement, by_error
from aoti_lint.rerun.judge.autotuning import by_tuning
from aoti_lint.rerun.judge.compiler_bisect import fails
from aoti_lint.rerun.judge.cuda_graphs import by_overwriting
from aoti_lint.rerun.judge.generated_code import BLOCKING, by_generated_code
from aoti_lint.rerun.judge.index_bounds import CAUSE, by_bounds
from aoti_lint.rerun.judge.missing_files import told
from aoti_lint.rerun.judge.origins import Origin, by_origin, origin
from aoti_lint.rerun.judge.reading import Reading, placed, sentence
from aoti_lint.rerun.judge.suspects import by_comparison, by_events, by_kernels, by_message, false_alarm, first_cause
from aoti_lint.rerun.read import graph_nodes
from aoti_lint.rerun.read.events import Event
from aoti_lint.rerun.read.evidence import Evidence
from aoti_lint.rerun.result import Culprit, Place, place_at
from aoti_lint.triage.report import entry

COMPILES = ("compile", "lower")
_STACK = re.compile(r'^  File "(?P<path>[^"]+)", line (?P<row>\d+) in (?P<function>\S+)')
"""A frame as faulthandler writes it, the innermost first."""
_GUARD = re.compile(r'TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED="([^"]+)"')
_LAUNCHER = re.compile(r"(\S*minifier_launcher\.py)")


def usual(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """What a log and its events say, whatever the stage."""
    _remember(reading, seen)
    if (alarm := false_alarm(seen.found)) is not None:
        note = f"the check refused a size that the package takes ({alarm.text}): it is not blamed"
        reading.note(note)
        return [note]
    first = origin(seen)
    _note_bad_programs(reading, seen)
    found = (
        _with_index(_shown(reading, seen, first), by_bounds(reading, seen))
        or (by_overwriting(seen.found, seen.lines) if seen.failed else [])
        or _named_by_message(reading, seen)
        or first_bad_number(reading, first)
        or (by_comparison(seen.events) if not seen.failed or symptom == "wrong-result" else [])
    )
    if not found and symptom in ("wrong-result", "nan") and agrees(seen) and not seen.bad_calls():
        found = by_agreement(seen) if symptom == "wrong-result" else by_error(seen)
        again, reading.agrees = reading.agrees, True
        if not any(one.sure for one in found):
            for culprit in found:
                reading.blame(culprit)
            says = AGREES if symptom == "wrong-result" else GOOD
            return [says if not again else "as before: the package gives what its program gives"]
    if seen.failed:
        found = found or _open_ops(seen) or by_kernels(seen.found.kernels, reading.program, seen.how)
        found = found or _hang(seen, symptom) or _by_node(reading, seen)
        found = found or by_generated_code(seen.found, seen.lines, at_once=BLOCKING in seen.step.environment)
    found = [placed(one, reading) for one in found]
    for culprit in found:
        reading.blame(culprit)
    reading.hangs = reading.hangs or seen.ran.how == "time"
    return [sentence(one) for one in found] or _without_culprit(seen, first)


def _remember(reading: Reading, seen: Evidence) -> None:
    """What later stages ask for: whether it failed, causes by their messages, guards and launchers that a log names."""
    if seen.step.phase in ("whole", "run"):
        reading.failures.append(fails(seen))
    for finding in (*seen.found.causes, *seen.found.notes):
        reading.causes.setdefault(finding.cause.name, entry(finding))
    for line in seen.lines:
        if guard := _GUARD.search(line):
            reading.guard = guard[1]
        if launcher := _LAUNCHER.search(line):
            reading.launcher = launcher[1]


def _note_bad_programs(reading: Reading, seen: Evidence) -> None:
    """Say that the exported program gives bad numbers as well, or masks with -inf."""
    reading.masks = reading.masks or seen.masks
    if any(event.event == "compared" and event.nan_in_program for event in seen.events):
        reading.note("the exported program gives NaN for these inputs too: the compiler did not make them")
    elif bad := seen.bad_programs():
        at = _at(bad[0])
        reading.note(f"the exported program, as your code calls it{at}, gives NaN or infinities as well")


def _shown(reading: Reading, seen: Evidence, first: Origin | None) -> list[Culprit]:
    """Who raised, or did not end, as it was noted."""
    found = [*_raised_ops(seen), *by_events(seen.events)] or by_tuning(seen.events)
    if found or first is None or not first.shown or not first.event.raised or (raised := by_origin(first)) is None:
        return found
    # The message of the package has less: which numbers, and who made them, is only known of the program.
    reading.causes.pop(CAUSE, None)
    return [raised]


def _named_by_message(reading: Reading, seen: Evidence) -> list[Culprit]:
    """Whom the message of an error names, with the line that says most."""
    named = by_message(seen.found, seen.failed, seen.lines)
    if named is None:
        return []
    if named.kind == "package" and not any(event.event in ("load", "call") for event in seen.events):
        named = named.model_copy(update={"kind": "code"})
    if named.place is None and named.kind == "op":
        # The line of the model says more than that of the call.
        named = named.model_copy(update={"place": _made_from(reading, named.name)})
    if named.place is None or named.kind == "input":
        named = named.model_copy(update={"place": _call(seen) or named.place})
    if _uncompiled(seen) and (node := graph_nodes.named(seen.lines, reading.programs())) is not None and node.place:
        named = named.model_copy(update={"place": node.place})
    culprit = told(named, seen)
    if named.kind == "op" or culprit != named:
        # The culprit says more than the cause does.
        reading.causes.pop(first_cause(seen.found), None)
    return [culprit]


def _without_culprit(seen: Evidence, first: Origin | None) -> list[str]:
    if first is not None and first.event.kind == "node" and not first.event.raised:
        return [f"the first bad number: {first.when}{first.sentence}"]
    if seen.failed:
        return [f"{seen.how}; its log names no cause"]
    # That what is run next could be built says nothing.
    silent = seen.step.phase == "tool" or (seen.step.phase == "build" and not seen.bad_calls())
    return [] if silent else [_calm(seen)]


def first_bad_number(reading: Reading, first: Origin | None) -> list[Culprit]:
    """Who made the first NaN or infinity of the exported program, if that is no kernel: an input, a weight or an
    operator. What is known of it is kept, for the kernel that does the work of a node."""
    if first is None or first.event.raised or not first.shown:
        return []
    reading.origin = reading.origin or first
    made = by_origin(first)
    return [made] if made is not None else []


def _with_index(found: list[Culprit], looked_up: list[Culprit]) -> list[Culprit]:
    """Culprits, with what is known of an index that one of them looks up; that alone, where there are none."""
    if found and looked_up and found[0].name == looked_up[0].name:
        return [found[0].model_copy(update={"what": f"{looked_up[0].what}. {found[0].what}"}), *found[1:]]
    return found or looked_up


def _calm(seen: Evidence) -> str:
    bad = seen.bad_calls()
    if not bad:
        return "it ended well with these flags"
    return f"the call of the package{_at(bad[0])} gives NaN or infinities"


def _at(event: Event) -> str:
    """Where something was called, as a part of a sentence."""
    return f" at {event.place.path}:{event.place.line}" if event.place is not None else ""


def _call(seen: Evidence) -> Place | None:
    """Where the last package was called."""
    return seen.called.place if seen.called is not None else None


def _made_from(reading: Reading, op: str) -> Place | None:
    """The line that an operator of the package was made from."""
    return next((place for launch in reading.program.named(op) for place in launch.places), None)


def _uncompiled(seen: Evidence) -> Event | None:
    """How the compiler failed."""
    return next((event for event in seen.events if event.event == "raised" and event.what in COMPILES), None)


def _by_node(reading: Reading, seen: Evidence) -> list[Culprit]:
    """The operator of the model that the compiler could not do."""
    error = _uncompiled(seen)
    node = graph_nodes.named(seen.lines, reading.programs()) if error is not None else None
    if error is None or node is None:
        return []
    effect = next(iter(seen.found.causes), None)
    return [
        Culprit(
            kind="op", name=node.name, sure=True, place=node.place,
            what=f"the compiler cannot do it: {error.type}: {error.message}",
            fix=effect.cause.fix if effect is not None else "",
        )
    ]  # fmt: skip


def _raised_ops(seen: Evidence) -> list[Culprit]:
    """Operators written in Python that raised while a package ran."""
    return [
        Culprit(
            kind="op", name=event.name, sure=True, place=event.place,
            what=f"its kernel raises {event.type}: {event.message}",
        )
        for event in seen.events
        if event.event == "raised" and event.what == "op"
    ]  # fmt: skip


def _open_ops(seen: Evidence) -> list[Culprit]:
    """The operator that was entered last and never left."""
    at = _stopped_at(seen)
    return [
        Culprit(kind="op", name=event.name, sure=True, place=at or event.place, what=f"{seen.how} while its kernel ran")
        for event in seen.open("op")[-1:]
    ]


def _hang(seen: Evidence, symptom: str) -> list[Culprit]:
    """The user's line that a process was at when its time was over.

    Only the user knows whether a program that takes long has stopped.
    """
    spot = _stopped_at(seen)
    if spot is None:
        return []
    return [
        Culprit(
            kind="code", name=spot.function, what=f"{seen.how}: it was here", sure=symptom == "slow", place=spot,
            fix="If it only needs longer, give it more time: --timeout.",
        )
    ]  # fmt: skip


def _stopped_at(seen: Evidence) -> Place | None:
    """The innermost line of the user's at which a process had to be ended, of the stacks that it wrote then."""
    from aoti_lint.triage.log import users

    if seen.ran.how != "time":
        return None
    found = (_STACK.match(line) for line in seen.lines)
    at = next((one for one in found if one is not None and users(one["path"]) and not _is_ours(one["path"])), None)
    if at is None:
        return None
    return place_at(at["path"], int(at["row"]), at["function"])


def _is_ours(path: str) -> bool:
    return os.path.abspath(path).startswith(INSIDE + os.sep)
