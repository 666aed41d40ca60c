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
        # What is caught is something else.
        (NAMED, "ImportError", "return x * 2", 4),
    ],
)
def test_what_may_go_well(dim: str, error: str, body: str, rows: int, tmp_path: Path) -> None:
    assert "AOTI301" not in codes(tmp_path, CAUGHT.format(dim=dim, error=error), body, rows)


def test_what_a_test_demands(tmp_path: Path) -> None:
    """It goes on after what raises."""
    tried = f"""with pytest.raises(Exception):
    export(model, (x,), dynamic_shapes={{"x": {{0: {NAMED}}}}})
program = export(model, (x,))"""
    assert codes(tmp_path, tried, "return x * 2", 1) == ["AOTI301"]
