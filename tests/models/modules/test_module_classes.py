"""Which classes of torch a module is of: what a script does where it is of one is followed, and not where it is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.judging import lint_files

SCRIPT = """\
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        return x

class Graph(torch.fx.GraphModule):
    pass

one = {made}
if isinstance(one, {cls}):
    torch._export.aot_load("is", "cpu")
if not isinstance(one, {cls}):
    torch._export.aot_load("is not", "cpu")
"""
EXPORTED = "torch.export.export(Net(), (torch.ones(2),)).module()"
MODULE, SCRIPTED, GRAPH = "torch.nn.Module", "torch.jit.ScriptModule", "torch.fx.GraphModule"

CASES = [
    ("Net()", [MODULE]),
    ("torch.nn.Linear(2, 2)", [MODULE]),
    ("torch.jit.script(torch.nn.Linear(2, 2))", [MODULE, SCRIPTED]),
    ("Graph(Net(), torch.fx.Graph())", [MODULE, GRAPH]),
    (EXPORTED, [MODULE, GRAPH]),
    ("[Net()]", []),
]


@pytest.mark.parametrize(("made", "classes"), CASES)
@pytest.mark.parametrize("cls", [MODULE, SCRIPTED, GRAPH])
def test_which_a_module_is_of(made: str, classes: list[str], cls: str, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "run", {"script.py": SCRIPT.format(made=made, cls=cls)})
    rows = [one.row for one in found if one.code == "AOTI201"]
    assert rows == ([12] if cls in classes else [14])


@pytest.mark.parametrize(("made", "classes"), CASES)
def test_torch_agrees(made: str, classes: list[str]) -> None:
    torch = pytest.importorskip("torch")
    space: dict[str, Any] = {"__name__": "script"}
    exec(SCRIPT.partition("one =")[0], space)
    one = eval(made, space)
    assert [cls for cls in (MODULE, SCRIPTED, GRAPH) if isinstance(one, eval(cls, {"torch": torch}))] == classes
