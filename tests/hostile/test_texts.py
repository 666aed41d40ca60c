"""JSON and TOML that Python's parsers fail over, at every reader of a stranger's file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aoti_lint.cli.main import main
from aoti_lint.files.formats import Malformed, parse_json, parse_toml
from aoti_lint.tracing.data.watch import PERCENT
from tests.hostile.child import within_bounds

DIGITS = "9" * 5_000
DEEP = "[" * 100_000
CODE = "import torch\nep = torch.export.export(torch.nn.Linear(2, 2), (torch.zeros(2, 2),))\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (DEEP, "nested too deeply"),
        (f'{{"a": {DIGITS}}}', "a number of more than 4300 digits"),
        ("{", "no valid JSON"),
        (b"\xff", "no UTF-8 text"),
    ],
)
def test_json(text: str | bytes, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        parse_json(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = " + DEEP, "nested too deeply"),
        ("a = " + "{b=" * 20_000, "nested too deeply"),
        (f"a = {DIGITS}", "a number of more than 4300 digits"),
        ("a." * 200_000 + "b = 1", "a key of more than 100 parts"),
        ("[" + "a . " * 200_000 + "b]", "a key of more than 100 parts"),
        ("a = ", "no valid TOML"),
        (b"\xff", "no valid TOML"),
    ],
)
def test_toml(text: str | bytes, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        parse_toml(text)


@pytest.mark.parametrize("table", [f"select = {DIGITS}", f"select = {DEEP}", "a." * 50_000 + "b = 1"])
@pytest.mark.parametrize("name", ["pyproject.toml", "aoti-lint.toml"])
def test_a_configuration_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, table: str
) -> None:
    (tmp_path / name).write_text("[tool.aoti-lint]\n" * (name == "pyproject.toml") + table + "\n")
    (tmp_path / "a.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    assert main(["--no-cache", "a.py"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert name in line
    assert "4300 digits" in line or "too deeply" in line or "100 parts" in line


@pytest.mark.parametrize("value", [DIGITS, DEEP])
def test_what_a_project_says_of_torch_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], value: str
) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[project]\ndependencies = ['torch>=2.5']\nx = {value}\n")
    (tmp_path / "a.py").write_text(CODE)
    monkeypatch.chdir(tmp_path)
    assert main(["--no-cache", "a.py"]) == 0
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("cells", [DEEP, f'[], "a": {DIGITS}'])
def test_a_notebook_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], cells: str) -> None:
    path = tmp_path / "a.ipynb"
    path.write_text(f'{{"metadata": {{"x": "import torch.export"}}, "cells": {cells}}}')
    assert main(["--no-cache", str(path)]) == 2
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert "AOTI002" in said.out or "a.ipynb" in said.out


CELL: dict[str, object] = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}


@pytest.mark.parametrize(
    "sources",
    [
        ["x = 1"] * 50_000,
        ["# %%" + "%" * n + " cell 1" for n in range(3_000)],
        ["\n" * 100_000 + "%x", " " * 100_000 + "x"],
        ["%x\n" + " " * 100_000 + "a"],
        ['%x\n"' + '\\"' * 100_000],
    ],
    ids=["many", "markers", "blank lines", "blanks", "quotes"],
)
def test_cells(sources: list[str]) -> None:
    from aoti_lint.source.notebooks.notebook import read_notebook

    data = json.dumps({"cells": [{**CELL, "source": one} for one in sources], "metadata": {}}).encode()

    def work() -> int:
        read = read_notebook(data, "a.ipynb")
        places = [read.place(row) for row in range(1, read.text.count("\n"), 2)]
        assert all(read.row(*place) is not None for place in places if place is not None)
        return len(read.cells)

    assert within_bounds(work) == str(len(sources))
    read = read_notebook(data, "a.ipynb")
    assert read.write_back(read.text) == data


def test_requirements_that_include_each_other(tmp_path: Path) -> None:
    from aoti_lint.torch_api.project_files import says

    for name, other in zip("abcde", "bcdea", strict=True):
        (tmp_path / f"{name}.txt").write_text(f"-r {other}.txt\n-r requirements.txt\n" * 100 + "x\n" * 100)
    (tmp_path / "requirements.txt").write_text("-r a.txt\n" * 100 + "torch==2.13.0\n")
    assert within_bounds(lambda: says(str(tmp_path))) == "('requirements.txt', ['==2.13.0'])"


@pytest.mark.parametrize("name", ["punycode", "idna"])
def test_encodings_of_names(name: str) -> None:
    from aoti_lint.source.text import read_source
    from aoti_lint.text.problem import SourceProblem

    with pytest.raises(SourceProblem, match="names of hosts"):
        read_source(f"# coding: {name}\n# {'a' * 5_000}-{'9' * 5_000}\n".encode(), "a.py")


def test_a_format_of_zeros() -> None:
    assert within_bounds(lambda: PERCENT.findall("%" + "0" * 200_000 + "; %5.2f %s")) == "['%5.2f', '%s']"


def test_a_name_of_thousands_of_parts(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import torch" + ".x" * 3_000 + "\ntorch.export\n", encoding="utf-8")
    assert within_bounds(lambda: main(["check", "--no-cache", str(script)])) == "0"
