"""What goes into one shard, and what need not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aoti_lint.source.project import Project
from aoti_lint.source.ties.shards import share


def made(folder: Path, files: dict[str, str]) -> Project:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    named = [name for name in files if name.endswith((".py", ".ipynb", ".cpp", ".sh")) and not name.startswith("lib/")]
    return Project(folder, named, settings=[name for name in named if name.endswith(".sh")])


def notebook(text: str) -> str:
    cell: dict[str, object] = {
        "cell_type": "code",
        "source": [text],
        "metadata": {},
        "outputs": [],
        "execution_count": None,
    }
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.mark.parametrize(
    "files",
    [
        {"a.py": "import b\n", "b.py": ""},
        {"a.py": "from p import (  # two\n    b,\n)\n", "p/__init__.py": "", "p/b.py": ""},
        {"p/a.py": "from . import b\n", "p/b.py": ""},
        {"a.py": "import lib.shared\n", "b.py": "from lib import shared\n", "lib/shared.py": ""},
        {"a.py": "save('out/model.pt2')\n", "b.py": "load('model.pt2')\n"},
        {"a.py": "read('a.yaml')\n", "b.py": "load('model.pt2')\n", "a.yaml": "package: model.pt2\n"},
        {"a.py": "torch.ops.shop.twice(x)\n", "b.py": "custom_op('shop::twice')\n"},
        {"a.py": "Library('shop', 'DEF')\n", "b.cpp": "TORCH_LIBRARY(shop, m) {}\n"},
        {"tools/a.py": "run(['python', 'tools/b.py'])\n", "tools/b.py": ""},
        {"a.py": "run(['python', '-m', 'p.b'])\n", "p/__init__.py": "", "p/b.py": ""},
        {"a.py": "import_module('p.b')\n", "p/__init__.py": "", "p/b.py": ""},
        {"start.sh": "A=1 python a.py\n", "a.py": ""},
        {"tests/deep/test_a.py": "", "tests/conftest.py": ""},
        {"a.ipynb": notebook("import b"), "b.py": ""},
    ],
)
def test_what_belongs_together(tmp_path: Path, files: dict[str, str]) -> None:
    project = made(tmp_path, {**files, "other.py": "import torch\n" * 50})
    first, second = (share(project, (), number, 2) for number in (1, 2))
    assert {first, second} == {
        frozenset({"other.py"}), frozenset({*project.all_files, *project.settings} - {"other.py"}),
    }  # fmt: skip


def test_what_does_not(tmp_path: Path) -> None:
    """The same names of scripts in two folders, what torch has, and words that are no paths."""
    text = "import torch\ntorch.ops.aten.add(x)  # python main.py\nx = 'model'\n"
    project = made(tmp_path, {"a/main.py": text, "b/main.py": text})
    assert [len(share(project, (), number, 2)) for number in (1, 2)] == [1, 1]


def test_all_files_are_in_one_shard_each_and_about_evenly(tmp_path: Path) -> None:
    project = made(tmp_path, {f"{number}.py": "x\n" * number for number in range(30)})
    shards = [share(project, ["made.pt2"], number, 4) for number in (1, 2, 3, 4)]
    assert sorted(path for shard in shards for path in shard) == sorted([*project.all_files, "made.pt2"])
    weights = [sum(len(project.data(path) or b"") for path in shard if path != "made.pt2") for shard in shards]
    assert max(weights) < 1.3 * min(weights)
    assert shards == [share(project, ["made.pt2"], number, 4) for number in (1, 2, 3, 4)]
