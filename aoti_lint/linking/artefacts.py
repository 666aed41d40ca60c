"""Which artefact a load means: in the same run by what was written, across scripts by the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

from aoti_lint.diagnostics import Confidence, Span
from aoti_lint.language.data.paths import same_file
from aoti_lint.lazily.dataclass import dataclass, field, replace
from aoti_lint.machine.facts import Facts
from aoti_lint.models.export.relocating import relocate
from aoti_lint.values.choices import leaves
from aoti_lint.values.conditions import Path, usual
from aoti_lint.values.events.event import Event
from aoti_lint.values.events.packages import CompileEvent, FileEvent, HostLoad, LoadEvent, PackEvent, SaveEvent
from aoti_lint.values.judge import Verdict, weaker
from aoti_lint.values.meter import METER
from aoti_lint.values.sizes.shapes import variants
from aoti_lint.values.torch_values import NO_FILE, FileName, Loaded, LoadedProgram, Package, Program, ProgramModule
from aoti_lint.values.values import Absent, Choice, Const, Pairs, Value

Writing = CompileEvent | PackEvent | SaveEvent | FileEvent
Writer = TypeVar("Writer", CompileEvent, PackEvent, SaveEvent, FileEvent)
Written = tuple[Event, FileName, Package | Program]
_SOMEWHERE = "<somewhere>"
"""A folder that nobody names."""
MOST_WRITERS = 32
"""Places that write one file, any of which may have written what another run loads."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An artefact that a load may mean.

    `confidence` is how sure the link is. `path` holds the answers that choose this one among those the same run may
    have made; it is empty where several files' worth of runs compete.
    """

    value: Value
    confidence: Confidence = Confidence.CERTAIN
    path: Path = field(default_factory=dict)


def packages_of(facts: Facts, loaded: Loaded, event: Event) -> list[Candidate]:
    """The packages a loaded model may come from; empty if none was seen being compiled."""
    if loaded.package is not None:
        # Where nothing was written on this path, an earlier run of the same code wrote the file.
        found = [Candidate(v, path=p) for p, v in leaves(loaded.package, event.path) if not isinstance(v, Absent)]
        if found:
            return found
    made: list[Written] = [(e, e.package.file, e.package) for e in writers_of(facts, CompileEvent, loaded.file)
                           if isinstance(e.package, Package)]  # fmt: skip
    for pack in writers_of(facts, PackEvent, loaded.file):
        made += [(pack, pack.file, one) for one in _packed(pack, loaded.model)]
    return _by_file(loaded.file, event, made)


def _packed(pack: PackEvent, name: Value | None) -> Iterator[Package]:
    """What was put into a package under a name, as far as it is known."""
    for _, given in leaves(pack.models, pack.path):
        named = [(None, given)] if isinstance(given, Package) else given.pairs if isinstance(given, Pairs) else ()
        for key, value in named:
            if key is None or key == name:
                yield from (replace(one, kind="pt2", file=pack.file) for _, one in leaves(value, pack.path)
                            if isinstance(one, Package))  # fmt: skip


def packages_for(facts: Facts, host: HostLoad) -> list[Candidate]:
    """The packages that C++ may load, known by the names of their files (see `file_of_host`)."""
    file = file_of_host(facts, host.file)
    if made_elsewhere(facts, file.key[-1]):
        return []
    return [Candidate(p, Confidence.LIKELY, p.path) for p in _packages(facts) if _may_be(file, p.file)]


def file_of_host(facts: Facts, path: str) -> FileName:
    """The file that C++ means by `path`: where it lies when that runs, nobody says.

    The last folders count where an artefact is written into folders of these names.
    """
    parts = [part for part in path.split("/") if part not in ("", ".", "..")] or [path]
    keys = [(_SOMEWHERE, *parts), (_SOMEWHERE, parts[-1])]
    files = [FileName(Const(path), key, key) for key in keys]
    written = [*(one.file for one in _packages(facts)), *(event.file for event in facts.of(SaveEvent))]
    return next((file for file in files if any(_may_be(file, one) for one in written)), files[-1])


def _packages(facts: Facts) -> list[Package]:
    return [p for e in facts.of(CompileEvent) for _, p in leaves(e.package, e.path) if isinstance(p, Package)]


def _may_be(file: FileName, written: FileName) -> bool:
    return written.key != () and same_file(file.key, written.key) != "no"


def made_elsewhere(facts: Facts, name: str) -> bool:
    """Whether a script loads a file of this name that nothing known writes: then C++ may mean that one, too."""
    loads = ((event, leaf) for event in facts.of(LoadEvent) for _, leaf in leaves(event.loaded, event.path))
    return any(
        isinstance(leaf, Loaded) and leaf.file.key[-1:] == (name,) and not packages_of(facts, leaf, event)
        for event, leaf in loads
    )


def programs_of(facts: Facts, target: Value, event: Event, path: Path | None = None) -> list[Candidate]:
    """The exported programs behind something that is called: a loaded model, an exported module, a package.

    What is not known among them is a candidate too, without being a `Program`.
    """
    path = event.path if path is None else path
    match target:
        case Choice():
            return [c for p, leaf in leaves(target, path) for c in programs_of(facts, leaf, event, p)]
        case ProgramModule(inner) | Package(program=inner):
            return [c for p, leaf in leaves(inner, path) for c in programs_of(facts, leaf, event, p)]
        case Loaded():
            return [
                Candidate(inner.value, weaker(outer.confidence, inner.confidence), inner.path)
                for outer in packages_of(facts, target, event)
                for inner in programs_of(facts, outer.value, event, {**path, **outer.path})
            ]
        case LoadedProgram(file=file, moves=moves):
            saved = [
                (e, e.file, e.program) for e in writers_of(facts, SaveEvent, file) if isinstance(e.program, Program)
            ]
            found = _by_file(file, event, saved)
            return [
                Candidate(variant, c.confidence, answers)
                for c in found
                if isinstance(c.value, Program)
                for answers, variant in variants(relocate(c.value, moves), path)
            ]
        case Absent():
            return []
        case Program():
            return [Candidate(variant, path=answers) for answers, variant in variants(target, path)]
        case _:
            return [Candidate(target, path=path)]


@overload
def overall(
    candidates: Sequence[Candidate], verdicts: Sequence[Confidence | None], event: Event
) -> Confidence | None: ...
@overload
def overall(
    candidates: Sequence[Candidate], verdicts: Sequence[Confidence | Verdict | None], event: Event
) -> Confidence | Verdict | None: ...
def overall(
    candidates: Sequence[Candidate], verdicts: Sequence[Confidence | Verdict | None], event: Event
) -> Confidence | Verdict | None:
    """How sure a fault is that each candidate has as its verdict says (None: it has not).

    All must have it where they compete for one file. Where one run chooses among them, it is likely if the usual
    choice has it.
    """
    failing = [(c, v) for c, v in zip(candidates, verdicts, strict=True) if v is not None]
    if not failing:
        return None
    if len(failing) == len(candidates):
        return weaker(*(v for _, v in failing))
    for candidate, verdict in failing:
        chosen = {c: a for c, a in candidate.path.items() if c not in event.path}
        if not chosen:
            return None
        if all(usual(c) == a for c, a in chosen.items()):
            return weaker(Confidence.LIKELY, verdict)
    return Confidence.POSSIBLE


def compiled_for(facts: Facts, package: Package, event: Event) -> Value:
    """The device a package is for; where its program came out of a file, that of the one program it can be."""
    if isinstance(package.program, LoadedProgram):
        devices = {c.value.device for c in programs_of(facts, package.program, event) if isinstance(c.value, Program)}
        if len(devices) == 1:
            return devices.pop()
    return package.device


def written_to(event: CompileEvent | SaveEvent) -> tuple[FileName, Value]:
    """The file that a compile or `torch.export.save` writes, and the program that it writes there, if it is known."""
    if isinstance(event, SaveEvent):
        return event.file, event.program
    made = event.package
    return (made.file, made.program) if isinstance(made, Package) else (NO_FILE, made)


def writers_of(facts: Facts, kind: type[Writer], file: FileName) -> list[Writer]:
    """The events of a kind that may write a file, in their order: those that have a name of it in common."""
    groups = facts.grouped(kind, _written_names)
    found = {event for name in _names(file) for event in groups.get(name, ())}
    METER.spend(len(found))
    return sorted(found, key=lambda event: event.order)


def _names(file: FileName) -> set[str]:
    """What two names of one file have one of in common, whatever is known of their folders: see `same_file`."""
    return {key[-1] for key in (file.key, file.usual) if key}


def _written_names(event: Writing) -> set[str]:
    if not isinstance(event, CompileEvent):
        return _names(event.file)
    return _names(event.package.file) if isinstance(event.package, Package) else set()


def _by_file(file: FileName, event: Event, written: Sequence[Written]) -> list[Candidate]:
    """What other runs wrote to `file`. Several writers make every one of them a guess; of very many nobody guesses.

    Where it is a guess, what is written by a script beside the one that reads it is meant rather than another.
    """
    links: dict[tuple[Confidence, bool], dict[Value, Span]] = {}
    for other, target, value in written:
        link = link_between(file, event, target, other)
        if link is not None:
            place = link, link is Confidence.CERTAIN or beside(event, other)
            links.setdefault(place, {})[value] = value.span
            if len(set(links.get((Confidence.CERTAIN, True), {}).values())) > MOST_WRITERS:
                return []
    (sure, _), chosen = min(links.items(), key=lambda one: _NEAREST.index(one[0])) if links else ((_LIKELY, True), {})
    places = len(set(chosen.values()))
    if places > MOST_WRITERS:
        return []
    return [Candidate(value, sure if places == 1 else Confidence.LIKELY) for value in chosen]


_LIKELY = Confidence.LIKELY
_NEAREST = [(Confidence.CERTAIN, True), (_LIKELY, True), (_LIKELY, False)]
"""How what other runs wrote is chosen from: how sure the file is the one, and whether a script beside writes it."""


def link_between(file: FileName, event: Event, target: FileName, other: Event) -> Confidence | None:
    """How sure it is that a file read at `event` is the file written at `other`; None if it is another one."""
    if file == NO_FILE or target == NO_FILE:
        return None
    answer = same_file(file.key, target.key)
    if answer == "yes":
        return Confidence.CERTAIN if beside(event, other) or file.key[0] == "/" else Confidence.LIKELY
    if answer == "maybe" or same_file(file.usual, target.usual) != "no":
        return Confidence.LIKELY
    return None


def beside(event: Event, other: Event) -> bool:
    """Whether two things happen in scripts of one folder, which so are run in the same one, as far as that tells."""
    first, second = (e.root.split("::")[0].rpartition("/")[0] for e in (event, other))
    return first == second
