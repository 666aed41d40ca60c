"""AOTI515: what prints inside of a function that is never traced is not what breaks the graph."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
{decorator}
def record(x):
    print(x)
    return x
@torch.compile(fullgraph=True)
def step(x):
    return record(x) + 1
step(torch.ones(3))
"""
DECORATORS = {
    "": True,
    "@torch.no_grad()": True,
    "@torch.compiler.disable": False,
    "@torch.compiler.disable()": False,
    "@torch.compiler.disable(recursive=False)": False,
    "@torch._dynamo.disable": False,
    "@torch.compiler.allow_in_graph": False,
}


@pytest.mark.parametrize(("decorator", "said"), DECORATORS.items())
def test_what_is_never_traced(decorator: str, said: bool, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "judged", {"script.py": SCRIPT.format(decorator=decorator)}, torch="2.13")
    assert [item.code for item in found] == ["AOTI515"] * said
