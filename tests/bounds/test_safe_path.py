"""Which entries of an import path stay."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from aoti_lint.isolated import safe_path
from tests.packaging.environments import Environment

PROJECT = Path(__file__).parents[2]
LIBRARY = os.path.dirname(os.__file__)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project; the present folder is in it, and a file of another one is named on the command line."""
    for name in ("tree/.git", "tree/inner/deps", "other", "outside/site-packages"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "other/pyproject.toml").touch()
    (tmp_path / "other/script.py").touch()
    monkeypatch.chdir(tmp_path / "tree/inner")
    words = ["aoti-lint", "--output-format=json", str(tmp_path / "other/script.py"), "nowhere"]
    monkeypatch.setattr(sys, "argv", words)
    return tmp_path / "tree"


def kept(*entries: str | Path) -> list[str]:
    return safe_path.safe(list(map(str, entries)))


def test_no_entry_that_a_tree_can_write_to(tree: Path) -> None:
    (tree / "link").symlink_to(tree.parent / "outside")
    (tree.parent / "outside/back").symlink_to(tree / "inner")
    trees = [tree, tree / "inner", tree / "inner/deps", tree / "src", tree.parent, tree.parent / "other", tree / "link"]
    assert kept("", ".", "deps", *trees, tree.parent / "outside/back", tree / "python.zip") == []
    outside = [str(tree.parent / "outside"), str(tree.parent / "tree-2"), LIBRARY]
    assert kept(*outside) == outside


def test_an_option_names_a_tree_too(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outside = tree.parent / "outside"
    monkeypatch.setattr(sys, "argv", ["aoti-lint", f"--source={outside}"])
    assert kept(outside) == []


def test_the_installation_stays_wherever_it_is(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_path, "_PACKAGE", str(tree / "vendor/aoti_lint"))
    assert kept(tree / "vendor", tree) == [str(tree / "vendor")]
    packages = str(tree / ".conda/lib/site-packages")
    assert kept(packages, LIBRARY) == [LIBRARY]
    # Another environment that a .pth file of this one names.
    assert kept(LIBRARY, packages) == [LIBRARY, packages]


def test_a_present_folder_that_is_gone(tree: Path) -> None:
    (tree / "inner/deps").rmdir()
    (tree / "inner").rmdir()
    assert kept("", LIBRARY, tree.parent / "outside") == [LIBRARY, str(tree.parent / "outside")]


def test_an_environment_inside_the_tree_works(tmp_path: Path) -> None:
    environment = Environment(tmp_path / ".venv")
    paths = [str(PROJECT), *(path for path in sys.path if path.endswith("site-packages"))]
    (environment.site / "dependencies.pth").write_text("\n".join(paths), encoding="utf-8")
    (tmp_path / "script.py").write_text("import torch\ntorch._export.aot_compile(1, ())\n", encoding="utf-8")
    (tmp_path / "re.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    command: list[str | Path] = [environment.python, "-m", "aoti_lint", "script.py", "--output-format", "concise"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "AOTI201" in done.stdout, done.stderr
    assert done.returncode == 1


def test_what_is_missing_then_is_told(tmp_path: Path) -> None:
    environment = Environment(tmp_path / "venv")
    (environment.site / "dependencies.pth").write_text(f"{PROJECT}\n", encoding="utf-8")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/script.py").write_text("import torch\ntorch._export.aot_compile(1, ()\n", encoding="utf-8")
    (tmp_path / "tree/libcst.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    command: list[str | Path] = [environment.python, "-m", "aoti_lint", "script.py"]
    done = subprocess.run(command, cwd=tmp_path / "tree", capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        f"aoti-lint: error: there is no module libcst; nothing is imported from {tmp_path / 'tree'}, as a checked tree "
        "is there: install aoti-lint together with what it needs\n"
    )
