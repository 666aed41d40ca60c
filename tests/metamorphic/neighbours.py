"""Order, names and neighbours decide nothing: what is said of a program in other surroundings is what is said of it.

`python -m tests.metamorphic.neighbours [RELATION…]` tries all programs, and prints each difference.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from unittest import mock

from aoti_lint.source.project import Project
from tests.metamorphic import surroundings
from tests.metamorphic.programs import Program, apart, programs
from tests.metamorphic.surroundings import CALLERS, IMPORTERS, Layout
from tests.metamorphic.verdicts import Said, document, said, write

SURENESS = ("possible", "likely", "certain")
MARKER = "setup.cfg"
"""What says that its folder is the root of a project, whichever file is named."""
TORCH_FIRST = ("when compiled", "when exported")
"""Importers that have torch read its variables first."""


class Bench:
    """Checks programs in folders of its own, below `folder`."""

    def __init__(self, folder: Path, chosen: Mapping[str, Program]) -> None:
        self.folder, self.programs = folder, dict(chosen)
        self._numbers = itertools.count()
        self.checks = 0

    def check(self, files: Mapping[str, str], named: str = "", back: Mapping[str, str] | None = None) -> set[Said]:
        """What is said of files in a folder, or of the one that is named."""
        self.checks += 1
        folder = self.folder / str(next(self._numbers))
        write(folder, {MARKER: "", **files})
        return set(said(folder, document([folder / named]), back))

    @cached_property
    def before(self) -> dict[str, set[Said]]:
        """What is said of each program as it is."""
        return {name: self.check(one.files) for name, one in self.programs.items()}

    def compare(self, name: str, after: Layout) -> Iterator[str]:
        """How what is said of a program in another layout differs."""
        yield from differences(plain(self.before[name]), plain(self.check(after.files, back=after.back)), name)

    def kept(self, name: str, after: Layout, *, without: str = "-") -> Iterator[str]:
        """What is not said any more of a program, or less surely; codes that begin with `without` do not matter."""
        found = {key(one): SURENESS.index(one.confidence) for one in sorted(self.check(after.files), key=_sureness)}
        for one in self.before[name]:
            if not one.code.startswith(without) and found.get(key(one), -1) < SURENESS.index(one.confidence):
                yield f"{name}: lost {one}"

    def with_findings(self) -> Iterator[tuple[str, Program, str]]:
        """The programs of which something is said, with each of the modules where that is."""
        for name, program in self.programs.items():
            places = {one.file for one in self.before[name]}
            for path in program.scripts:
                if path in places and surroundings.is_module(path):
                    yield name, program, path


def _sureness(one: Said) -> int:
    return SURENESS.index(one.confidence)


def key(one: Said) -> tuple[str, ...]:
    """A finding without how sure it is."""
    return one.file, one.line, one.code, one.message


def plain(found: set[Said]) -> set[Said]:
    """The findings without what else belongs to their stories: of several callers any one may be shown."""
    return {replace(one, others=()) for one in found}


def differences(before: set[Said], after: set[Said], name: str) -> Iterator[str]:
    """What is said on one side only."""
    yield from (f"{name}: lost {one}" for one in sorted(before - after))
    yield from (f"{name}: new {one}" for one in sorted(after - before))


# ---------------------------------------------------------------- relations


def renamed(bench: Bench) -> Iterator[str]:
    """Files that sort the other way round."""
    for name, program in bench.programs.items():
        layout = surroundings.renamed(program)
        if layout is not None:
            yield from bench.compare(name, layout)


def reordered(bench: Bench) -> Iterator[str]:
    """Definitions and methods in another order."""
    for turn in (surroundings.backwards, surroundings.shuffled(1)):
        for name, program in bench.programs.items():
            layout = surroundings.reordered(program, turn)
            if layout is not None:
                yield from bench.compare(name, layout)


def turned(bench: Bench) -> Iterator[str]:
    """The files of a run in the other order, with all that is told with a finding."""
    made = Project.__init__

    def other(self: Project, *args: object, **kwargs: object) -> None:
        made(self, *args, **kwargs)  # type: ignore[arg-type]
        self.__dict__["analysed"] = self.analysed[::-1]

    several = {name: program for name, program in bench.programs.items() if len(program.scripts) > 1}
    before = {name: bench.before[name] for name in several}
    with mock.patch.object(Project, "__init__", other):
        for name, program in several.items():
            yield from differences(before[name], bench.check(program.files), name)


def alone(bench: Bench) -> Iterator[str]:
    """Each file by its name: what is said of it in the run over all that tells of no other file, and nothing else."""
    for name, program in bench.programs.items():
        for path in program.files if len(program.files) > 1 else ():
            if path.endswith((".py", ".ipynb")):
                whole = {one for one in bench.before[name] if one.file == path}
                own = {one for one in bench.check(program.files, path) if one.file == path}
                lost = {one for one in whole if not one.others} - plain(own)
                new = {one for one in own if not one.others} - plain(whole)
                yield from differences(lost, new, f"{name}, {path} alone")


def imported(bench: Bench) -> Iterator[str]:
    """Another file imports one of them, in all ways."""
    for name, program, path in bench.with_findings():
        for how, first in itertools.product(IMPORTERS, (True, False)):
            # What torch has read by then decides what variables do.
            without = "AOTI5" if how in TORCH_FIRST else "-"
            for lost in bench.kept(name, surroundings.imported(program, path, how, first), without=without):
                yield f"imported {how}: {lost}"


def called(bench: Bench) -> Iterator[str]:
    """Another file calls what one of them defines where that is only run for what it leaves behind."""
    for name, program, path in bench.with_findings():
        for how, first in itertools.product(CALLERS, (True, False)):
            layout = surroundings.called(program, path, how, first)
            if layout is not None:
                for lost in bench.kept(name, layout, without="AOTI5"):
                    yield f"called {how}: {lost}"


def together(bench: Bench) -> Iterator[str]:
    """All of them in one run, each in a folder of its own, with names for ops and artefacts that no other one has."""
    marked = {name: apart(one, f"{i:04}") for i, (name, one) in enumerate(bench.programs.items())}
    before = {name: bench.check(one.files) for name, one in marked.items()}
    folder = bench.folder / "together"
    places = {name: folder / f"p{i:04}" for i, name in enumerate(marked)}
    for name, one in marked.items():
        write(places[name], one.files)
    found = document([folder])
    bench.checks += 1
    for name in marked:
        yield from differences(plain(before[name]), plain(set(said(places[name], found))), name)


def again(bench: Bench) -> Iterator[str]:
    """Once more in the same process, the last one first."""
    before = bench.before
    for name in reversed(bench.programs):
        yield from differences(before[name], bench.check(bench.programs[name].files), name)


RELATIONS: dict[str, tuple[Callable[[Bench], Iterator[str]], int]] = {
    "renamed": (renamed, 6),
    "reordered": (reordered, 6),
    "turned": (turned, 4),
    "alone": (alone, 6),
    "imported": (imported, 40),
    "called": (called, 40),
    "together": (together, 6),
    "again": (again, 12),
}
"""What may not decide anything, each with how many programs stand for one that is tried in every run of the tests."""


def sample(every: int) -> dict[str, Program]:
    """One program of so many, always the same ones."""
    return {name: one for name, one in programs().items() if zlib.crc32(name.encode()) % every == 0}


def main(arguments: Sequence[str] | None = None) -> int:
    """Try all programs in the relations that are named, or in all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("relations", nargs="*", choices=[[], *RELATIONS], help="all by default")
    parser.add_argument("--every", type=int, default=1, help="one program of so many")
    options = parser.parse_args(arguments)
    wrong = 0
    for name in options.relations or RELATIONS:
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(Path(folder), sample(options.every))
            before = wrong
            for one in RELATIONS[name][0](bench):
                print(f"{name}: {one}", flush=True)
                wrong += 1
            print(f"{name}: {wrong - before} differences in {bench.checks} checks", flush=True)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
