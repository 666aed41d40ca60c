"""Which artefact a load means: in the same run by what was written, across scripts by the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from aoti_lint.diagnostics import Confidence
from aoti_lint.interp.events import CompileEvent, Event, SaveEvent
from aoti_lint.interp.judge import weaker
from aoti_lint.interp.models.export import relocate
from aoti_lint.interp.models.paths import same_file
from aoti_lint.interp.values import (
    NO_FILE,
    Choice,
    FileName,
    Loaded,
    LoadedProgram,
    Package,
    Program,
    ProgramModule,
    Value,
    leaves,
)

if TYPE_CHECKING:
    from aoti_lint.interp.facts import Facts


@dataclass(frozen=True, slots=True)
class Candidate:
    """An artefact that a load may mean. `confidence` is how sure the link is."""

    value: Value
    confidence: Confidence


def packages_of(facts: Facts, loaded: Loaded, event: Event) -> list[Candidate]:
    """The packages a loaded model may come from; empty if none was seen being compiled."""
    if loaded.package is not None:
        found = [leaf for _, leaf in leaves(loaded.package, event.path)]
        if all(isinstance(leaf, Package) for leaf in found):
            return [Candidate(leaf, Confidence.CERTAIN) for leaf in dict.fromkeys(found)]
        return []
    written = [(e, e.package.file, e.package) for e in facts.of(CompileEvent) if isinstance(e.package, Package)]
    return _by_file(loaded.file, event, written)


def programs_of(facts: Facts, target: Value, event: Event) -> list[Candidate]:
    """The exported programs behind something that is called: a loaded model, an exported module, a package."""
    match target:
        case Program():
            return [Candidate(target, Confidence.CERTAIN)]
        case ProgramModule(inner):
            return [c for _, leaf in leaves(inner, event.path) for c in programs_of(facts, leaf, event)]
        case Package(program=inner):
            return [c for _, leaf in leaves(inner, event.path) for c in programs_of(facts, leaf, event)]
        case Loaded():
            return [
                Candidate(inner.value, weaker(outer.confidence, inner.confidence))
                for outer in packages_of(facts, target, event)
                for inner in programs_of(facts, outer.value, event)
            ]
        case LoadedProgram(file=file, moves=moves):
            written = [(e, e.file, e.program) for e in facts.of(SaveEvent) if isinstance(e.program, Program)]
            found = _by_file(file, event, written)
            return [Candidate(relocate(c.value, moves), c.confidence) for c in found if isinstance(c.value, Program)]
        case Choice():
            return [c for _, leaf in leaves(target, event.path) for c in programs_of(facts, leaf, event)]
        case _:
            return []


def compiled_for(facts: Facts, package: Package, event: Event) -> Value:
    """The device a package is for; where its program came out of a file, that of the one program it can be."""
    if isinstance(package.program, LoadedProgram):
        devices = {c.value.device for c in programs_of(facts, package.program, event) if isinstance(c.value, Program)}
        if len(devices) == 1:
            return devices.pop()
    return package.device


def _by_file(file: FileName, event: Event, written: Sequence[tuple[Event, FileName, Value]]) -> list[Candidate]:
    """What other runs wrote to `file`. Several writers make every one of them a guess."""
    found: dict[Value, Confidence] = {}
    for other, target, value in written:
        link = link_between(file, event, target, other)
        if link is not None:
            found[value] = min(found.get(value, link), link, key=[Confidence.CERTAIN, Confidence.LIKELY].index)
    near = {v: c for v, c in found.items() if c is Confidence.CERTAIN}
    chosen = near or found
    if len({_made_at(v) for v in chosen}) > 1:
        return [Candidate(v, Confidence.LIKELY) for v in chosen]
    return [Candidate(v, c) for v, c in chosen.items()]


def _made_at(value: Value) -> object:
    return value.span if isinstance(value, Package | Program) else value


def link_between(file: FileName, event: Event, target: FileName, other: Event) -> Confidence | None:
    """How sure it is that a file read at `event` is the file written at `other`; None if it is another one."""
    if file == NO_FILE or target == NO_FILE:
        return None
    answer = same_file(file.key, target.key)
    if answer == "yes":
        return Confidence.CERTAIN if _same_folder(event, other) or file.key[0] == "/" else Confidence.LIKELY
    if answer == "maybe" or same_file(file.usual, target.usual) == "yes":
        return Confidence.LIKELY
    return None


def _same_folder(event: Event, other: Event) -> bool:
    """Whether two roots are run in the same folder, as far as the project's layout tells."""
    first, second = (PurePosixPath(e.root.split("::")[0]).parent for e in (event, other))
    return first == second
