"""Which files mention a name, and that an answer about it is not remembered for too long."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aoti_lint.files.cache import Cache
from aoti_lint.files.opener import Kind, read_file
from aoti_lint.source.interest import mentions
from aoti_lint.source.project import Project
from aoti_lint.source.remembered.dependencies import Dependencies
from aoti_lint.source.remembered.glances import Glances


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")


def test_a_name_as_a_whole_in_any_language(tmp_path: Path) -> None:
    write(tmp_path, a__py="print('FLAG_A')\n", b__cpp='getenv("FLAG_A");', c__sh="echo $FLAG_A_TOO\n", d__bin="FLAG_A")
    found = Project(tmp_path, ["a.py"]).mentions("FLAG_A")
    assert found.files == ["a.py", "b.cpp"]
    assert found.complete


def test_each_of_many_names_in_each_of_many_files(tmp_path: Path) -> None:
    write(tmp_path, a__py="", b__py="X1 X2", c__py="AX1 X1A X1", d__py="X12 X1", e__py="x1\n\nX2")
    project = Project(tmp_path, ["a.py"])
    assert project.mentions("X1").files == ["b.py", "c.py", "d.py"]
    assert project.mentions("X2").files == ["b.py", "e.py"]
    assert project.mentions("x1").files == ["e.py"]
    assert project.mentions("X").files == []


def test_the_whole_disk_is_no_project() -> None:
    project = Project("/", [])
    assert (project.context(), project.context_complete) == ([], False)
    assert (project.mentions("FLAG_A").files, project.mentions("FLAG_A").complete) == ([], False)


def test_a_new_file_with_the_name_changes_the_answer(tmp_path: Path) -> None:
    write(tmp_path, a__py="print('FLAG_A')\n")
    project = Project(tmp_path, ["a.py"])
    project.mentions("FLAG_A")
    kept = Dependencies.from_json(json.loads(json.dumps(project.dependencies().to_json())))
    assert kept.unchanged(str(tmp_path), ["a.py"], (), Glances(str(tmp_path), {}, None))
    write(tmp_path, run__sh="echo $FLAG_B\n")
    assert kept.unchanged(str(tmp_path), ["a.py"], (), Glances(str(tmp_path), {}, None))
    write(tmp_path, run__sh="echo $FLAG_A\n")
    assert not kept.unchanged(str(tmp_path), ["a.py"], (), Glances(str(tmp_path), {}, None))


def test_what_changed_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing else, as long as there are no other files."""
    read: list[str] = []

    def note(path: str, kind: Kind) -> bytes:
        read.append(Path(path).name)
        return read_file(path, kind)

    monkeypatch.setattr(mentions, "read_file", note)
    kept = Cache(tmp_path / "kept")

    def asked(*words: str) -> list[list[str]]:
        read.clear()
        project = Project(tmp_path / "project", ["a.py"], cache=kept)
        found = [project.mentions(word).files for word in words]
        project.remember()
        return found

    (tmp_path / "project").mkdir()
    write(tmp_path / "project", a__py="ONE", b__py="ONE TWO", c__py="TWO")
    assert asked("ONE", "TWO") == [["a.py", "b.py"], ["b.py", "c.py"]]
    assert read == ["a.py", "b.py", "c.py"]
    write(tmp_path / "project", b__py="THREE", c__py="TWO and ONE")
    assert asked("ONE") == [["a.py", "c.py"]]
    assert read == ["b.py", "c.py"]
    assert asked("TWO", "ONE") == [["c.py"], ["a.py", "c.py"]]
    assert read == []
    write(tmp_path / "project", d__py="TWO")
    assert asked("TWO") == [["c.py", "d.py"]]
    assert len(read) == 4
