"""AOTI412: outputs that share memory. Each op was called on torch 2.13: alone, compiled and in a package."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.judging import lint_files

CHECKED = """import torch

@torch.library.custom_op("shop::made", mutates_args=())
def made(x: torch.Tensor) -> {annotation}:
    {body}

@made.register_fake
def _(x):
    {fake}
"""
UNCHECKED = """import torch

library = torch.library.Library("shop", "DEF")
library.define("made(Tensor x) -> {schema}")

@torch.library.impl(library, "made", "CPU")
def made(x):
    {body}

@torch.library.register_fake("shop::made", lib=library)
def _(x):
    {fake}
"""
ONE = {"annotation": "torch.Tensor", "schema": "Tensor", "fake": "return torch.empty_like(x)"}
TWO = {
    "annotation": "tuple[torch.Tensor, torch.Tensor]",
    "schema": "(Tensor, Tensor)",
    "fake": "return torch.empty_like(x), torch.empty_like(x)",
}
LIST = {
    "annotation": "list[torch.Tensor]",
    "schema": "Tensor[]",
    "fake": "return [torch.empty_like(x), torch.empty_like(x)]",
}


@pytest.mark.parametrize(
    ("kind", "body", "shares"),
    [
        (ONE, "return x", True),
        (ONE, "return x.t()", True),
        (ONE, "return x.clone()", False),
        (TWO, "y = x * 2; return y, y", True),
        (TWO, "y = x * 2; return y, y.t()", True),
        (TWO, "y = x * 2; return y, y.clone()", False),
        (TWO, "y = x * 2; return y, y + 1", False),
        (TWO, "y = x * 2; return y, y.contiguous().exp()", False),
        (LIST, "y = x * 2; return [y, y]", True),
    ],
)
def test_outputs_that_share_memory(tmp_path: Path, kind: dict[str, str], body: str, shares: bool) -> None:
    for name, script in (("checked", CHECKED), ("unchecked", UNCHECKED)):
        folder = tmp_path / name
        found = lint_files(folder, {"script.py": script.format(body=body, **kind)})
        assert [one.code for one in found] == ["AOTI412"] * shares
        report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        outcome = "raises at call" if script is CHECKED else "silently wrong"
        assert [one["outcome"] for one in report["diagnostics"]] == [outcome] * shares


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return x", "itself, and an output must be a tensor of its own: each call raises"),
        (
            "return x if x.shape[0] == 4 else x * 2",
            "itself in some calls, and an output must be a tensor of its own: such",
        ),
    ],
)
def test_says_whether_each_call_does(tmp_path: Path, body: str, words: str) -> None:
    (found,) = lint_files(tmp_path / "run", {"script.py": CHECKED.format(body=body, **ONE)})
    assert words in found.message
