"""Backends of the project: what they are called with, and whether anything registers them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

FOLD = (
    "from torch._dynamo import register_backend\n\n\n@register_backend\ndef fold(gm, inputs):\n    return gm.forward\n"
)
TRAIN = "import torch\n{}\nfast = torch.compile(torch.nn.Linear(2, 2), backend='fold')\nfast(torch.ones(1, 2))\n"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("import backends", True),
        ("import backends.fold", False),
        ("from backends import fold", False),
        ("from backends import *", False),
        ("import importlib\nimportlib.import_module('backends.fold')", False),
    ],
)
def test_somebody_has_to_import_it(line: str, told: bool, tmp_path: Path) -> None:
    files = {"backends/__init__.py": "__all__ = ['fold']\n", "backends/fold.py": FOLD, "train.py": TRAIN.format(line)}
    found = [one for one in lint_files(tmp_path / "run", files, ["."]) if one.severity != "info"]
    assert [(one.code, one.file, one.severity) for one in found] == [("AOTI512", "train.py", "warning")] * told


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ("gm", True), ("gm, inputs, more", True), ("*, gm, inputs", True), ("", True), ("gm, inputs, *, more", True),
        ("gm, inputs", False), ("gm, inputs, more=1", False), ("*both", False), ("gm, *rest", False),
        ("gm, inputs, **options", False), ("gm, inputs, *, more=1", False),
    ],
)  # fmt: skip
def test_it_is_called_with_the_graph_and_the_inputs(parameters: str, told: bool, tmp_path: Path) -> None:
    text = (
        f"import torch\n\n\ndef own({parameters}):\n    return print\n\n\n"
        "fast = torch.compile(torch.nn.Linear(2, 2), backend=own)\nfast(torch.ones(1, 2))\n"
    )
    found = [one for one in lint_files(tmp_path / "run", {"a.py": text}) if one.code == "AOTI512"]
    assert [one.severity for one in found] == ["error"] * told


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("print(gm)", True), ("return", True), ("return None", True), ("if inputs: return None", True),
        ("def run(*args): return gm(*args)", True),
        ("return gm", False), ("if inputs: return gm", False), ("raise NotImplementedError", False),
        ("yield gm", False), ("return other(gm)", False),
    ],
)  # fmt: skip
def test_it_gives_what_runs(body: str, told: bool, tmp_path: Path) -> None:
    text = (
        f"import torch\n\n\ndef own(gm, inputs):\n    {body}\n\n\n"
        "fast = torch.compile(torch.nn.Linear(2, 2), backend=own)\nfast(torch.ones(1, 2))\n"
    )
    found = [one for one in lint_files(tmp_path / "run", {"a.py": text}) if one.code == "AOTI512"]
    assert [one.severity for one in found] == ["error"] * told


@pytest.mark.parametrize("line", ["torch._dynamo.config.suppress_errors = True", "OFF = True"])
def test_nothing_is_said_where_it_is_not_asked_or_its_errors_are_passed_over(line: str, tmp_path: Path) -> None:
    off = ", disable=OFF" if line.startswith("OFF") else ""
    text = (
        f"import torch\nimport torch._dynamo\n\n{line}\n\n\ndef own(gm, inputs):\n    print(gm)\n\n\n"
        f"fast = torch.compile(torch.nn.Linear(2, 2), backend=own{off})\nfast(torch.ones(1, 2))\n"
    )
    assert [one.code for one in lint_files(tmp_path / "run", {"a.py": text}) if one.code == "AOTI512"] == []
