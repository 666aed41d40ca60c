"""A wrong fake is told in the files that export a model which calls the op, as well as in its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import Found, lint_files

OPS = """import torch

@torch.library.custom_op("lib::op", mutates_args=())
def op(x: torch.Tensor) -> torch.Tensor:
    return {kernel}

@op.register_fake
def _(x):
    return {fake}
"""
NET = """import torch
import ops

class Net(torch.nn.Module):
    def forward(self, x):
        return {called}(x)
"""
EXPORT = """import torch
from net import Net

torch.export.export(Net(), (torch.randn(4, 8),))
"""
OWN = """import torch

@torch.library.custom_op("lib::op", mutates_args=())
def op(x: torch.Tensor) -> torch.Tensor:
    return x * 2

@op.register_fake
def _(x):
    return torch.empty_like(x)

class Net(torch.nn.Module):
    def forward(self, x):
        return op(x)

torch.export.export(Net(), (torch.randn(4, 8),))
"""
WRONG = {
    "AOTI404": ("torch.cat([x, x])", "torch.empty_like(x)"),
    "AOTI405": ("x.to(torch.float64)", "torch.empty_like(x)"),
    "AOTI422": ("x * 2", "torch.empty_strided(x.shape, (1, x.shape[0]), dtype=x.dtype, device=x.device)"),
}


def told(folder: Path, named: str, kernel: str, fake: str, **more: str) -> list[Found]:
    files = {
        "ops.py": OPS.format(kernel=kernel, fake=fake),
        "net.py": NET.format(called=more.pop("called", "ops.op")),
        "export.py": EXPORT,
    }
    found = lint_files(folder / "run", {**files, **{f"{name}.py": text for name, text in more.items()}}, [named])
    return [one for one in found if one.severity != "info"]


@pytest.mark.parametrize("code", WRONG)
@pytest.mark.parametrize("called", ["ops.op", "torch.ops.lib.op"])
def test_it_is_told_where_the_model_is_exported(code: str, called: str, tmp_path: Path) -> None:
    (found,) = told(tmp_path, "export.py", *WRONG[code], called=called)
    assert (found.code, found.file, found.row) == (code, "export.py", 4)


@pytest.mark.parametrize("code", WRONG)
def test_and_where_the_model_calls_the_op(code: str, tmp_path: Path) -> None:
    (found,) = told(tmp_path, "net.py", *WRONG[code])
    assert (found.code, found.file, found.row) == (code, "net.py", 6)


def test_a_right_one_is_told_nowhere(tmp_path: Path) -> None:
    assert not told(tmp_path, "export.py", "x * 2", "torch.empty_like(x)")


def test_a_script_with_an_op_of_its_own_has_nothing_to_do_with_it(tmp_path: Path) -> None:
    assert not told(tmp_path, "own.py", *WRONG["AOTI404"], own=OWN)
