"""AOTI423: calls of operators that nothing defines, beside one of nearly the same name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
{before}

@torch.library.custom_op("mylib::scale_rows", mutates_args=())
def scale_rows(x: torch.Tensor, by: torch.Tensor) -> torch.Tensor:
    return x * by[:, None]


@scale_rows.register_fake
def _(x, by):
    return torch.empty_like(x)


x, by = torch.randn(4, 8), torch.randn(4)
{call}
"""
NET = """class Net(torch.nn.Module):
    def forward(self, x, by):
        return {}


torch.export.export(Net(), (x, by))
"""
CPP = 'TORCH_LIBRARY(mylibs, m) { m.def("scale_rows(Tensor x) -> Tensor"); }'


def found(folder: Path, call: str, before: str = "", others: dict[str, str] | None = None) -> list[str]:
    files = {"net.py": SCRIPT.format(call=call, before=before), **(others or {})}
    items = lint_files(folder / "project", files, torch="2.13")
    return [item.message for item in items if item.code == "AOTI423"]


@pytest.mark.parametrize("call", [
    "torch.ops.mylibs.scale_rows(x, by)", "torch.ops.my_lib.scale_rows.default(x, by)",
    "torch.ops.mylib.scale_row(x, by)", NET.format("torch.ops.mylibs.scale_rows(x, by)"),
    NET.format("torch.ops.mylib.scalerows(x, by)"),
])  # fmt: skip
def test_a_slip_of_a_name(tmp_path: Path, call: str) -> None:
    assert len(found(tmp_path, call)) == 1


@pytest.mark.parametrize("call", [
    "torch.ops.mylib.scale_rows(x, by)", "torch.ops.aten.scale_rows(x, by)", "torch.ops.elsewhere.other(x)",
    "try:\n    torch.ops.mylibs.scale_rows(x, by)\nexcept AttributeError:\n    pass",
])  # fmt: skip
def test_what_is_defined_or_has_another_name_or_is_tried(tmp_path: Path, call: str) -> None:
    assert found(tmp_path, call) == []


def test_what_others_may_define(tmp_path: Path) -> None:
    call = "torch.ops.mylibs.scale_rows(x, by)"
    assert found(tmp_path / "a", call, "import kernels") == []
    assert found(tmp_path / "b", call, "torch.ops.load_library('mylibs.so')") == []
    assert found(tmp_path / "c", call, others={"ops.cpp": CPP}) == []


SLIP = "torch.ops.mylib.scale_rows_x(x, by)"
BACKWARD = (
    f"def backward(x, by):\n    return {SLIP}\n\n\ntorch.library.register_autograd('mylib::scale_rows', backward)"
)


def test_a_slip_beside_packages(tmp_path: Path) -> None:
    """The file defines the namespace itself, and what is called stands nowhere else."""
    before = "import kernels\nfrom lightning_utilities import core"
    assert len(found(tmp_path / "a", SLIP, before)) == 1
    assert len(found(tmp_path / "b", BACKWARD, before)) == 1
    assert (
        len(found(tmp_path / "c", f"def by_hand(x, by):\n    if x is None:\n        {SLIP}\n\n\nby_hand(x, by)")) == 1
    )


@pytest.mark.parametrize(("call", "others"), [
    ("torch.ops.mylib.scale_rows_backward(x, by)", None), ("torch.ops.mylib.scale_rows_2(x, by)", None),
    ("torch.ops.mylib.scale_rows_(x, by)", None), (f"{SLIP}\n{SLIP}", None),
    (f"{SLIP}\ntorch.ops.mylib.sum_columns(x)", None), (SLIP, {"b.py": "scale_rows_x = 1\n"}),
    (f"if hasattr(torch.ops.mylib, 'scale'):\n    {SLIP.replace('_x', 'x')}", {"b.py": "scale_rowsx = 1\n"}),
])  # fmt: skip
def test_what_a_package_may_bring(tmp_path: Path, call: str, others: dict[str, str] | None) -> None:
    assert found(tmp_path / "a", call, "import kernels", others) == []
    # The package has the name of the namespace.
    assert found(tmp_path / "b", call, "import mylib", others) == []
