"""Judges the whole linter on the labelled scripts of `projects/`: what users write, right and wrong.

Each project is copied to a folder of its own and checked by the command line. A finding counts when a diagnostic of one
of its codes has its main or a related place within three lines of the labelled line or of an `also` place; one
diagnostic serves one finding. Nothing else may be reported, neither as an error nor as a warning, unless the label says
that this is a matter of taste, and nothing may be claimed more certain than the label allows.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from tests.preloaded import Preloaded

HERE = Path(__file__).resolve().parent / "projects"
REPOSITORY = HERE.parents[1]
LABELS: dict[str, dict[str, Any]] = json.loads((HERE / "labels.json").read_text(encoding="utf-8"))
CODES = {
    "AOTI101", "AOTI102", "AOTI103", "AOTI104", "AOTI105", "AOTI106", "AOTI107", "AOTI108", "AOTI109", "AOTI110",
    "AOTI111", "AOTI112", "AOTI113", "AOTI201", "AOTI202", "AOTI203", "AOTI204", "AOTI205", "AOTI206", "AOTI207",
    "AOTI208", "AOTI210", "AOTI211", "AOTI212", "AOTI213", "AOTI214", "AOTI215", "AOTI216", "AOTI301", "AOTI302",
    "AOTI304", "AOTI305", "AOTI306", "AOTI308", "AOTI309", "AOTI311", "AOTI312", "AOTI313", "AOTI314", "AOTI315",
    "AOTI320", "AOTI321", "AOTI322", "AOTI323", "AOTI324", "AOTI325", "AOTI326", "AOTI327", "AOTI328", "AOTI329",
    "AOTI330", "AOTI331", "AOTI332", "AOTI333", "AOTI334", "AOTI335", "AOTI336", "AOTI337", "AOTI338", "AOTI339",
    "AOTI401", "AOTI501", "AOTI502", "AOTI503", "AOTI504", "AOTI505", "AOTI506", "AOTI508", "AOTI510", "AOTI511",
    "AOTI512", "AOTI515", "AOTI604", "AOTI612", "AOTI701", "AOTI702", "AOTI703", "AOTI704", "AOTI705",
}  # fmt: skip
NEAR = 3
DEFAULT_TORCH = "2.13"


@dataclass(frozen=True)
class Place:
    """A line of a file; in a notebook, of one of its cells (counted from 1, all kinds of cells)."""

    path: str
    line: int
    cell: int | None = None

    def near(self, other: Place) -> bool:
        """Whether both are in one file (and cell) at most NEAR lines apart."""
        return (self.path, self.cell) == (other.path, other.cell) and abs(self.line - other.line) <= NEAR


@dataclass(frozen=True)
class Found:
    """One diagnostic, as far as judging needs it."""

    code: str
    severity: str
    main: Place
    related: tuple[Place, ...]
    message: str

    def __str__(self) -> str:
        return f"{self.main.path}:{self.main.line} {self.severity} {self.code} {self.message}"


@dataclass(frozen=True)
class Wanted:
    """One labelled finding; the first place is where the fault is."""

    codes: tuple[str, ...]
    severity: str
    must: bool
    places: tuple[Place, ...]
    why: str

    def distance(self, found: Found) -> int | None:
        """How well a diagnostic fits, smaller is better; None if it does not."""
        if found.code not in self.codes:
            return None
        if found.main.near(self.places[0]):
            return abs(found.main.line - self.places[0].line)
        if any(found.main.near(place) for place in self.places):
            return NEAR + 1
        if any(mine.near(place) for mine in found.related for place in self.places):
            return NEAR + 2
        return None

    def __str__(self) -> str:
        return f"{self.places[0].path}:{self.places[0].line} {'/'.join(self.codes)} {self.why}"


def groups() -> dict[str, list[str]]:
    """The labelled files by project; a single script is a project of its own."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(LABELS):
        found["/".join(PurePosixPath(path).parts[:2])].append(path)
    return dict(found)


GROUPS = groups()


def place(path: str, item: dict[str, Any]) -> Place:
    """The place a label names."""
    return Place(path, int(item["line"]), item.get("cell"))


def wanted(paths: list[str]) -> list[Wanted]:
    """All labelled findings of some files."""
    return [
        Wanted(
            tuple(item["codes"]),
            item["severity"],
            item["must"],
            (place(path, item), *(place(also["path"], also) for also in item.get("also", []))),
            item["why"],
        )
        for path in paths
        for item in LABELS[path]["expected"]
    ]


def torch_version(paths: list[str]) -> str:
    """The target version a project is labelled for."""
    named = {LABELS[path]["torch"] for path in paths if "torch" in LABELS[path]}
    assert len(named) <= 1
    return str(next(iter(named), DEFAULT_TORCH))


@pytest.fixture(scope="module")
def linter() -> Iterator[Preloaded]:
    """The command line, without the time that it takes to start."""
    paths = os.pathsep.join(filter(None, [str(REPOSITORY), os.environ.get("PYTHONPATH", "")]))
    preloaded = Preloaded(["tests.warm:check"], {**os.environ, "PYTHONPATH": paths})
    yield preloaded
    preloaded.close()


def check(linter: Preloaded, group: str, folder: Path) -> dict[str, Any]:
    """The linter's JSON document for a copy of one project below `folder`."""
    source = HERE / group
    work = folder / source.stem
    if source.is_dir():
        shutil.copytree(source, work, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        work.mkdir()
        shutil.copy(source, work)
    options = ["--output-format", "json", "--torch-version", torch_version(GROUPS[group])]
    done = linter.run(["-m", "aoti_lint", *options, "."], work, folder)
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    document = json.loads(done.stdout)
    assert document["errors"] == []
    return dict(document)


def diagnostics(document: dict[str, Any], group: str) -> list[Found]:
    """The diagnostics with paths as in the labels."""

    def at(item: dict[str, Any]) -> Place:
        path = f"{group}/{item['filename']}" if (HERE / group).is_dir() else group
        return Place(path, item["location"]["row"], item["cell"])

    return [
        Found(item["code"], item["severity"], at(item), tuple(at(near) for near in item["related"]), item["message"])
        for item in document["diagnostics"]
    ]


def assign(findings: list[Wanted], found: list[Found]) -> dict[int, int]:
    """Index of finding -> index of the diagnostic that serves it, the best fits first."""
    fits = sorted(
        (distance, not finding.must, f, d)
        for f, finding in enumerate(findings)
        for d, diagnostic in enumerate(found)
        if (distance := finding.distance(diagnostic)) is not None
    )
    owner: dict[int, int] = {}
    for _, _, f, d in fits:
        if f not in owner and d not in owner.values():
            owner[f] = d
    return owner


def test_labels_name_real_lines() -> None:
    for path, label in LABELS.items():
        assert set(label["codes"]) == {code for item in label["expected"] for code in item["codes"]} <= CODES
        for item in label["expected"]:
            for spot in (place(path, item), *(place(also["path"], also) for also in item.get("also", []))):
                if spot.cell is None:
                    lines = (HERE / spot.path).read_text(encoding="utf-8").splitlines()
                else:
                    cell = json.loads((HERE / spot.path).read_text(encoding="utf-8"))["cells"][spot.cell - 1]
                    assert cell["cell_type"] == "code"
                    lines = "".join(cell["source"]).splitlines()
                assert lines[spot.line - 1].strip(), f"{spot} is an empty line"


def test_every_script_is_labelled() -> None:
    scripts = {
        path.relative_to(HERE).as_posix()
        for folder in ("trees", "single")
        for path in (HERE / folder).rglob("*")
        if path.suffix in {".py", ".ipynb", ".cpp"} and "__pycache__" not in path.parts
    }
    assert scripts == set(LABELS)


def judge(paths: list[str], reported: list[Found]) -> list[str]:
    """What is wrong with a report on the files of one project."""
    found = [diagnostic for diagnostic in reported if diagnostic.severity in ("error", "warning")]
    findings = wanted(paths)
    owner = assign(findings, found)
    problems = [f"missed: {finding}" for f, finding in enumerate(findings) if finding.must and f not in owner]
    for f, d in owner.items():
        if found[d].severity == "error" and findings[f].severity != "error":
            problems.append(f"claimed for certain: {found[d]}")
    for d, diagnostic in enumerate(found):
        if d in owner.values() or any(finding.distance(diagnostic) is not None for finding in findings):
            continue
        key = "no_other_errors" if diagnostic.severity == "error" else "no_other_warnings"
        if LABELS.get(diagnostic.main.path, {}).get(key, True):
            problems.append(f"false {diagnostic.severity}: {diagnostic}")
    return problems


def test_the_judge_tells_good_reports_from_bad_ones() -> None:
    for paths in GROUPS.values():
        findings = wanted(paths)
        perfect = [Found(w.codes[0], w.severity, w.places[0], (), "") for w in findings]
        assert judge(paths, perfect) == []
        assert len(judge(paths, [])) == sum(finding.must for finding in findings)
        astray = Found("AOTI302", "warning", Place(paths[0], 10_000), (), "")
        assert judge(paths, [*perfect, astray]) == [f"false warning: {astray}"]


@pytest.mark.parametrize("group", GROUPS)
def test_project(linter: Preloaded, group: str, tmp_path: Path) -> None:
    problems = judge(GROUPS[group], diagnostics(check(linter, group, tmp_path), group))
    assert not problems, "\n".join(problems)
