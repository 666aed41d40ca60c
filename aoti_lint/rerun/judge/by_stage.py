"""What each stage shows: one reader for most, and some for stages that print in a form of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from aoti_lint.errors import CannotRun
from aoti_lint.rerun.judge.common_causes import first_bad_number, usual
from aoti_lint.rerun.judge.compiler_bisect import EAGER, fails, switched
from aoti_lint.rerun.judge.debuggers import debugger, nan_asserts, sanitizer
from aoti_lint.rerun.judge.origins import Origin, by_origin, origin
from aoti_lint.rerun.judge.reading import REACH, Reading, blamed_in, names, placed, sentence
from aoti_lint.rerun.judge.suspects import Chase, by_launch, by_values, first_bad, known_before
from aoti_lint.rerun.read.compile_logs import graph_breaks, recompiles, takes_most
from aoti_lint.rerun.read.evidence import Evidence
from aoti_lint.rerun.read.printed_values import Block, Seen, blocks, by_call, calls
from aoti_lint.rerun.read.tool_reports import probed, saved, verified, well
from aoti_lint.rerun.result import Culprit

EXPORTING = ("export-error", "compile-error")
"""Symptoms of programs that no package comes out of."""


def values(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """Who made the first bad value, as far as the printed ones tell."""
    if seen.step.phase == "build" and not seen.failed:
        return []
    asked, reading.again, reading.ask = reading.ask, False, ()
    printed = calls(_blocks_of_package(seen), reading.program)
    reading.printed = printed or reading.printed
    if reading.origin is None and (makers := first_bad_number(reading, origin(seen))):
        return blamed_in(reading, makers, "")
    if not printed:
        return ["no values were printed"]
    if reading.origin is not None and not any(one.sure for one in reading.culprits) and _has_lines(reading):
        return _of_origin(reading, reading.origin, printed)
    start = reading.suspect.launch if reading.suspect is not None else None
    masks = bool(seen.bad_calls()) and not reading.masks
    bad = (call for call in printed if first_bad(call, masks=masks) is not None)
    call = printed[-1] if start is not None else next(bad, printed[-1])
    chase = by_values(call, reading.program, start, masks=masks)
    if chase.culprit is not None:
        return _caught(reading, seen, chase, chase.culprit)
    if chase.ask:
        _ask(reading, chase)
        reading.again = reading.ask != asked
        return [f"next: the values of {', '.join(chase.ask)}"]
    if reading.suspect is not None and start is not None:
        known = known_before(start, call)
        given = tuple(known[name] for name in start.reads if name in known)
        reading.blame(reading.suspect.model_copy(update={"values": chase.chain[0].values if chase.chain else given}))
        return [f"nothing that {reading.suspect.name} is given has NaN, infinities or strange indices in it"]
    return ["no bad value was printed"]


def _caught(reading: Reading, seen: Evidence, chase: Chase, culprit: Culprit) -> list[str]:
    """The culprit that values lead to, with the launches that handed it on, before a suspect that it spoilt."""
    if culprit.kind == "input" and reading.origin is not None:
        # The program has said that it is another one: a model may look for NaN in what it is given.
        return ["what has bad values in it was given to the package"]
    chain = tuple(one.launch for one in reversed(chase.chain) if one.launch != culprit.launch)
    found = placed(culprit.model_copy(update={"chain": chain}), reading)
    if found.kind == "input" and found.place is None and seen.called is not None:
        found = found.model_copy(update={"place": seen.called.place})
    suspect = reading.suspect
    if suspect is not None and suspect.name != found.name:
        reading.note(f"{suspect.name} is where it showed: what it was given was bad already")
        reading.culprits.insert(0, found)
    else:
        reading.blame(found)
    return [sentence(found)]


def _ask(reading: Reading, chase: Chase) -> None:
    """Have the next run print what the chase misses, and what that was made from."""
    first = chase.chain[-1].launch.number if chase.chain else len(reading.program.launches)
    producers = [one for name in chase.ask for one in reading.program.named(name) if one.number < first]
    more = [other for one in producers for other in reading.program.producers(one, REACH)]
    reading.ask = names([*producers, *(one.launch for one in chase.chain), *more[:REACH]])


def _of_origin(reading: Reading, made: Origin, printed: Sequence[Sequence[Seen]]) -> list[str]:
    """The kernel that does the work of a node, where the program has said which one makes the first bad number.

    Other bad values may be meant so: the model may look for NaN in what it is given.
    """
    spot = made.place
    found = [
        seen for call in printed for seen in call
        if seen.left() and spot is not None
        and any((one.path, one.line) == (spot.path, spot.line) for one in seen.launch.places)
    ]  # fmt: skip
    first = next((seen for seen in found if not seen.given()), None)
    if first is None:
        return ["no kernel of that line alone makes bad values of good ones"]
    kernel = placed(by_launch(first), reading)
    reading.blame(kernel)
    return [sentence(kernel)]


def _has_lines(reading: Reading) -> bool:
    """Whether launches say which lines they were made from (from torch 2.9 on)."""
    return any(launch.places for launch in reading.program.launches)


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
        return [f"the tensors of {len(launches)} {'launch' if len(launches) == 1 else 'launches'} were saved"]
    if reading.origin is not None and _has_lines(reading):
        return _of_origin(reading, reading.origin, [launches])
    culprit = by_values(launches, reading.program, masks=bool(seen.bad_calls()) and not reading.masks).culprit
    return blamed_in(reading, [culprit] if culprit is not None else [], "nothing that was saved has bad values in it")


def fakes(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """What `probe` says of the operators, and what the checks of the heap do."""
    if seen.step.phase != "tool":
        return usual(reading, seen, symptom)
    good = well(seen, "the fakes promise what the kernels give")
    return blamed_in(reading, probed(seen, exporting=symptom in EXPORTING), good)


def compare(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """What `verify` says of the package and its program."""
    if seen.step.phase != "tool":
        return usual(reading, seen, symptom)
    good = well(seen, "inside its contract the package gives what its program gives")
    found = verified(seen)
    if reading.agrees and (others := [one for one in found if one.kind == "package"]):
        # That is about inputs of its own, and of those of the user it is known already.
        return [f"{one.what}: this is about other inputs than yours" for one in others]
    return blamed_in(reading, found, good)


def compile_path(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """What a run with one thing switched off says."""
    if seen.step.phase == "build":
        reading.built = seen.step
        return []
    if seen.step.phase == "tool":
        return []
    first = origin(seen) if EAGER in seen.step.environment and fails(seen) else None
    if first is not None:
        reading.origin = first
        if (made := by_origin(first)) is not None:
            reading.blame(placed(made, reading))
        return [f"without torch.compile it fails too: {first.sentence}"]
    culprit, says = switched(reading, seen, reading.built if seen.step.phase == "run" else None)
    if culprit is not None:
        reading.blame(culprit)
    return says


def logs(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """What torch logs: for slow programs, what it compiles again and where it stops compiling."""
    says = usual(reading, seen, symptom)
    if symptom not in ("recompile", "slow") or reading.culprits:
        return says
    found = [*recompiles(seen.lines), *graph_breaks(seen.lines)]
    if symptom == "slow":
        found = [one.model_copy(update={"sure": False}) for one in found]
    return blamed_in(reading, found, says[0])


def profile(reading: Reading, seen: Evidence, symptom: str) -> list[str]:
    """The table of the profiler."""
    return [row] if (row := takes_most(seen.lines)) is not None else usual(reading, seen, symptom)


READERS: Mapping[str, Callable[[Reading, Evidence, str], list[str]]] = {
    "": usual, "values": values, "tensors": tensors, "fakes": fakes, "compare": compare, "sanitizer": sanitizer,
    "compile-path": compile_path, "debugger": debugger, "nan-asserts": nan_asserts,
    "logs": logs, "profile": profile,
}  # fmt: skip
