"""Which of the named archives a script means, and how sure that is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.diagnostics import Confidence
from aoti_lint.language.data.paths import PROJECT_ROOT, same_file
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.linking.artefacts import programs_of, written_to
from aoti_lint.machine.facts import Facts
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.event import Event
from aoti_lint.values.events.packages import Calling, CompileEvent, SaveEvent
from aoti_lint.values.judge import weaker
from aoti_lint.values.sizes.shapes import inputs
from aoti_lint.values.torch_values import NO_FILE, FileName, Loaded, LoadedProgram, Program, ProgramModule
from aoti_lint.values.values import Absent, Value

if TYPE_CHECKING:  # they load pydantic, which is not needed where no archive is named
    from aoti_lint.program import facts as program
    from aoti_lint.program.named import NamedArchive


@dataclass(frozen=True, slots=True)
class Link:
    """An archive that a script means. `notes` say why one should not trust it too much."""

    archive: NamedArchive
    confidence: Confidence
    notes: tuple[str, ...] = ()

    def packages(self) -> tuple[program.Package, ...]:
        """Its compiled models whose inputs are known; which of several is meant, the script's facts do not say."""
        return tuple(package for package in self.archive.data.packages if package.readable)


def archive_of(facts: Facts, file: FileName, event: Event) -> Link | None:
    """The named archive that `file` means at `event`; None if there is none, or if several may be meant.

    One that is older than the script that writes it makes everything said of it a mere possibility.
    """
    if not facts.archives or file == NO_FILE:
        return None
    found = [(archive, sure) for archive in facts.archives if (sure := _sureness(facts, archive, file, event))]
    best = [pair for pair in found if pair[1] is Confidence.CERTAIN] or found
    if len(best) != 1:
        return None
    archive, sure = best[0]
    for writer in _writers(facts, archive):
        path = writer.span.path
        if _modified(facts, path) > archive.modified:
            note = f"{archive.path} is older than {path}, which writes it: build it again before you believe this"
            return Link(archive, Confidence.POSSIBLE, (note,))
    return Link(archive, sure)


def loaded_archive(facts: Facts, event: Event, loaded: Value) -> Link | None:
    """The named archive behind a loaded model or program, unless the same run has written it."""
    if isinstance(loaded, Loaded):
        if loaded.package is not None and _made_by(facts, event, loaded.package):
            return None
        return archive_of(facts, loaded.file, event)
    if isinstance(loaded, LoadedProgram) and not loaded.moves:
        return archive_of(facts, loaded.file, event)
    return None


def _made_by(facts: Facts, event: Event, package: Value) -> bool:
    """Whether the run that loads a package may have made it; what other scripts made may be what lies there."""
    makers = facts.grouped(CompileEvent, _package)
    return any(
        not isinstance(leaf, Absent) and all(maker.root == event.root for maker in makers.get(leaf, ()))
        for _, leaf in leaves(package, event.path)
    )


def _package(event: CompileEvent) -> tuple[Value]:
    return (event.package,)


def called_archive(facts: Facts, event: Calling) -> Link | None:
    """The named archive behind something that is called, where the scripts do not show the export themselves."""
    target = event.target.program if isinstance(event.target, ProgramModule) else event.target
    candidates = programs_of(facts, event.target, event)
    if any(isinstance(c.value, Program) and any(True for _ in inputs(c.value)) for c in candidates):
        return None
    return loaded_archive(facts, event, target)


def written(facts: Facts, archive: NamedArchive) -> Iterator[tuple[Event, Program, Confidence]]:
    """The exports whose result a script writes to this archive, and how sure that is."""
    for event in _writes(facts):
        file, made = written_to(event)
        sure = _sureness(facts, archive, file, event) if isinstance(made, Program) else None
        if sure is None or not isinstance(made, Program):
            continue
        late = _modified(facts, event.span.path) > archive.modified
        yield event, made, Confidence.POSSIBLE if late else sure


def _writers(facts: Facts, archive: NamedArchive) -> Iterator[Event]:
    for event in _writes(facts):
        if _sureness(facts, archive, written_to(event)[0], event):
            yield event


def _writes(facts: Facts) -> Iterator[CompileEvent | SaveEvent]:
    yield from facts.of(CompileEvent)
    yield from facts.of(SaveEvent)


def _sureness(facts: Facts, archive: NamedArchive, file: FileName, event: Event) -> Confidence | None:
    """How sure it is that `file` is this archive.

    A relative path is meant from the project root or from the folder of the script that runs.
    """
    if file == NO_FILE:
        return None
    parts = tuple(archive.path.split("/"))
    folder = event.root.split("::")[0].rpartition("/")[0]
    keys = [parts]
    if folder and archive.path.startswith(folder + "/"):
        keys.append(tuple(archive.path[len(folder) + 1 :].split("/")))
    absolute = os.path.join(facts.project.root, archive.path).replace(os.sep, "/")
    exact = [*keys, (f"<{PROJECT_ROOT.key}>", *parts), ("/", *absolute.strip("/").split("/"))]
    if file.key in exact:
        return Confidence.CERTAIN
    if file.usual in exact or any(same_file(file.key, key) == "maybe" for key in keys):
        return Confidence.LIKELY
    return None


def _modified(facts: Facts, path: str) -> float:
    try:
        return os.path.getmtime(os.path.join(facts.project.root, path))
    except OSError:
        return 0.0


def capped(link: Link, *confidences: Confidence) -> Confidence:
    """The sureness of a finding that hangs on a link."""
    return weaker(link.confidence, *confidences)
