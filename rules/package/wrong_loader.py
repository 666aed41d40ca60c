"""AOTI616."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aoti_lint.diagnostics import Confidence, Diagnostic, Outcome, Related, Span
from aoti_lint.interp.archives import archive_of
from aoti_lint.interp.events import CompileEvent, Event, LoadEvent, SaveEvent
from aoti_lint.interp.facts import Facts
from aoti_lint.interp.judge import catches, weaker
from aoti_lint.interp.linking import link_between
from aoti_lint.interp.values import Absent, FileName, Loaded, LoadedProgram, Package, Program, leaves
from aoti_lint.rule import Rule

_OF_PACKAGES = ("torch._inductor.aoti_load_package", "torch._inductor.package.load_package",
                "torch._C._aoti.AOTIModelPackageLoader")  # fmt: skip


_WRITES_BOTH = b"package_pt2"
"""torch.export.pt2_archive puts programs and packages into one file with it, which is not followed."""


class WrongLoader(Rule):
    """A compiled package is loaded as an exported program, or the other way round.

    What happens:
        `torch.export.load` of a package raises `RuntimeError: We ran into an error when deserializing the saved file.
        Please check the warnings above for possible errors.` `aoti_load_package` of a saved program logs `Loading
        outdated pt2 file. Please regenerate your package.`, which it is not, and raises `RuntimeError: Failed to find a
        generated cpp file or so file for model 'model' in the zip archive.`

    Why:
        Both are called `.pt2` and are zip files, and hold different things: a program is loaded to be exported or
        compiled again, a package to be run.

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
        Run on torch 2.13 (tests/package/test_torch.py).
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI616"
    name = "wrong-loader"
    outcome = Outcome.RAISES_AT_LOAD

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(LoadEvent):
            if catches(event.caught | event.expected, "RuntimeError"):
                continue
            loaded = event.loaded
            if isinstance(loaded, LoadedProgram):
                found = _package_in(facts, event, loaded.file)
                is_one, right = "an AOTInductor package, not a saved program", "torch._inductor.aoti_load_package"
            elif isinstance(loaded, Loaded) and loaded.api in _OF_PACKAGES:
                found = _program_in(facts, event, loaded)
                is_one, right = "a saved program, not an AOTInductor package", "torch.export.load"
            else:
                continue
            if found is None:
                continue
            confidence, name, place, notes = found
            yield self.found(
                facts,
                event,
                confidence,
                f"{name} is {is_one}: loading raises",
                label="loaded here",
                related=(Related(place, "written here" if place.end else "the file"),),
                notes=notes,
                help=f"load it with {right}",
                symptom="load-error",
            )


_Found = tuple[Confidence, str, Span, tuple[str, ...]]


def _package_in(facts: Facts, event: Event, file: FileName) -> _Found | None:
    """The package that `file` is: as an archive that was named, or as a script writes it."""
    link = archive_of(facts, file, event)
    if link is not None:
        data = link.archive.data
        is_one = data.packages and not data.programs and not data.problems
        return (link.confidence, link.archive.path, link.archive.span, link.notes) if is_one else None
    return _written(facts, event, file, _packages(facts), _programs(facts))


def _program_in(facts: Facts, event: Event, loaded: Loaded) -> _Found | None:
    if loaded.package is not None:
        made = [leaf for _, leaf in leaves(loaded.package, event.path) if not isinstance(leaf, Absent)]
        if not made or not all(isinstance(leaf, Program) for leaf in made):
            return None
        return _written(facts, event, loaded.file, _programs(facts), ())
    link = archive_of(facts, loaded.file, event)
    if link is not None:
        data = link.archive.data
        is_one = data.programs and not data.packages and not data.problems
        return (link.confidence, link.archive.path, link.archive.span, link.notes) if is_one else None
    return _written(facts, event, loaded.file, _programs(facts), _packages(facts))


def _packages(facts: Facts) -> Iterator[tuple[FileName, Event]]:
    for event in facts.of(CompileEvent):
        if isinstance(event.package, Package) and event.package.kind == "pt2":
            yield event.package.file, event


def _programs(facts: Facts) -> Iterator[tuple[FileName, Event]]:
    for event in facts.of(SaveEvent):
        yield event.file, event


def _written(
    facts: Facts,
    event: Event,
    file: FileName,
    wrong: Iterable[tuple[FileName, Event]],
    right: Iterable[tuple[FileName, Event]],
) -> _Found | None:
    """Who writes what cannot be loaded so to `file`; None if nobody does, or somebody may write there what can."""
    if any(link_between(file, event, target, other) is not None for target, other in right):
        return None
    found = [(sure, other) for target, other in wrong
             if (sure := link_between(file, event, target, other)) is not None]  # fmt: skip
    project = facts.project
    if not found or any(
        _WRITES_BOTH in (project.data(path) or b"") for path in (*project.all_files, *project.context())
    ):
        return None
    sure = weaker(*(link for link, _ in found)) if len(found) > 1 else found[0][0]
    name = str(file.key[-1]) if file.key and not str(file.key[-1]).startswith("<") else "the file"
    return sure, name, found[0][1].span, ()
