"""An export that surely raises inside a `try`: the handler runs. Each export was run with torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import contextlib
import pytest
import torch
from torch.export import Dim, export

class Net(torch.nn.Module):
    def forward(self, x):
        {body}

model, x = Net(), torch.randn({rows}, 8)
{tried}
program.module()(torch.randn(9, 8))
"""
CAUGHT = """try:
    program = export(model, (x,), dynamic_shapes={{"x": {{0: {dim}}}}})
except {error}:
    program = export(model, (x,))
"""
CLOSED = """def build():
    try:
        return export(model, (x,), dynamic_shapes={{"x": {{0: {dim}}}}})
    except {error} as error:
        print("static:", error)
    return export(model, (x,))

program = build()
"""
NAMED, DYNAMIC = "Dim('rows')", "Dim.DYNAMIC"


def codes(folder: Path, tried: str, body: str, rows: int) -> list[str]:
    script = SCRIPT.format(body=body, rows=rows, tried=tried)
    return [item.code for item in lint_files(folder / "run", {"net.py": script}, torch="2.13")]


@pytest.mark.parametrize("form", [CAUGHT, CLOSED])
@pytest.mark.parametrize(
    ("dim", "body", "rows"),
    [
        (NAMED, "return x.reshape(4, 8) * 2", 4),
        (DYNAMIC, "return x.reshape(4, 8) * 2", 4),
        (NAMED, "return x * 2", 1),
        (DYNAMIC, "return x * 2", 1),
        ("Dim('rows', min=5)", "return x * 2", 4),
        ("Dim('rows', max=8)", "return x * 2", 9 + 1),
        (NAMED, "return x + torch.ones(4, 8)", 4),
        (NAMED, "return x * 2 if x.shape[0] > 5 else x", 4),
        (NAMED, "return x * 2 if len(x) % 2 == 0 else x", 4),
        (NAMED, "return x * 2 if x.numel() // 2 != 12 else x", 4),
        (NAMED, "return torch.stack([row * 2 for row in x])", 4),
        (NAMED, "return x * sum(range(x.shape[0]))", 4),
    ],
)
def test_the_handler_goes_on(form: str, dim: str, body: str, rows: int, tmp_path: Path) -> None:
    """What it made is what is called: static, so another size is an error."""
    assert codes(tmp_path, form.format(dim=dim, error="Exception"), body, rows) == ["AOTI301"]


@pytest.mark.parametrize(
    ("dim", "error", "body", "rows"),
    [
        (NAMED, "Exception", "return x * 2", 4),
        ("Dim('rows', min=3)", "Exception", "return x * 2", 4),
        ("Dim.AUTO", "Exception", "return x * 2", 4),
        # Nobody knows which of them goes on.
        (NAMED, "Exception", "return x.reshape(n, 8)", 4),
        # All sizes that are declared go one way.
        (NAMED, "Exception", "return x * 2 if x.shape[0] > 1 else x", 4),
        ("Dim('rows', max=8)", "Exception", "return x * 2 if x.shape[0] > 10 else x", 4),
        ("Dim('rows', min=4)", "Exception", "return x * 2 if x.shape[0] < 3 else x", 4),
        ("Dim('rows', min=n)", "Exception", "return x * 2 if x.shape[0] > 5 else x", 4),
        # It narrows the range.
        (DYNAMIC, "Exception", "return x * 2 if x.shape[0] > 5 else x", 4),
        # What is caught is something else.
        (NAMED, "ImportError", "return x * 2", 4),
    ],
)
def test_what_may_go_well(dim: str, error: str, body: str, rows: int, tmp_path: Path) -> None:
    assert "AOTI301" not in codes(tmp_path, CAUGHT.format(dim=dim, error=error), body, rows)


TWO = """import torch
from torch.export import Dim, export

class Net(torch.nn.Module):
    def forward(self, x, y):
        {body}

model, given, rows = Net(), (torch.randn(4, 8), torch.randn({others}, 8)), Dim("rows")
try:
    program = export(model, given, dynamic_shapes={spec})
except Exception:
    program = export(model, given)
program.module()(torch.randn(9, 8), torch.randn(9, 8))
"""
SUM, APART = "return x + y", "return x.sum() + y.sum()"


@pytest.mark.parametrize(
    ("body", "others", "spec", "static"),
    [
        # Two sizes that the forward ties, one on two sizes; names and structure of the inputs.
        (SUM, 4, '({0: rows}, {0: Dim("columns")})', True),
        (SUM, 4, "({0: rows}, {0: rows})", False),
        (SUM, 4, '({0: rows}, {0: Dim("rows")})', False),
        (APART, 4, '({0: rows}, {0: Dim("columns")})', False),
        (APART, 6, "({0: rows}, {0: rows})", True),
        (APART, 4, '{"x": {0: rows}}', True),
        (APART, 4, '{"x": {0: rows}, "y": {0: rows}}', False),
        (APART, 4, '{"x": {0: rows}, "z": {0: rows}}', True),
        (APART, 4, "({0: rows},)", True),
        (APART, 4, "({0: rows}, ({0: rows},))", False),  # not judged, though torch refuses it
    ],
)
def test_two_inputs(body: str, others: int, spec: str, static: bool, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "run", {"net.py": TWO.format(body=body, others=others, spec=spec)}, torch="2.13")
    certain = {item.code for item in found if item.confidence == "certain"}
    assert ("AOTI301" in certain) == static


@pytest.mark.parametrize("body", ["return x * 2 if x.sum() > 0 else x", "return x * 2 if x.max().item() > 3 else x"])
def test_a_value_of_a_tensor(body: str, tmp_path: Path) -> None:
    """No export has any: what the handler exports is what is called."""
    tried = CAUGHT.format(dim=NAMED, error="Exception").replace("export(model, (x,))", "export(torch.nn.ReLU(), (x,))")
    assert codes(tmp_path, tried, body, 4) == ["AOTI301"]


def test_what_a_test_demands(tmp_path: Path) -> None:
    """It goes on after what raises."""
    tried = f"""with pytest.raises(Exception):
    export(model, (x,), dynamic_shapes={{"x": {{0: {NAMED}}}}})
program = export(model, (x,))"""
    assert codes(tmp_path, tried, "return x * 2", 1) == ["AOTI301"]
