"""However a project came to be what it is, what is said of it is what is said of it afresh."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.linking import analysis
from aoti_lint.machine.recorded import units
from aoti_lint.options import Options
from aoti_lint.session import Session
from tests.session.edits import NAMES, edited, text_of

STEPS = 12


@pytest.mark.parametrize("seed", range(10))
def test_whatever_was_edited(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are changed, added, deleted, renamed, broken and mended, saved or not; all of them are checked, or some."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AOTI_LINT_DEBUG", "1")
    if seed % 2:
        # As in a project of many files.
        monkeypatch.setattr(units, "MANY", 0)
        monkeypatch.setattr(analysis, "MANY", 0)
    (tmp_path / "pyproject.toml").write_text("")
    pick = random.Random(seed)
    options = asked(".")
    remembering = asked(".", cache_dir=str(tmp_path / ".kept"))
    session = Session(options)
    files: dict[str, str] = {}
    for step in range(STEPS):
        for _ in range(pick.choice((1, 1, 3)) if files else 4):
            change(files, pick)
        write(tmp_path, files)
        unsaved = pick.choice(sorted(files)) if files and pick.random() < 0.5 else None
        if unsaved is not None:
            (tmp_path / unsaved).write_text("import torch\n")
            session.open(unsaved, files[unsaved])
        found = session.diagnostics().document
        if unsaved is not None:
            session.close(unsaved)
            write(tmp_path, files)
        expected = check(options).document
        assert written(found) == written(expected), (seed, step, "in a session")
        assert written(check(remembering).document) == written(expected), (seed, step, "with what is on disk")
        some = pick.sample(sorted(files), pick.randrange(1, len(files) + 1)) if files else ["."]
        found = check(asked(*some, cache_dir=remembering.cache_dir)).document
        assert written(found) == written(check(asked(*some)).document), (seed, step, some)


def asked(*paths: str, cache_dir: str | None = None) -> Options:
    """Everything that there is to say of these paths."""
    return Options([*paths], Config(), pedantic=True, coverage=True, cache=cache_dir is not None, cache_dir=cache_dir)


def written(document: dict[str, Any]) -> str:
    """A document as text."""
    return json.dumps(document, sort_keys=True)


def change(files: dict[str, str], pick: random.Random) -> None:
    """Something that somebody does to the files."""
    path = f"{pick.choice(NAMES)}.py"
    what = pick.random()
    if path not in files or what < 0.2:
        files[path] = text_of(pick)
    elif what < 0.3:
        del files[path]
    elif what < 0.4:
        files[f"{pick.choice(NAMES)}.py"] = files.pop(path)
    elif what < 0.55:
        # The same below a folder: as all that it uses is found beside it, at the root or not at all, it may be a copy.
        files[f"{pick.choice(('old', 'new'))}/{path}"] = files[path]
    else:
        files[path] = edited(files[path], pick)


def write(folder: Path, files: dict[str, str]) -> None:
    """Make the folder hold these files, and no other."""
    for old in folder.rglob("*.py"):
        if old.relative_to(folder).as_posix() not in files:
            old.unlink()
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
