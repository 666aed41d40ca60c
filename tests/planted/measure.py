"""Plants mistakes in the files of projects, and looks at what an editor that has the file open would then show."""

from __future__ import annotations

import ast
import itertools
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aoti_lint.config import Config
from aoti_lint.options import Options
from aoti_lint.session import Session
from tests.mutation.source import Text, apply
from tests.planted import compiles, exports, ops
from tests.planted.plant import KINDS, Plant
from tests.planted.source import Function, Source

__all__ = ["Outcome", "chosen", "sites", "try_all"]

TORCH = "2.13"
_SPEAKS = re.compile(
    rb"\b(torch(\.| import ).*(export|compile|library|onnx|_inductor|_dynamo|_functorch)|register_fake|TORCH)"
)
_NUMBER = re.compile(r"\d+")
MODULES = (exports, compiles, ops)
"""The modules whose kinds there are: importing them registers these."""


@dataclass(frozen=True)
class Site:
    """A place of a project where one mistake of a kind can be planted."""

    project: Path
    file: str
    kind: str
    plant: Plant


@dataclass(frozen=True)
class Outcome:
    """What was said of one planted mistake: the codes of what is new at it, and of what is new elsewhere."""

    site: Site
    text: bytes
    row: int
    codes: tuple[str, ...]
    elsewhere: tuple[str, ...]
    before: tuple[str, ...]
    """What is said of the file as it is."""

    @property
    def told(self) -> bool:
        return bool(self.codes)


def sites(project: Path) -> Iterator[Site]:
    """All places of a project where something can be planted."""
    for path in sorted(project.rglob("*.py")):
        if not path.is_file() or not _SPEAKS.search(data := path.read_bytes()):
            continue
        try:
            source = Source(data)
        except (SyntaxError, ValueError, RecursionError):
            continue
        for kind, planter in KINDS.items():
            for plant in planter(source):
                yield Site(project, path.relative_to(project).as_posix(), kind, plant)


def _is_python(site: Site) -> bool:
    try:
        ast.parse(apply((site.project / site.file).read_bytes(), site.plant.edits))
    except SyntaxError:
        return False
    return True


def chosen(every: Iterable[Site], seed: int, each: int) -> list[Site]:
    """At most `each` sites of each kind, of as many projects and files as there are; the file is Python with each."""
    kinds: dict[str, list[Site]] = {}
    for one in every:
        kinds.setdefault(one.kind, []).append(one)
    found: list[Site] = []
    for kind in sorted(kinds):
        turn = random.Random(f"{seed} {kind}")
        of_kind = turn.sample(kinds[kind], len(kinds[kind]))
        projects: Counter[Path] = Counter()
        files: Counter[tuple[Path, str]] = Counter()
        ranks: list[tuple[int, int, int]] = []
        for index, one in enumerate(of_kind):
            ranks.append((files[one.project, one.file], projects[one.project], index))
            files[one.project, one.file] += 1
            projects[one.project] += 1
        found += itertools.islice((of_kind[index] for *_, index in sorted(ranks) if _is_python(of_kind[index])), each)
    return found


def try_all(every: Iterable[Site]) -> Iterator[Outcome]:
    """Plant each mistake alone, file by file: what a file says unbroken is asked once."""
    by_file: dict[tuple[Path, str], list[Site]] = {}
    for one in every:
        by_file.setdefault((one.project, one.file), []).append(one)
    for project in sorted({project for project, _ in by_file}):
        editor = Editor()
        for (of, file), planted in sorted(by_file.items(), key=lambda item: item[0]):
            if of == project:
                yield from _of_file(editor, project / file, planted)


def _of_file(editor: Editor, path: Path, planted: Sequence[Site]) -> Iterator[Outcome]:
    data = path.read_bytes()
    whole = editor.shown(path, data)
    before = Counter(_known(one) for one in whole)
    said = tuple(f"{path}:{one['location']['row']} {one['severity']} {one['code']} {one['message']}" for one in whole)
    for site in planted:
        broken = apply(data, site.plant.edits)
        left = Counter(before)
        at, elsewhere = [], []
        rows = _rows(data, site.plant)
        for item in editor.shown(path, broken):
            if left[_known(item)] > 0:
                left[_known(item)] -= 1
            elif any(_is_at(place, path, rows) for place in (item, *item["related"])):
                at.append(item["code"])
            else:
                elsewhere.append(item["code"])
        row = broken[: site.plant.edits[0][0]].count(b"\n") + 1
        yield Outcome(site, broken, row, tuple(sorted(at)), tuple(sorted(elsewhere)), said)


class Editor:
    """An editor with one file of a project open at a time."""

    def __init__(self) -> None:
        self._session = Session(Options([], Config(), cache=False, torch_version=TORCH))

    def shown(self, path: Path, data: bytes) -> list[dict[str, Any]]:
        """The errors and warnings that it shows when the file holds this."""
        self._session.open(str(path), data)
        found = self._session.diagnostics().document["diagnostics"]
        self._session.close(str(path))
        return [one for one in found if one["severity"] != "info" and Path(one["filename"]).resolve() == path.resolve()]


def _known(item: dict[str, Any]) -> tuple[str, str]:
    """A finding without its place: lines move."""
    return item["code"], _NUMBER.sub("", item["message"])


def _is_at(place: dict[str, Any], path: Path, rows: Sequence[range]) -> bool:
    same = Path(place["filename"]).resolve() == path.resolve()
    return same and any(place["location"]["row"] in one for one in rows)


def _rows(data: bytes, plant: Plant) -> list[range]:
    """The rows of the broken text that belong to the mistake: those of the edits, and of the statements at its ends."""
    broken, text = apply(data, plant.edits), Text(data)

    def row(offset: int) -> int:
        """Where in the broken text something is that stood here, or where what was put here begins."""
        shift = sum(len(new) - (end - start) for start, end, new in plant.edits if start < offset)
        return broken.count(b"\n", 0, max(offset + shift, 0)) + 1

    found = [range(row(start), row(start) + new.count(b"\n") + 1) for start, _, new in plant.edits]
    for node in plant.ends:
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        last = node.end_lineno or node.lineno
        if not isinstance(node, Function) and hasattr(node, "body"):
            # Of `with` and its kin, the head alone.
            last = max(node.lineno, node.body[0].lineno - 1)
        found.append(range(row(text.lines[first - 1]), row(text.lines[last] - 1) + 1))
    return found
