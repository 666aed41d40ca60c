"""`--cache-dir`: what was kept for a tree serves the same tree in another folder, on another machine."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from aoti_lint.files.own_folder import OwnFolder
from tests.cli.conftest import Result
from tests.cli.scripts import CPU_CALL, CUDA_PACKAGE

Lint = Callable[..., Result]
PROJECT = Path(__file__).parents[2]
STAMP = "import sys; from aoti_lint.files.cache import tool_stamp; print(tool_stamp(carried=sys.argv[1] == 'carried'))"


@pytest.fixture
def tree(project: Path) -> Path:
    """A project with a configuration, in a folder of its own, which is the present one."""
    folder = project / "one" / "tree"
    folder.mkdir(parents=True)
    (folder / "pyproject.toml").write_text(
        '[project]\ndependencies = ["torch==2.13.*"]\n[tool.aoti-lint]\nseverity = {AOTI201 = "error"}\n',
        encoding="utf-8",
    )
    (folder / "export.py").write_text(CUDA_PACKAGE, encoding="utf-8")
    (folder / "sub").mkdir()
    (folder / "sub" / "serve.py").write_text(CPU_CALL, encoding="utf-8")
    os.chdir(folder)
    return folder


def carried(tree: Path, *within: str) -> Path:
    """Another checkout of the tree, with later times, in a folder below which is the present one."""
    other = tree.parents[1] / "elsewhere" / "checkout"
    shutil.copytree(tree, other, copy_function=shutil.copyfile)
    for path in other.rglob("*"):
        os.utime(path, (2_000_000_000, 2_000_000_000))
    os.chdir(other.joinpath(*within))
    return other


@pytest.mark.parametrize("form", ["text", "json"])
def test_another_folder(tree: Path, lint: Lint, analysed: list[str], form: str) -> None:
    first = lint(".", "--cache-dir", "../cache", "--output-format", form)
    assert first.code == 1
    carried(tree)
    shutil.copytree(tree.parent / "cache", "../moved")
    assert lint(".", "--cache-dir", "../moved", "--output-format", form) == first
    assert len(analysed) == 1
    assert str(tree) not in first.out


def test_a_cache_inside_of_the_tree(tree: Path, lint: Lint, analysed: list[str]) -> None:
    first = lint(".", "--cache-dir", ".aoti-lint-cache")
    carried(tree)
    assert lint(".", "--cache-dir", ".aoti-lint-cache") == first
    assert len(analysed) == 1


def test_paths_are_those_of_the_run_that_shows_them(tree: Path, lint: Lint, analysed: list[str]) -> None:
    """From another folder of the tree they are others, and that is another run."""
    first = lint(".", "--cache-dir", "../cache")
    assert " --> sub/serve.py:" in first.out
    carried(tree, "sub")
    found = lint("..", "--cache-dir", str(tree.parent / "cache"))
    assert " --> serve.py:" in found.out
    assert len(analysed) == 2
    assert lint("..", "--cache-dir", str(tree.parent / "cache")) == found
    assert len(analysed) == 2


def test_the_name_of_a_folder_that_paths_go_through(tree: Path, lint: Lint, analysed: list[str]) -> None:
    os.chdir(tree.parent)
    assert " --> tree/sub/serve.py:" in lint("tree", "--cache-dir", "../cache").out
    other = carried(tree)
    os.chdir(other.parent)
    assert " --> checkout/sub/serve.py:" in lint("checkout", "--cache-dir", "../cache").out
    assert len(analysed) == 2


def test_the_name_of_a_folder_that_is_a_package(tree: Path, lint: Lint, analysed: list[str]) -> None:
    (tree / "__init__.py").touch()
    (tree / "sub" / "use.py").write_text("import torch\nfrom checkout import export\n", encoding="utf-8")
    lint(".", "--cache-dir", "../cache")
    carried(tree)
    lint(".", "--cache-dir", str(tree.parent / "cache"))
    assert len(analysed) == 2


def test_a_script_that_names_the_folder(tree: Path, lint: Lint, analysed: list[str]) -> None:
    (tree / "run.sh").write_text(f"TORCH_LOGS=+dynamo python {tree.as_posix()}/export.py\n", encoding="utf-8")
    lint(".", "run.sh", "--cache-dir", "../cache")
    lint(".", "run.sh", "--cache-dir", "../cache")
    assert len(analysed) == 1
    carried(tree)
    lint(".", "run.sh", "--cache-dir", str(tree.parent / "cache"))
    assert len(analysed) == 2


@pytest.mark.parametrize("path", ["export.py", "sub/serve.py", "pyproject.toml", "torch.py"])
def test_another_tree_is_another_run(tree: Path, lint: Lint, analysed: list[str], path: str) -> None:
    lint(".", "--cache-dir", "../cache")
    other = carried(tree)
    with (other / path).open("a", encoding="utf-8") as file:
        file.write("\n[tool.aoti-lint.target]\ndevice = 'cuda'\n" if path.endswith("toml") else "\nx = 1\n")
    lint(".", "--cache-dir", str(tree.parent / "cache"))
    assert len(analysed) == 2


def test_what_was_parsed_serves_as_well(tree: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    first = lint(".", "--cache-dir", "../cache")
    carried(tree)
    monkeypatch.setattr("aoti_lint.ir.lower._lower", lambda *_: pytest.fail("it is parsed again"))
    assert lint(".", "--cache-dir", str(tree.parent / "cache"), "--env", "A=1").out == first.out


def stamp(folder: Path, kind: str) -> str:
    """What the aoti-lint in a folder is known by."""
    variables = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        [sys.executable, "-c", STAMP, kind], cwd=folder, env=variables, capture_output=True, text=True, check=True
    ).stdout


def test_another_installation_of_the_same_tool(tmp_path: Path) -> None:
    for name in ("one", "two"):
        for part in ("aoti_lint", "rules"):
            shutil.copytree(
                PROJECT / part, tmp_path / name / part, ignore=shutil.ignore_patterns("__pycache__"),
                copy_function=shutil.copyfile,
            )  # fmt: skip
    assert stamp(tmp_path / "one", "own") != stamp(tmp_path / "two", "own")
    assert stamp(tmp_path / "one", "carried") == stamp(tmp_path / "two", "carried")
    version = tmp_path / "two" / "aoti_lint" / "errors.py"
    version.write_bytes(version.read_bytes().replace(b"a", b"b", 1))
    assert stamp(tmp_path / "one", "carried") != stamp(tmp_path / "two", "carried")


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_what_is_no_folder_is_told(tree: Path, lint: Lint, name: str) -> None:
    (tree / "file").write_text("a file\n", encoding="utf-8")
    assert f"--cache-dir {name} is not used: it is no folder" in lint(".", "--cache-dir", name).out
    assert (tree / "file").read_text(encoding="utf-8") == "a file\n"


def test_where_nothing_can_be_kept_that_is_told(tree: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(OwnFolder, "write", full)
    result = lint(".", "--cache-dir", "../cache")
    assert f"--cache-dir ../cache keeps nothing new: {os.strerror(errno.ENOSPC)}" in result.out
    assert result.code == 1
