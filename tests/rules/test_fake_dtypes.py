"""A dtype that a fake or a kernel writes down where the other has that of an argument: the calls say who is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

PROGRAM = """
import torch

@torch.library.custom_op("lib::op", mutates_args=())
def op(x: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
    {kernel}

@op.register_fake
def _(x, index):
    {fake}

{calls}
"""
INDEX = "torch.zeros(3, dtype=torch.int64)"
FLOAT = f"torch.ops.lib.op(torch.zeros(4, 8), {INDEX})"
HALF = f"torch.ops.lib.op(torch.zeros(4, 8, dtype=torch.bfloat16), index={INDEX})"


def found(folder: Path, fake: str, kernel: str, calls: str) -> list[str]:
    """The severities of AOTI405, advice among them."""
    text = PROGRAM.format(fake=fake, kernel=kernel, calls=calls)
    said = lint_files(folder, {"ops.py": text}, None, "2.13", "--pedantic")
    return [one.severity for one in said if one.code == "AOTI405"]


@pytest.mark.parametrize(
    ("calls", "said", "unsaid"),
    [
        ("", [], ["warning"]),
        (FLOAT, [], ["info"]),
        (HALF, ["warning"], ["warning"]),
        (f"{FLOAT}\n{HALF}", ["warning"], ["warning"]),
        ("torch.ops.lib.op(*unknown)", [], ["warning"]),
    ],
)
def test_the_calls_decide(calls: str, said: list[str], unsaid: list[str], tmp_path: Path) -> None:
    written = "return torch.empty(x.shape, dtype=torch.float32, device=x.device)"
    assert found(tmp_path / "said", written, "return x * 2", calls) == said
    assert found(tmp_path / "kernel", "return torch.empty_like(x)", written.replace("empty", "zeros"), calls) == said
    default = "return torch.empty(x.shape, device=x.device)"
    assert found(tmp_path / "unsaid", default, "return x * 2", calls) == unsaid


@pytest.mark.parametrize(("calls", "said"), [("", ["warning"]), (FLOAT, ["info"]), (HALF, ["warning"])])
@pytest.mark.parametrize("back", [".to(x.dtype)", ".type_as(x)"])
def test_a_kernel_that_casts_back_takes_more_than_one_dtype(
    back: str, calls: str, said: list[str], tmp_path: Path
) -> None:
    written = "return x.new_empty(x.shape, dtype=torch.float32)"
    assert found(tmp_path / "run", written, f"return (x.float() * 2){back}", calls) == said


def test_each_argument_has_its_own_calls(tmp_path: Path) -> None:
    written = "return torch.empty(index.shape, dtype=torch.float32, device=x.device)"
    assert found(tmp_path / "run", written, "return index * 2", FLOAT) == ["warning"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("assert x.dtype == torch.float32", []),
        ("assert x.dtype in (torch.float32, torch.float64)", []),
        ("assert x.dtype in DTYPES", []),
        ("torch._check(x.dtype == torch.float)", []),
        ("if x.dtype != torch.float32:\n        raise TypeError", []),
        ("assert x.dtype == torch.float16", ["warning"]),
        ("assert x.dtype in [torch.float16, torch.bfloat16]", ["warning"]),
        ("assert index.dtype == torch.int64", []),
    ],
)
def test_what_is_asked_of_the_dtype_decides(asked: str, said: list[str], tmp_path: Path) -> None:
    written = "return torch.empty(x.shape, dtype=torch.float32, device=x.device)"
    assert found(tmp_path / "kernel", written, f"{asked}\n    return x * 2", "") == said
    assert found(tmp_path / "fake", f"{asked}\n    {written}", "return x * 2", "") == said
