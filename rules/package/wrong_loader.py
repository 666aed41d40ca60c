"""AOTI616."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Related,
    Rule,
    Span,
    VersionSet,
    catches,
    usual,
    weaker,
)
from aoti_lint.rule.events import CompileEvent, Event, FileEvent, HostLoad, LoadEvent, SaveEvent
from aoti_lint.rule.links import archive_of, file_of_host, link_between, writers_of
from aoti_lint.rule.project import is_native
from aoti_lint.rule.values import Absent, FileName, Loaded, LoadedProgram, Package, Program, Value, leaves

_Loading: TypeAlias = LoadEvent | FileEvent | HostLoad
_OF_PACKAGES = ("torch._inductor.aoti_load_package", "torch._inductor.package.load_package",
                "torch._C._aoti.AOTIModelPackageLoader")  # fmt: skip


_OF_LIBRARIES = ("torch._export.aot_load", "torch._C._aoti.AOTIModelContainerRunner")
_OF_CHECKPOINTS = {"torch.load": "torch.save", "torch.jit.load": "torch.jit.save"}
"""Loaders that know neither, and who writes what they load."""
_NEW_PACKAGES = VersionSet.since("2.6")
"""Before, `aot_compile` could give a package too."""

_WRITES_BOTH = "package_pt2"
"""torch.export.pt2_archive puts programs and packages into one file with it, which is not followed."""


class WrongLoader(Rule):
    """An artefact is loaded by the loader of another kind: a package as a program, a checkpoint as a package.

    What happens:
        `torch.export.load` of a package raises `RuntimeError: We ran into an error when deserializing the saved file.
        Please check the warnings above for possible errors.` `aoti_load_package` of a saved program logs `Loading
        outdated pt2 file. Please regenerate your package.`, which it is not, and raises `RuntimeError: Failed to find a
        generated cpp file or so file for model 'model' in the zip archive.` `torch.load` of either raises
        `RuntimeError: PytorchStreamReader failed locating file data.pkl: file not found.`, `torch.jit.load` the same
        of `constants.pkl`. Of what `torch.save` wrote `torch.export.load` says the same as of a package, and
        `aoti_load_package` what it says of a program. `aot_load` of a package raises `RuntimeError: Error in dlopen:
        ./model.pt2: invalid ELF header`, and `aoti_load_package` of a library `RuntimeError: Failed to initialize zip
        archive: failed finding central directory`. In C++ `torch::jit::load` throws the same as `torch.jit.load`, and
        `AOTIModelPackageLoader` of a saved program what `aoti_load_package` raises.

    Why:
        Programs and packages are both called `.pt2` and are zip files, as checkpoints are, and hold different things: a
        program is loaded to be exported or compiled again, a package to be run.

    Bad:
        # file: build.py
        import torch

        program = torch.export.export(torch.nn.Linear(8, 4).eval(), (torch.ones(2, 8),))
        torch._inductor.aoti_compile_and_package(program, package_path="linear.pt2")

        # file: serve.py
        import torch

        run = torch.export.load("linear.pt2").module()  # <- AOTI616

    Good:
        # file: build.py
        import torch

        program = torch.export.export(torch.nn.Linear(8, 4).eval(), (torch.ones(2, 8),))
        torch.export.save(program, "linear_program.pt2")
        torch._inductor.aoti_compile_and_package(program, package_path="linear.pt2")

        # file: serve.py
        import torch

        run = torch._inductor.aoti_load_package("linear.pt2")
        program = torch.export.load("linear_program.pt2")

    How to debug:
        `aoti-lint inspect model.pt2` says in its first line which of the two a file is.

    Sources:
        Run on torch 2.13 (this project's tests).
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI616"
    name = "wrong-loader"
    outcome = Outcome.RAISES_AT_LOAD

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        files = (one for one in facts.of(FileEvent) if not is_native(one.span.path) or _is_told(facts, one))
        hosts = (one for one in facts.of(HostLoad) if not one.device and _is_told(facts, one))
        events: list[_Loading] = [*facts.of(LoadEvent), *files, *hosts]
        for event in events:
            if catches(event.caught | event.expected, "RuntimeError") or event.is_after_failure:
                continue
            for kind, found in self._loaded(facts, event):
                if found is None:
                    continue
                confidence, name, place, notes = found
                unusual = any(usual(c) is not answer for c, answer in event.path.items() if c.kind != "machine")
                read = any(c.kind == "unknown" for c in event.path)
                if read or (confidence is not Confidence.CERTAIN and unusual):
                    # What picks this loader, such as an option or a file that lies beside, picks its file as well.
                    confidence = Confidence.POSSIBLE
                is_one, right = _KINDS[kind]
                yield self.found(
                    facts,
                    event,
                    confidence,
                    f"{name} is {is_one}, not {_wanted(event)}: loading raises",
                    label="loaded here",
                    related=(Related(place, "written here" if place.end else "the file"),),
                    notes=notes,
                    help=f"load it with {right}" if not is_native(event.span.path) else _IN_CPP[kind],
                    symptom="load-error",
                )
                break

    @staticmethod
    def _loaded(facts: Facts, event: _Loading) -> Iterator[tuple[str, _Found | None]]:
        """What a loader is given that it cannot load, by the kinds it cannot."""
        if isinstance(event, FileEvent):
            if event.api in _OF_CHECKPOINTS:
                right = list(_checkpoints(facts, event.file, _OF_CHECKPOINTS[event.api]))
                yield "package", _package_in(facts, event, event.file, right)
                yield "program", _named_program(facts, event, event.file, right)
            return
        if isinstance(event, HostLoad):
            file = file_of_host(facts, event.file)
            others = [*_packages(facts, file), *_checkpoints(facts, file)]
            yield "program", _written(facts, event, file, _programs(facts, file), others)
            return
        loaded = event.loaded
        if isinstance(loaded, LoadedProgram):
            others = [*_programs(facts, loaded.file), *_checkpoints(facts, loaded.file)]
            yield "package", _package_in(facts, event, loaded.file, others)
            yield "checkpoint", _checkpoint_in(facts, event, loaded.file)
        elif isinstance(loaded, Loaded) and loaded.api in _OF_PACKAGES:
            yield "program", _program_in(facts, event, loaded)
            yield "checkpoint", _checkpoint_in(facts, event, loaded.file)
            if event.versions <= _NEW_PACKAGES:
                yield "library", _artefact(facts, event, loaded, "so")
        elif isinstance(loaded, Loaded) and loaded.api.startswith(_OF_LIBRARIES):
            yield "bare package", _artefact(facts, event, loaded, "pt2")


def _is_told(facts: Facts, event: Event) -> bool:
    """Whether C++ is among what is checked, or is tied to it."""
    return event.span.path in facts.project.all_natives


_KINDS = {
    "package": ("an AOTInductor package", "torch._inductor.aoti_load_package"),
    "program": ("a saved program", "torch.export.load(path).module(), which can be called"),
    "library": ("a compiled library", "torch._export.aot_load(path, device)"),
    "checkpoint": ("a checkpoint", "torch.load, or write it with what writes the other kind"),
    "bare package": ("an AOTInductor package", "torch._inductor.aoti_load_package"),
}
"""What a message says of an artefact, and what loads it."""


_IN_CPP = {
    "package": "load it with torch::inductor::AOTIModelPackageLoader",
    "program": "make a package of it, which C++ can load: torch._inductor.aoti_compile_and_package(program)",
}


def _wanted(event: _Loading) -> str:
    """What the loader loads."""
    if isinstance(event, HostLoad):
        return "an AOTInductor package"
    if isinstance(event, FileEvent):
        return "a TorchScript module" if event.api == "torch.jit.load" else "a checkpoint"
    if isinstance(event.loaded, Loaded):
        return "a compiled library" if event.loaded.api.startswith(_OF_LIBRARIES) else "an AOTInductor package"
    return "a saved program"


_Found = tuple[Confidence, str, Span, tuple[str, ...]]
_Writer = tuple[FileName, Event]


def _package_in(facts: Facts, event: Event, file: FileName, right: Iterable[_Writer]) -> _Found | None:
    """The package that `file` is: as an archive that was named, or as a script writes it."""
    link = archive_of(facts, file, event)
    if link is not None:
        data = link.archive.data
        is_one = data.packages and not data.programs and not data.problems
        return (link.confidence, link.archive.path, link.archive.span, link.notes) if is_one else None
    return _written(facts, event, file, _packages(facts, file), right)


def _program_in(facts: Facts, event: Event, loaded: Loaded) -> _Found | None:
    if loaded.package is not None:
        made = _made(event, loaded)
        if not made or not all(isinstance(leaf, Program) for leaf in made):
            return None
        return _written(facts, event, loaded.file, _programs(facts, loaded.file), ())
    others = [*_packages(facts, loaded.file), *_checkpoints(facts, loaded.file)]
    return _named_program(facts, event, loaded.file, others)


def _named_program(facts: Facts, event: Event, file: FileName, right: Iterable[_Writer]) -> _Found | None:
    """The saved program that `file` is."""
    link = archive_of(facts, file, event)
    if link is not None:
        data = link.archive.data
        is_one = data.programs and not data.packages and not data.problems
        return (link.confidence, link.archive.path, link.archive.span, link.notes) if is_one else None
    return _written(facts, event, file, _programs(facts, file), right)


def _checkpoint_in(facts: Facts, event: Event, file: FileName) -> _Found | None:
    """The checkpoint, or pickled program, that `file` is."""
    others = [*_programs(facts, file), *_packages(facts, file)]
    return _written(facts, event, file, _checkpoints(facts, file), others)


def _artefact(facts: Facts, event: Event, loaded: Loaded, kind: str) -> _Found | None:
    """What was compiled to the other kind of file, in the same run or by another script."""
    if loaded.package is not None:
        made = _made(event, loaded)
        packages = [leaf for leaf in made if isinstance(leaf, Package) and leaf.kind == kind]
        if not made or len(packages) < len(made):
            return None
        return Confidence.CERTAIN, _name(loaded.file), packages[0].span, ()
    compiled = writers_of(facts, CompileEvent, loaded.file)
    wrong, right = (
        [(e.package.file, e) for e in compiled if isinstance(e.package, Package) and (e.package.kind == kind) is same]
        for same in (True, False)
    )
    return _written(facts, event, loaded.file, wrong, [*right, *_programs(facts, loaded.file)])


def _made(event: Event, loaded: Loaded) -> list[Value]:
    """What the same run wrote to the file."""
    found = leaves(loaded.package, event.path) if loaded.package is not None else []
    return [leaf for _, leaf in found if not isinstance(leaf, Absent)]


def _packages(facts: Facts, file: FileName) -> Iterator[_Writer]:
    """What is compiled to a package that may be this file."""
    for event in writers_of(facts, CompileEvent, file):
        if isinstance(event.package, Package) and event.package.kind == "pt2":
            yield event.package.file, event


def _programs(facts: Facts, file: FileName) -> Iterator[_Writer]:
    for event in writers_of(facts, SaveEvent, file):
        yield event.file, event


def _checkpoints(facts: Facts, file: FileName, *apis: str) -> Iterator[_Writer]:
    """What is written to it by these functions, or by any of those that write checkpoints."""
    for event in writers_of(facts, FileEvent, file):
        if event.api in (apis or _OF_CHECKPOINTS.values()):
            yield event.file, event


def _written(
    facts: Facts,
    event: Event,
    file: FileName,
    wrong: Iterable[_Writer],
    right: Iterable[_Writer],
) -> _Found | None:
    """Who writes what cannot be loaded so to `file`; None if nobody does, or somebody may write there what can."""
    if any(link_between(file, event, target, other) is not None for target, other in right):
        return None
    found = [(sure, other) for target, other in wrong
             if (sure := link_between(file, event, target, other)) is not None]  # fmt: skip
    if not found or facts.project.holding(_WRITES_BOTH):
        return None
    sure = weaker(*(link for link, _ in found)) if len(found) > 1 else found[0][0]
    return sure, _name(file), found[0][1].span, ()


def _name(file: FileName) -> str:
    return str(file.key[-1]) if file.key and not str(file.key[-1]).startswith("<") else "the file"
