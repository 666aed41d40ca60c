"""What a check of a whole project says of a file, a check of it alone says: a finding is told at each of its ends."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options
from aoti_lint.source.discovery.discover import is_native, is_python

TREES = Path(__file__).parent / "projects" / "trees"


@pytest.mark.parametrize("tree", sorted(path.name for path in TREES.iterdir()))
def test_a_file_alone_tells_what_the_project_tells_of_it(
    tree: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / tree
    shutil.copytree(TREES / tree, folder)
    (folder / ".git").mkdir()
    monkeypatch.chdir(folder)
    whole = found(".")
    for path in sorted(folder.rglob("*")):
        if path.is_file() and (is_python(path.name) or is_native(path.name)):
            name = path.relative_to(folder).as_posix()
            alone = found(name)
            assert {one["filename"] for one in alone} <= {name}
            assert known_by(alone) == known_by(one for one in whole if name in files_of(one)), name


def found(path: str) -> list[dict[str, Any]]:
    """All that is told of a path, without what any run before has left."""
    findings: list[dict[str, Any]] = check(Options([path], Config(), pedantic=True, cache=False)).document[
        "diagnostics"
    ]
    return findings


def files_of(finding: dict[str, Any]) -> set[str]:
    """The files that take part in a finding."""
    return {finding["filename"], *(related["filename"] for related in finding["related"])}


def known_by(findings: Any) -> Counter[tuple[str, ...]]:
    """What findings are told by, wherever each is told."""
    return Counter((one["code"], one["fingerprint"], one["severity"], one["confidence"]) for one in findings)
