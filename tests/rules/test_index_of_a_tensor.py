"""AOTI326 and AOTI517: items that are assigned to at a tensor without dimensions, or at a number out of one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cache", torch.zeros(2, 8, 4))
        self.register_buffer("at", torch.tensor(1))

    def forward(self, k, pos, n):
        c = self.cache.clone()
        {statement}
        return c

{use}
"""
GIVEN = "(torch.ones(2, 4), torch.tensor(1), 3)"
EXPORT = f"torch.export.export(Net(), {GIVEN})"
STRICT = f"torch.export.export(Net(), {GIVEN}, strict=True)"
COMPILED = f"torch.compile(Net(), fullgraph=True)(*{GIVEN})"
RAISING = [
    "c[:, pos] = k",
    "c[:, self.at] = k",
    "c[:, k[0].argmax()] = k",
    "c[..., pos + 1, :] = k",
    "c[pos] = k[0]",
    "c[pos > 0] = 1.0",
    "c[:, pos] += k",
    "c[:, pos.item()] = k",
    "c[0, pos.item() + 1] = 1.0",
    "c = c.narrow(1, pos, 1)",
    "c = c[:, [pos]]",
    "c = c[[pos]]",
    "c = c[torch.arange(2), pos]",
    "c = c[pos > 0]",
]
FINE = [
    "c[:, pos.unsqueeze(0)] = k.unsqueeze(1)",
    "c.index_copy_(1, pos.view(1), k.unsqueeze(1))",
    "c[pos.item()] = k[0]",
    "c[:, pos.item() : pos.item() + 1] = k.unsqueeze(1)",
    "c[:, n] = k",
    "c[:, torch.tensor(3)] = k",
    "c[c > 0] = 1.0",
    "c = c[:, pos]",
    "c = c[:, pos : pos + 1]",
    "c = c.narrow(1, pos.item(), 1)",
    "c = c.select(1, 2)",
    "c = c[:, [1, 2]]",
]


def told(folder: Path, statement: str, use: str) -> list[str]:
    script = SCRIPT.format(statement=statement, use=use)
    found = lint_files(folder / "run", {"net.py": script}, torch="2.13")
    return [one.code for one in found if one.row == 11 and str(one.severity) == "error"]


@pytest.mark.parametrize("statement", RAISING)
def test_an_index_that_must_be_a_number(tmp_path: Path, statement: str) -> None:
    assert told(tmp_path / "export", statement, EXPORT) == ["AOTI326"]
    assert told(tmp_path / "strict", statement, STRICT) == ["AOTI326"]


@pytest.mark.parametrize("statement", FINE)
def test_an_index_that_may_be_a_tensor(tmp_path: Path, statement: str) -> None:
    assert told(tmp_path, statement, EXPORT) == []


def test_a_slice_to_a_tensor(tmp_path: Path) -> None:
    """A strict export takes it."""
    statement = "c[:, pos : pos + 1] = k.unsqueeze(1)"
    assert told(tmp_path / "export", statement, EXPORT) == ["AOTI326"]
    assert told(tmp_path / "strict", statement, STRICT) == []


def test_code_that_is_compiled_as_one_graph(tmp_path: Path) -> None:
    assert told(tmp_path / "whole", "c[:, pos] = k", COMPILED) == ["AOTI517"]
    assert told(tmp_path / "parts", "c[:, pos] = k", COMPILED.replace(", fullgraph=True", "")) == []


@pytest.mark.parametrize("statement", ["c = c[:, pos]", "c = c[self.at]", "c = c[..., pos + 1, :]"])
def test_what_is_read_at_a_tensor(tmp_path: Path, statement: str) -> None:
    """It becomes a number where Python is traced."""
    assert told(tmp_path / "export", statement, EXPORT) == []
    assert told(tmp_path / "strict", statement, STRICT) == ["AOTI326"]
    assert told(tmp_path / "whole", statement, COMPILED) == ["AOTI517"]
    eager = COMPILED.replace("fullgraph=True", 'fullgraph=True, backend="eager"')
    assert told(tmp_path / "eager", statement, eager) == []
