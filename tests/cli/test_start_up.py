"""What a run imports: a commit that has nothing to do with us must not wait for us."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.scripts import CLEAN, DEPRECATED, IRRELEVANT

PROJECT = Path(__file__).parents[2]
HEAVY = {
    "libcst", "pydantic", "rich", "torch", "tokenize", "concurrent.futures", "importlib.metadata", "pathspec", "yaml",
    "tree_sitter", "typing", "threading", "dataclasses", "fractions", "aoti_lint.ir.from_ast.module",
}  # fmt: skip
"""What a file of no interest loads nothing of."""
PARSERS = {"libcst", "aoti_lint.ir.from_ast.module"}
PROGRAM = """\
import sys
from aoti_lint.__main__ import main
code = main(sys.argv[2:])
print(*sorted(set(sys.argv[1].split(",")) & set(sys.modules)), file=sys.stderr)
sys.exit(code)
"""


def imported(folder: Path, *words: str, code: int, **variables: str) -> set[str]:
    """The heavy modules that a run of the command line imports."""
    command = [sys.executable, "-c", PROGRAM, ",".join(HEAVY), *words]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), **variables}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return set(done.stderr.split())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "script.py").write_text(DEPRECATED, encoding="utf-8")
    (tmp_path / "clean.py").write_text(CLEAN, encoding="utf-8")
    (tmp_path / "other.py").write_text(IRRELEVANT, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("form", ["text", "json", "concise"])
def test_a_file_with_nothing_of_interest_costs_nothing(folder: Path, form: str) -> None:
    assert imported(folder, "other.py", "--output-format", form, code=0) == set()


def test_nor_does_it_where_there_is_a_baseline(folder: Path) -> None:
    imported(folder, "script.py", "--baseline", "base.jsonl", "--write-baseline", code=0)
    assert imported(folder, "other.py", "--baseline", "base.jsonl", code=0) == set()


def test_a_check_imports_neither_torch_nor_what_only_terminals_and_schemas_need(folder: Path) -> None:
    heavy = {"torch", "pydantic", "rich", "importlib.metadata", "yaml", "tree_sitter"}
    assert not imported(folder, "script.py", code=1) & heavy


@pytest.mark.parametrize("words", [(), ("--output-format", "json"), ("--no-cache", "--pedantic")])
def test_what_python_reads_needs_no_other_parser(folder: Path, words: tuple[str, ...]) -> None:
    assert "libcst" not in imported(folder, "script.py", *words, code=1)
    assert "libcst" not in imported(folder, "clean.py", *words, code=0)


@pytest.mark.parametrize("text", ["lazy import torch\n", "import torch\nx = (\n"])
def test_what_python_does_not_read_needs_one(folder: Path, text: str) -> None:
    (folder / "newer.py").write_text(DEPRECATED + text, encoding="utf-8")
    code = 1 if text.startswith("lazy") else 2
    assert "libcst" in imported(folder, "newer.py", code=code)


def test_a_source_that_was_read_before_is_not_parsed_again(folder: Path) -> None:
    assert imported(folder, "script.py", code=1) & PARSERS
    assert not imported(folder, "script.py", "--env", "A=1", code=1) & {*PARSERS, "fractions"}
    (folder / "other.py").write_text("import torch\nimport script\n", encoding="utf-8")
    assert not imported(folder, "script.py", code=1) & PARSERS


def test_a_remembered_run_parses_nothing(folder: Path) -> None:
    assert imported(folder, "script.py", "clean.py", code=1) & PARSERS
    assert not imported(folder, "script.py", "clean.py", code=1) & {*PARSERS, "pydantic", "rich", "tokenize"}


def test_colour_is_what_rich_is_for(folder: Path) -> None:
    assert "rich" in imported(folder, "script.py", code=1, FORCE_COLOR="1")
