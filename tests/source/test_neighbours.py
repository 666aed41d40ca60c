"""Which files are analysed with those that somebody named."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.source.discovery import discover
from aoti_lint.source.discovery.discover import others_in
from aoti_lint.source.project import Project
from aoti_lint.source.ties import neighbours

EXPORTS = "import torch\n\ntorch.export.export(m, (x,))\n"


def beside(root: Path, named: str, files: dict[str, str]) -> list[str]:
    """The files that are analysed with the named one."""
    for path, text in files.items():
        (root / path).parent.mkdir(exist_ok=True, parents=True)
        (root / path).write_text(text)
    (root / "pyproject.toml").touch()
    return neighbours.neighbours(Project(root, [named], others=others_in(str(root))))


FILES = {
    "pack/__init__.py": "",
    "pack/model.py": EXPORTS,
    "main.py": f"from pack.model import make\n{EXPORTS}",
    "run_main.py": f"import main\n{EXPORTS}",
    "saves.py": f"{EXPORTS}save('net.pt2')\n",
    "loads.cpp": 'TORCH_LIBRARY(mine, m) {}\nload("net.pt2");\n',
    "ops.py": f"torch.ops.mine.add\n{EXPORTS}",
    "other.py": EXPORTS,
    "plain.py": "import main\n",
}


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("pack/model.py", ["main.py", "run_main.py"]),
        ("main.py", ["pack/model.py", "run_main.py"]),
        ("plain.py", ["main.py", "pack/model.py", "run_main.py"]),
        ("saves.py", ["loads.cpp", "ops.py"]),
        ("ops.py", ["loads.cpp", "saves.py"]),
        ("other.py", []),
    ],
)
def test_what_is_tied_to_it(named: str, expected: list[str], tmp_path: Path) -> None:
    assert beside(tmp_path, named, FILES) == expected


def test_the_nearest_of_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that use it come before those that use the same as it, which many do."""
    monkeypatch.setattr(neighbours, "SMALL", 5)
    monkeypatch.setattr(neighbours, "MOST", 3)
    files = {
        "a.py": f"import hub\n{EXPORTS}",
        "hub.py": "",
        **{f"also{n}.py": f"import hub\n{EXPORTS}" for n in range(20)},
        **{f"user{n}.py": f"import a\n{EXPORTS}" for n in range(2)},
        "late.py": f"import user0\n{EXPORTS}",
        "later.py": f"import late\n{EXPORTS}",
    }
    assert beside(tmp_path, "a.py", files) == ["late.py", "user0.py", "user1.py"]


def test_a_package_hands_names_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who imports it for others of its modules, or names, has nothing to do with the file."""
    monkeypatch.setattr(neighbours, "SMALL", 0)
    files = {
        "pack/__init__.py": "from .a import made\nfrom .b import other\n",
        "pack/a.py": EXPORTS,
        "pack/b.py": EXPORTS,
        "by_name.py": f"from pack import made\n{EXPORTS}",
        "by_attribute.py": f"import pack\npack.made()\n{EXPORTS}",
        "of_all.py": f"from pack import *\nmade()\n{EXPORTS}",
        "of_nothing.py": f"from pack import *\n{EXPORTS}",
        "of_other.py": f"from pack import other\n{EXPORTS}",
        "of_module.py": f"import pack.b\n{EXPORTS}",
    }
    assert beside(tmp_path, "pack/a.py", files) == ["by_attribute.py", "by_name.py", "of_all.py"]


def test_few_that_use_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One may set there what the other reads."""
    monkeypatch.setattr(neighbours, "SMALL", 0)
    files = {"a.py": f"import state\n{EXPORTS}", "state.py": "", "b.py": f"import state\n{EXPORTS}", "c.py": EXPORTS}
    assert beside(tmp_path, "a.py", files) == ["b.py"]


def test_settings_that_say_the_same(tmp_path: Path) -> None:
    files = {
        "make.py": f"{EXPORTS}open('set.yaml')\n",
        "serve/run.py": f"{EXPORTS}load('net.pt2')\n",
        "set.yaml": "file: net.pt2\n",
    }
    assert beside(tmp_path, "serve/run.py", files) == ["make.py"]
    assert beside(tmp_path, "make.py", files) == ["serve/run.py"]


def test_a_folder_that_is_no_project(tmp_path: Path) -> None:
    """What lies somewhere below it may be anybody's."""
    for path in ("a.py", "b.py", "below/c.py"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("import a\n")
    assert others_in(str(tmp_path)) == ["a.py", "b.py"]
    assert others_in("/") == []


def test_a_project_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home may be one, too."""
    monkeypatch.setattr(discover, "MOST_FOLDERS", 3)
    monkeypatch.setattr(discover, "MOST_FILES", 4)
    (tmp_path / ".git").mkdir()
    for n in range(9):
        (tmp_path / f"f{n}/g").mkdir(parents=True)
        (tmp_path / f"f{n}/g/a.py").touch()
    assert others_in(str(tmp_path)) == ["f0/g/a.py"]
    for n in range(9):
        (tmp_path / f"b{n}.py").touch()
    assert others_in(str(tmp_path)) == [f"b{n}.py" for n in range(4)]
    monkeypatch.setattr(discover, "MOST_BYTES", 2)
    for n in range(9):
        (tmp_path / f"b{n}.py").write_text("1")
    assert others_in(str(tmp_path)) == ["b0.py", "b1.py"]
