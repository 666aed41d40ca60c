"""What each stage shows: one reader for most, and some for stages that print in a form of their own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from linecache import getline
from typing import Any

from aoti_lint.errors import CannotRun
from aoti_lint.rerun.events import Event
from aoti_lint.rerun.evidence import Evidence
from aoti_lint.rerun.launches import Program
from aoti_lint.rerun.plan import Step
from aoti_lint.rerun.result import Culprit, Launch, Place
from aoti_lint.rerun.suspects import (
    by_comparison,
    by_events,
    by_kernels,
    by_message,
    by_values,
    false_alarm,
    known_before,
)
from aoti_lint.rerun.switched import fails, switched
from aoti_lint.rerun.tools import probed, saved, verified
from aoti_lint.rerun.values import Block, blocks, by_call, calls
from aoti_lint.triage.report import entry

REACH = 12
"""Kernels whose values are asked for at once."""
_STACK = re.compile(r'^  File "(?P<path>[^"]+)", line (?P<row>\d+) in (?P<function>\S+)')
"""A frame as faulthandler writes it, the innermost first."""
_GUARD = re.compile(r'TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED="([^"]+)"')
_LAUNCHER = re.compile(r"(\S*minifier_launcher\.py)")
_SANITIZER = re.compile(r"(?P<what>Invalid __\w+__ (?:read|write) of size \d+ bytes|Misaligned \w+)")
_AT = re.compile(r"\bat (?:0x[0-9a-f]+ in )?(?:[\w:<>, ]+ )?(?P<kernel>[A-Za-z_]\w*)(?:\(|\+0x)")


@dataclass(slots=True)
class Reading:
    """What is known so far. `again` asks for one more run of a stage that repeats."""

    culprits: list[Culprit] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    causes: dict[str, dict[str, Any]] = field(default_factory=dict)
    program: Program = field(default_factory=Program)
    package: str = ""
    exported: str = ""
    launcher: str = ""
    guard: str = ""
    repro: str | None = None
    dumps: str = ""
    failures: list[bool] = field(default_factory=list)
    """Of the runs with nothing switched off: whether each failed."""
    built: Step | None = None
    """The step that compiled last."""
    hangs: bool = False
    """Whether a process had to be ended: more runs only take more time."""
    again: bool = False
    ask: tuple[str, ...] = ()

    def blame(self, culprit: Culprit) -> None:
        """Add a culprit; what was known of it before stays, where the new one says nothing."""
        for index, old in enumerate(self.culprits):
            if (old.kind, old.name) == (culprit.kind, culprit.name):
                kept = {
                    name: getattr(old, name)
                    for name in ("fix", "launch", "place", "values", "rules", "chain")
                    if not getattr(culprit, name)
                }
                what = old.what if old.sure and not culprit.sure else culprit.what
                self.culprits[index] = culprit.model_copy(
                    update={**kept, "sure": old.sure or culprit.sure, "what": what}
                )
                return
        self.culprits.append(culprit)

    def note(self, sentence: str) -> None:
        """Say something once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    @property
    def suspect(self) -> Culprit | None:
        """The culprit that is known by its launch."""
        return next((one for one in self.culprits if one.launch is not None), None)

    def inputs(self) -> list[str]:
        """What the user calls the tensors that the package takes, in their order; empty if nobody knows."""
        from aoti_lint.program.errors import Unreadable
        from aoti_lint.program.read import read

        if not self.exported:
            return []
        try:
            programs = read(self.exported).programs
        except (OSError, Unreadable):
            return []
        return [one.path or one.name for one in programs[0].inputs if one.kind == "tensor"] if programs else []

    def asks(self) -> tuple[str, ...]:
        """The kernels whose values are wanted next."""
        if self.ask:
            return self.ask
        suspect = self.suspect
        if suspect is None or suspect.launch is None:
            return ()
        return _names([suspect.launch, *self.program.producers(suspect.launch, REACH)])


def _names(launches: Sequence[Launch]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.name for one in launches if one.kind != "op"))


def usual(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """What a log and its events say, whatever the stage."""
    if seen.step.phase in ("whole", "run"):
        reading.failures.append(fails(seen))
    for finding in (*seen.found.causes, *seen.found.notes):
        reading.causes.setdefault(finding.cause.name, entry(finding))
    for line in seen.lines:
        if guard := _GUARD.search(line):
            reading.guard = guard[1]
        if launcher := _LAUNCHER.search(line):
            reading.launcher = launcher[1]
    if (alarm := false_alarm(seen.found)) is not None:
        note = f"the check refused a size that the package takes ({alarm.text}): it is not blamed"
        reading.note(note)
        return [note]
    found = [*_raised_ops(seen), *by_events(seen.events)]
    if any(event.event == "compared" and event.nan_in_program for event in seen.events):
        reading.note("the exported program gives NaN for these inputs too: the compiler did not make them")
    elif bad := seen.bad_programs():
        at = _at(bad[0])
        reading.note(f"the exported program, as your code calls it{at}, gives NaN or infinities as well")
    if not found and (named := by_message(seen.found, seen.failed, seen.lines)) is not None:
        if named.place is None or named.kind == "input":
            named = named.model_copy(update={"place": _call(seen) or named.place})
        found = [named]
    if not found and not seen.failed:
        found = by_comparison(seen.events)
    if not found and seen.failed:
        found = _open_ops(seen) or by_kernels(seen.found.kernels, reading.program, seen.how) or _hang(seen)
    for culprit in found:
        reading.blame(_placed(culprit, reading))
    reading.hangs = reading.hangs or seen.ran.how == "time"
    if found:
        return [f"{one.kind} {one.name}: {one.what}" for one in found]
    if seen.failed:
        return [f"{seen.how}; its log names no cause"]
    return [_calm(seen)]


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
    return [
        Culprit(kind="op", name=event.name, sure=True, place=event.place, what=f"{seen.how} while its kernel ran")
        for event in seen.open("op")[-1:]
    ]


def _hang(seen: Evidence) -> list[Culprit]:
    """The user's line that a process was at when its time was over."""
    if seen.ran.how != "time":
        return []
    from aoti_lint.triage.log import users

    frames = [found for line in seen.lines if (found := _STACK.match(line)) and users(found["path"])]
    if not frames:
        return []
    at = frames[0]
    row = int(at["row"])
    spot = Place(path=at["path"], line=row, function=at["function"], text=getline(at["path"], row).strip())
    return [Culprit(kind="code", name=spot.function, what=f"{seen.how}: it was here", sure=True, place=spot)]


def _named(culprit: Culprit, reading: Reading) -> Culprit:
    """An input by the name that the user knows it by: packages count them, or name them after the graph."""
    inputs = reading.program.inputs
    number = inputs.index(culprit.name) if culprit.name in inputs else None
    if counted := re.fullmatch(r"input (\d+)", culprit.name):
        number = int(counted[1])
    names = reading.inputs()
    if culprit.kind != "input" or number is None or number >= len(names):
        return culprit
    return culprit.model_copy(update={"name": names[number], "what": f"input {number}: {culprit.what}"})


def _placed(culprit: Culprit, reading: Reading) -> Culprit:
    """With the name of an input, the launch of an operator that is known by its name, and the line of a launch."""
    culprit = _named(culprit, reading)
    launch = culprit.launch
    if launch is None and culprit.kind == "op":
        launch = next(iter(reading.program.named(culprit.name)), None)
    if launch is None:
        return culprit
    spot = culprit.place or next(iter(launch.places), None)
    return culprit.model_copy(update={"launch": launch, "place": spot})


def values(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """Who made the first bad value, as far as the printed ones tell."""
    if seen.step.phase == "build" and not seen.failed:
        return []
    asked, reading.again, reading.ask = reading.ask, False, ()
    printed = calls(_blocks_of_package(seen), reading.program)
    if not printed:
        return ["no values were printed"]
    suspect = reading.suspect
    start = suspect.launch if suspect is not None else None
    call = next((call for call in printed if any(one.left() or one.given() for one in call)), printed[-1])
    call = printed[-1] if start is not None else call
    chase = by_values(call, reading.program, start)
    if chase.culprit is not None:
        chain = tuple(one.launch for one in reversed(chase.chain) if one.launch != chase.culprit.launch)
        found = _placed(chase.culprit.model_copy(update={"chain": chain}), reading)
        if suspect is not None and suspect.name != found.name:
            reading.note(f"{suspect.name} is where it showed: what it was given was bad already")
            reading.culprits.insert(0, found)
        else:
            reading.blame(found)
        return [f"{found.kind} {found.name}: {found.what}"]
    if chase.ask:
        first = chase.chain[-1].launch.number if chase.chain else len(reading.program.launches)
        producers = [one for name in chase.ask for one in reading.program.named(name) if one.number < first]
        more = [other for one in producers for other in reading.program.producers(one, REACH)]
        reading.ask = _names([*producers, *(one.launch for one in chase.chain), *more[:REACH]])
        reading.again = reading.ask != asked
        return [f"next: the values of {', '.join(chase.ask)}"]
    if suspect is not None and start is not None:
        known = known_before(start, call)
        given = tuple(known[name] for name in start.reads if name in known)
        reading.blame(suspect.model_copy(update={"values": chase.chain[0].values if chase.chain else given}))
        return [f"nothing that {suspect.name} is given has NaN, infinities or strange indices in it"]
    return ["no bad value was printed"]


def _blocks_of_package(seen: Evidence) -> list[Block]:
    """What was printed in the calls of the package in question, as far as calls can be told apart."""
    packages = [call.package for call in seen.calls]
    found = blocks(seen.lines)
    parts = by_call(found)
    if len(set(packages)) < 2 or len(parts) != len(packages):
        return found
    pairs = zip(packages, parts, strict=True)
    return [block for package, part in pairs if package == seen.package for block in part]


def tensors(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """The saved tensors: what the suspect was given and left, or who made the first bad value."""
    if seen.tensors is None:
        return [] if seen.step.phase in ("build", "tool") else ["no tensors were saved"]
    reading.dumps = seen.tensors
    try:
        launches = saved(seen.tensors, reading.program)
    except CannotRun as error:
        return [str(error)]
    for one in reading.culprits:
        # The packages of two stages differ in what they tell of a launch, not in their launches.
        known = next((other for other in launches if one.launch and one.launch.number == other.launch.number), None)
        if known is not None:
            reading.blame(one.model_copy(update={"values": known.values}))
    if any(one.sure for one in reading.culprits):
        return [f"the tensors of {len(launches)} launches were saved"]
    culprit = by_values(launches, reading.program).culprit
    return _blamed(reading, [culprit] if culprit is not None else [], "nothing that was saved has bad values in it")


def fakes(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """What `probe` says of the operators, and what the checks of the heap do."""
    if seen.step.phase != "tool":
        return usual(reading, seen, symptom)
    return _blamed(reading, probed(seen), "the fakes promise what the kernels give")


def compare(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """What `verify` says of the package and its program."""
    if seen.step.phase != "tool":
        return usual(reading, seen, symptom)
    return _blamed(reading, verified(seen), "inside its contract the package gives what its program gives")


def _blamed(reading: Reading, found: Sequence[Culprit], good: str) -> list[str]:
    for culprit in found:
        reading.blame(_placed(culprit, reading))
    return [f"{one.kind} {one.name}: {one.what}" for one in found] or [good]


def compile_path(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """What a run with one thing switched off says."""
    if seen.step.phase == "build":
        reading.built = seen.step
        return []
    if seen.step.phase == "tool":
        return []
    culprit, says = switched(reading, seen, reading.built if seen.step.phase == "run" else None)
    if culprit is not None:
        reading.blame(culprit)
    return says


def sanitizer(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """The kernel that compute-sanitizer names."""
    for number, line in enumerate(seen.lines):
        if what := _SANITIZER.search(line):
            near = " ".join(seen.lines[number : number + 3])
            kernel = _AT.search(near)
            if kernel is not None:
                name = kernel["kernel"]
                launch = next(iter(reading.program.named(name)), None)
                words = f"compute-sanitizer: {what['what']}"
                culprit = Culprit(kind="kernel", name=name, what=words, sure=True, launch=launch)
                reading.blame(_placed(culprit, reading))
                return [f"kernel {name}: {what['what']}"]
    return usual(reading, seen, symptom)


READERS: Mapping[str, Callable[[Reading, Evidence, str], list[str]]] = {
    "": usual, "values": values, "tensors": tensors, "fakes": fakes, "compare": compare, "sanitizer": sanitizer,
    "compile-path": compile_path,
}  # fmt: skip
