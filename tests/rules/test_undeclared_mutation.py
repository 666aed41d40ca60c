"""AOTI413: a kernel that puts back what it changed. `opcheck` of torch 2.13 says the same of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch

@torch.library.custom_op("shop::scaled", mutates_args=())
def scaled(x: torch.Tensor) -> torch.Tensor:
    large = x.abs() >= 1.0
    {kept}
    {changed}
    out = x * 2
    {back}
    return out

@scaled.register_fake
def _(x):
    return torch.empty_like(x)
"""


@pytest.mark.parametrize(
    ("kept", "changed", "back", "codes"),
    [
        ("kept = x[large].clone()", "x[large] = 0", "x[large] = kept", []),
        ("kept = x[large]", "x[large] = 0", "x[large] = kept", []),
        ("kept = x[:, 0].clone()", "x[:, 0] = 0", "x[:, 0] = kept", []),
        ("kept = x[:, 0].detach().clone()", "x[:, 0].zero_()", "x[:, 0] = kept", []),
        ("kept = x[:, 0]", "x[:, 0] = 0", "x[:, 0] = kept", ["AOTI413"]),
        ("kept = x[:, 0].clone()", "x[:, 0] = 0", "x[:, 1] = kept", ["AOTI413"]),
        ("kept = x[:, 0].clone()", "x[:, 0] = 0; kept.add_(1)", "x[:, 0] = kept", ["AOTI413"]),
        ("kept = x[:, 0].clone()", "x[:, 0] = 0", "x[:, 0] = kept * 2", ["AOTI413"]),
        ("kept = x[:, 0].clone()", "x[:, 0] = 0", "x[:, 0] = kept; x.add_(1)", ["AOTI413"]),
    ],
)
def test_what_is_put_back_is_not_changed(tmp_path: Path, kept: str, changed: str, back: str, codes: list[str]) -> None:
    script = SCRIPT.format(kept=kept, changed=changed, back=back)
    assert [one.code for one in lint_files(tmp_path / "run", {"script.py": script})] == codes
