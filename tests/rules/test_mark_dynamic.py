"""AOTI521: what holds a size that `mark_dynamic` marked, as torch 2.13 itself answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
BIAS = torch.randn(6, 3)
{decorator}
def fast(x, y):
{body}
x, y = torch.randn(6, 3), torch.randn(6, 3)
{marks}
fast(x, y)
"""
COMPILED = "@torch.compile"
ONE = "torch._dynamo.mark_dynamic(x, 0)"
RANGE = "torch._dynamo.mark_dynamic(x, 0, min=2, max=32)"
HELD = [
    "return x + y", "return x + BIAS", "return torch.cat([x, y], 1)", "return x.t() @ y", "return x.view(6, 3) * 2",
    "return x + torch.ones(6, 3)", "return sum(x.unbind(0))", "assert x.shape[0] == 6; return x",
    "return sum(x[i] for i in range(x.shape[0]))", "return x * {6: 1, 7: 2}[x.shape[0]]",
    "return torch.nn.functional.mse_loss(x, y)", "return torch.nn.functional.cross_entropy(y, x[:, 0].long() * 0)",
    "return x.sin() if x.shape[0] == y.shape[0] else x", "return [row * 2 for row in x]",
]  # fmt: skip
LEFT = [
    "return x * 2", "return x + y[:1]", "return x * int(x.shape[0])", "return x * len(x)", "return x[:4] * 2",
    "return x[: x.shape[0] // 2]", "return x.chunk(2)[0]", "return x.split(2)[0]", "return x[3]",
    "return x.sin() if x.shape[0] > 5 else x", "return x.sin() if x.shape[0] != 7 else x", "return x.view(2, -1, 3)",
    "x = x * 2; torch._dynamo.graph_break(); return x + y", "x = x * 2; return x * x.sum().item() + y",
    "x = x * 2; print('so far'); return x + y",
]  # fmt: skip
HELD_IN_RANGE = [
    "return x.sin() if x.shape[0] > 5 else x", "return x.sin() if x.shape[0] != 7 else x", "return x.view(2, -1, 3)",
]  # fmt: skip
MARKS = {
    ONE: True,
    "torch._dynamo.mark_dynamic(x, [0])": True,
    "torch._dynamo.mark_dynamic(x, (0, 1))": True,
    "torch._dynamo.mark_dynamic(x, 0); torch._dynamo.mark_static(x, 0)": True,
    "torch._dynamo.mark_dynamic(x, -1)": False,
    "torch._dynamo.maybe_mark_dynamic(x, 0)": False,
    "torch._dynamo.mark_dynamic(x, 0); torch._dynamo.mark_dynamic(y, 0)": False,
    "torch._dynamo.mark_dynamic(x, 0); y = x": False,
    "torch._dynamo.mark_dynamic(x, 0); y = torch.randn(1, 3)": False,
    "x = torch.randn(1, 3); torch._dynamo.mark_dynamic(x, 0)": False,
    "": False,
}
WAYS = {
    COMPILED: True,
    "@torch.compile(backend='eager', fullgraph=True)": True,
    "@torch.compile(dynamic=False)": True,
    "@torch.compile(dynamic=True)": False,
    "@torch.compile(disable=True)": False,
    "": False,
}


def codes(folder: Path, body: str, marks: str = ONE, decorator: str = COMPILED) -> list[str]:
    lines = "\n".join(f"    {line.strip()}" for line in body.split(";"))
    script = SCRIPT.format(decorator=decorator, body=lines, marks=marks)
    return [one.code for one in lint_files(folder / "judged", {"script.py": script}, torch="2.13")]


@pytest.mark.parametrize("body", HELD)
def test_a_marked_size_is_held(tmp_path: Path, body: str) -> None:
    assert codes(tmp_path / "marked", body) == ["AOTI521"]
    assert codes(tmp_path / "softly", body, "torch._dynamo.maybe_mark_dynamic(x, 0)") == []


@pytest.mark.parametrize("body", LEFT)
def test_a_marked_size_is_left_open(tmp_path: Path, body: str) -> None:
    assert codes(tmp_path, body) == []


@pytest.mark.parametrize("body", HELD_IN_RANGE)
def test_a_range_holds_more(tmp_path: Path, body: str) -> None:
    assert codes(tmp_path / "range", body, RANGE) == ["AOTI521"]
    assert codes(tmp_path / "even", "return x * 2", RANGE) == []


@pytest.mark.parametrize(("marks", "raises"), MARKS.items())
def test_how_it_is_marked(tmp_path: Path, marks: str, raises: bool) -> None:
    assert codes(tmp_path, "return x + y", marks) == ["AOTI521"] * raises


@pytest.mark.parametrize(("decorator", "raises"), WAYS.items())
def test_how_it_is_compiled(tmp_path: Path, decorator: str, raises: bool) -> None:
    assert codes(tmp_path, "return x + y", ONE, decorator) == ["AOTI521"] * raises


def test_comparisons_that_leave_one_size(tmp_path: Path) -> None:
    both = "if x.shape[0] > 6: return x.sin(); if x.shape[0] < 6: return x.cos(); return x"
    assert codes(tmp_path / "both", both) == ["AOTI521"]
    assert codes(tmp_path / "one", "if x.shape[0] > 6: return x.sin(); return x") == []


def test_code_that_was_compiled_before(tmp_path: Path) -> None:
    """What differs from the first call is dynamic by then."""
    before = "fast(torch.randn(4, 3), torch.randn(4, 3))\n"
    assert codes(tmp_path / "same", "return x + y", before + ONE) == []
    other = "torch.compile(fast)(torch.randn(4, 3), torch.randn(4, 3))\nslow, fast = fast, torch.compile(fast)\n"
    assert codes(tmp_path / "again", "return x + y", other + ONE, "") == []


@pytest.mark.parametrize("mark", ["mark_dynamic", "maybe_mark_dynamic", "mark_unbacked"])
def test_a_mark_inside(tmp_path: Path, mark: str) -> None:
    inside = f"torch._dynamo.decorators.{mark}(x, 0); return x"
    assert codes(tmp_path / "compiled", inside, "") == ["AOTI521"]
    assert codes(tmp_path / "plain", inside, "", "") == []
    guarded = f"if not torch.compiler.is_compiling(): torch._dynamo.{mark}(x, 0); return x"
    assert codes(tmp_path / "guarded", guarded, "") == []


def test_static_may_be_marked_inside(tmp_path: Path) -> None:
    assert codes(tmp_path, "torch._dynamo.mark_static(x, 0); return x", "") == []


def test_marks_that_torch_does_not_look_at(tmp_path: Path) -> None:
    """Those of parameters; and a generator is not compiled."""
    weight = "x = torch.nn.Parameter(torch.ones(6, 3)); torch._dynamo.mark_dynamic(x, 0)"
    assert codes(tmp_path / "weight", "return x + y", weight) == []
    assert codes(tmp_path / "yields", "torch._dynamo.mark_dynamic(x, 0); yield x + y", "", COMPILED) == []
