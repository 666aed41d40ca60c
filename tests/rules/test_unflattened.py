"""Calls of what `torch.export.unflatten` gives, beside what torch says of each."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """
import torch
from torch.export import Dim, export, unflatten

class Model(torch.nn.Module):
    def forward(self, x, y=None, n=2):
        return (x * 2 if y is None else x + y) * n

batch, small = Dim("batch"), Dim("small", min=2, max=8)
program = export(Model(), {export})
flat = unflatten(program)
flat({call})
"""
X = "torch.randn(3, 4)"
CASES = [
    (f"({X},)", "torch.randn(2, 4)", "AOTI301"),
    (f"({X},), dynamic_shapes=({{0: batch}},)", "torch.randn(5, 3)", "AOTI301"),
    (f"({X},), dynamic_shapes=({{0: batch}},)", "torch.randn(5, 4)", None),
    (f"({X},), dynamic_shapes=({{0: batch}},)", "torch.randn(1, 4)", None),
    (f"({X},), dynamic_shapes=({{0: small}},)", "torch.randn(9, 4)", "AOTI333"),
    (f"({X},), dynamic_shapes=({{0: small}},)", "torch.randn(8, 4)", None),
    (f"({X}, {X}), dynamic_shapes=({{0: batch}}, {{0: batch}})", f"{X}, torch.randn(5, 4)", "AOTI334"),
    (f"({X}, None, 3)", f"{X}, None, 4", "AOTI330"),
    (f"({X}, {X})", X, "AOTI335"),
    (f"({X},)", f"{X}, {X}", "AOTI335"),
    (f"({X},)", f"x={X}", "AOTI335"),
    # What looks at no guards takes these.
    (f"({X},), dynamic_shapes=({{0: batch}},)", "torch.randn(3, 4).double()", None),
    (f"({X},), dynamic_shapes=({{0: batch}},)", "torch.randn(4, 3).t()", None),
]


@pytest.mark.parametrize(("export", "call", "code"), CASES)
def test_torch_agrees(export: str, call: str, code: str | None, tmp_path: Path) -> None:
    text = SCRIPT.format(export=export, call=call)
    found = lint_files(tmp_path / "run", {"net.py": text})
    assert [one.code for one in found if one.severity == "error"] == [code] * bool(code)
    try:
        runpy.run_path(str(tmp_path / "run" / "net.py"))
        assert code is None
    except (RuntimeError, TypeError, ValueError):
        assert code is not None


def test_what_was_changed_is_not_judged(tmp_path: Path) -> None:
    text = SCRIPT.format(export=f"({X},)", call="torch.randn(2, 4)")
    text = text.replace("flat = unflatten(program)", "flat = unflatten(program)\nrewrite(flat)")
    found = lint_files(tmp_path / "run", {"net.py": "from elsewhere import rewrite\n" + text})
    assert not [one for one in found if one.severity == "error"]
