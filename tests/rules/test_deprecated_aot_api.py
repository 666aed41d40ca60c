"""AOTI201: what to write instead."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch

def twice(x):
    return x * 2

class Twice(torch.nn.Module):
    def forward(self, x):
        return twice(x)

so = torch._export.aot_compile({}, (torch.zeros(3),))
"""


@pytest.mark.parametrize(("compiled", "needs_a_module"), [("twice", True), ("Twice()", False)])
def test_a_function_has_to_become_a_module(tmp_path: Path, compiled: str, needs_a_module: bool) -> None:
    """`torch.export.export` raises for anything but a module (run on torch 2.13)."""
    lint_files(tmp_path / "run", {"script.py": SCRIPT.format(compiled)})
    (told,) = json.loads((tmp_path / "run" / "report.json").read_text(encoding="utf-8"))["diagnostics"]
    assert (told["code"], "whose forward calls it" in told["help"]) == ("AOTI201", needs_a_module)
