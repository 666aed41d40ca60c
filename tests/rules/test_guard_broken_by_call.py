"""AOTI338: sizes of a call against what tracing found out of them. Each call was run on torch 2.13, strict or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
from torch.export import Dim, export

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc, self.rnn = torch.nn.Linear(4, 4), torch.nn.GRU(4, 4)

    def forward(self, x, y):
        return {body}

dims = {dims}
program = export(Net(), (torch.randn(4, 4), torch.randn(4, 4)), dynamic_shapes=(dims, dims), strict={strict})
program.module()(torch.randn{x}, torch.randn{y})
"""
ROWS, BOTH = "{0: Dim.AUTO}", "{0: Dim.AUTO, 1: Dim.AUTO}"
BROKEN = [
    ("x + y", ROWS, (5, 4), (6, 4)), ("x + y", "{0: Dim.DYNAMIC}", (5, 4), (6, 4)),
    ("torch.cat([x, y], 1)", ROWS, (5, 4), (6, 4)), ("torch.stack([x, y])", ROWS, (5, 4), (6, 4)),
    ("x @ y", BOTH, (6, 7), (8, 2)), ("x.T @ y", ROWS, (9, 4), (4, 4)),
    ("x + 1 if x.shape[0] % 2 == 0 else x - 1", ROWS, (5, 4), (5, 4)),
    ("x + 1 if x.shape[0] > 3 else x - 1", ROWS, (2, 4), (2, 4)),
    ("x + 1 if x.shape[1] < 5 else x - 1", BOTH, (4, 6), (4, 6)),
    ("x * 2 if x.shape[0] == y.shape[0] else x * 3", ROWS, (5, 4), (6, 4)),
    ("x.reshape(4, 4)", ROWS, (5, 4), (5, 4)), ("x.view(x.shape[0] // 2, 2, -1)", ROWS, (5, 4), (5, 4)),
    ("x[1:] * 2", ROWS, (2, 4), (2, 4)), ("x[:-1] + 1", "{0: Dim.DYNAMIC}", (2, 4), (2, 4)),
    ("x[:3] * 2", ROWS, (2, 4), (2, 4)), ("x[3] * 2", ROWS, (3, 4), (3, 4)),
    ("x.narrow(0, 0, 3)", ROWS, (2, 4), (2, 4)), ("sum(row for row in x)", ROWS, (6, 4), (6, 4)),
    ("sum(x[i] for i in range(x.shape[0]))", BOTH, (6, 4), (6, 4)), ("self.rnn(x)[0]", ROWS, (6, 4), (6, 4)),
    ("torch.linspace(0, 1, x.shape[0]) + x[:, 0]", ROWS, (6, 4), (6, 4)),
    ("torch.stack([r * 2 for r in x.unbind(0)])", BOTH, (6, 4), (6, 4)),
    ("torch.stack([a * b for a, b in zip(x, y)])", ROWS, (6, 4), (6, 4)),
]  # fmt: skip
OF_PYTHON = [
    ("x * int(x.shape[0])", ROWS, (6, 4), (6, 4)), ("x * len(x)", ROWS, (6, 4), (6, 4)),
    ("x * float(x.shape[0])", BOTH, (6, 4), (6, 4)), ("torch.zeros(len(x)) + x[:, 0]", ROWS, (6, 4), (6, 4)),
]  # fmt: skip
"""What is a number in an export without `strict=True` alone."""
KEPT = [
    ("x + y", ROWS, (5, 4), (5, 4)), ("torch.cat([x, y], 0)", ROWS, (5, 4), (6, 4)), ("x @ y", BOTH, (6, 7), (7, 2)),
    ("x + 1 if x.shape[0] % 2 == 0 else x - 1", ROWS, (6, 4), (6, 4)),
    ("x + 1 if x.shape[0] > 3 else x - 1", ROWS, (9, 4), (9, 4)),
    ("x.sum(0) + y.sum(0)", ROWS, (5, 4), (6, 4)), ("x.view(x.shape[0] // 2, 2, -1)", ROWS, (6, 4), (6, 4)),
    ("x[1:] * 2", ROWS, (3, 4), (3, 4)),
    ("x[:3] * 2", ROWS, (3, 4), (3, 4)), ("x[3] * 2", ROWS, (9, 4), (4, 4)), ("self.fc(x)", ROWS, (1, 4), (1, 4)),
    ("x * x.shape[0]", ROWS, (9, 4), (4, 4)), ("x.roll(1, 0)", ROWS, (5, 4), (6, 4)),
    ("x.chunk(2)[0]", ROWS, (5, 4), (5, 4)), ("sum(row for row in x)", ROWS, (4, 4), (4, 4)),
    ("sum(x[i] for i in range(x.shape[0]))", BOTH, (4, 4), (4, 4)), ("x * int(x.shape[0])", ROWS, (4, 4), (4, 4)),
    ("self.rnn(x.unsqueeze(0))[0]", ROWS, (6, 4), (6, 4)),
    ("torch.nn.functional.avg_pool1d(x[None], 3, 1, 1)[0] + 1", BOTH, (4, 1), (4, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("body", "dims", "x", "y"), [*BROKEN, *OF_PYTHON, *KEPT])
@pytest.mark.parametrize("strict", [True, False])
def test_said(body: str, dims: str, x: tuple[int, int], y: tuple[int, int], strict: bool, tmp_path: Path) -> None:
    script = SCRIPT.format(body=body, dims=dims, x=x, y=y, strict=strict)
    found = lint_files(tmp_path / "run", {"net.py": script}, torch="2.13")
    broken = BROKEN if strict else [*BROKEN, *OF_PYTHON]
    assert ("AOTI338" in [item.code for item in found]) == ((body, dims, x, y) in broken)


def test_a_release_that_checks_nothing_of_it(tmp_path: Path) -> None:
    script = SCRIPT.format(body="x + y", dims=ROWS, x=(5, 4), y=(6, 4), strict=False)
    assert "AOTI338" not in [item.code for item in lint_files(tmp_path / "run", {"net.py": script}, torch="2.8")]


LOOKED_UP = """import torch
import torch.nn.functional as F
from torch.export import Dim, export

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(16, 4)
        self.register_buffer("rows", torch.ones(16, 4))

    def forward(self, x):
        n = x.shape[1]
        return x.sum(0) + {body}

program = export(Net(), (torch.randn(2, 6, 4),), dynamic_shapes={{"x": {{0: Dim.AUTO, 1: {dim}}}}})
program.module()(torch.randn(3, {length}, 4))
"""
TABLES = [
    ("self.table(torch.arange(n))", 17), ("self.table(torch.arange(n)[None, :])", 17),
    ("self.table(torch.arange(0, n, device=x.device).unsqueeze(0).expand(2, -1)).sum(0)", 17),
    ("F.embedding(torch.arange(n), self.table.weight)", 17), ("self.rows[torch.arange(n)]", 17),
    ("self.table(torch.arange(2, n + 2))", 15), ("self.table(torch.arange(n) + 2)", 15),
    ("self.table(torch.arange(n).long())", 40),
]  # fmt: skip
LARGE_ENOUGH = [
    ("self.table(torch.arange(n))", 16), ("self.table(torch.arange(n) + 2)", 14),
    ("self.table(torch.arange(n) % 16)", 40), ("self.table(torch.arange(n).clamp(max=15))", 40),
    ("self.table(torch.arange(n) // 4)", 40), ("self.table(torch.zeros(n, dtype=torch.long))", 40),
    ("self.table(torch.arange(n).fmod(16))", 40), ("torch.stack([torch.arange(n)] * 4, 1)", 40),
]  # fmt: skip


@pytest.mark.parametrize(("body", "length"), [*TABLES, *LARGE_ENOUGH])
@pytest.mark.parametrize("dim", ["Dim.AUTO", 'Dim("n")'])
def test_rows_of_a_table(body: str, length: int, dim: str, tmp_path: Path) -> None:
    """Each was run on torch 2.13."""
    script = LOOKED_UP.format(body=body, length=length, dim=dim)
    said = [item.code for item in lint_files(tmp_path / "run", {"net.py": script}, torch="2.13")]
    assert said == ["AOTI338"] * ((body, length) in TABLES)


def test_a_promise_that_a_table_does_not_keep(tmp_path: Path) -> None:
    for most, expected in [("max=64", ["AOTI315"]), ("max=16", []), ("", [])]:
        script = LOOKED_UP.format(body="self.table(torch.arange(n))", length=16, dim=f'Dim("n", {most})')
        said = [item.code for item in lint_files(tmp_path / (most or "any"), {"net.py": script}, torch="2.13")]
        assert said == expected, most
