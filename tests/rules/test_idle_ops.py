"""AOTI413 and AOTI401: ops that give nothing and, by their schemas, change nothing.

Run on torch 2.13: `torch.compile` and a package leave out the calls of such an op, `ep.module()` does not.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

OPS = """#include <torch/library.h>
TORCH_LIBRARY(shop, m) {{
  m.def("{schema}");
  m.def("kept(Tensor x) -> Tensor");
}}
"""
FAKES = """import torch

torch.ops.load_library("libshop.so")

@torch.library.register_fake("shop::kept")
def _(x):
    return torch.empty_like(x)
"""
EXPORT = """import torch

torch.ops.load_library("libshop.so")

class Net(torch.nn.Module):
    def forward(self, x):
        out = torch.zeros_like(x)
        torch.ops.shop.twice(x, out)
        return out

torch.export.export(Net(), (torch.ones(3),))
"""


@pytest.mark.parametrize(
    ("schema", "codes"),
    [
        ("twice(Tensor x, Tensor out) -> ()", ["AOTI413"]),
        ("twice(Tensor[] xs, Tensor? out) -> ()", ["AOTI413"]),
        ("twice(Tensor x, Tensor(a!) out) -> ()", []),
        ("twice(Tensor x, Tensor! out) -> ()", []),
        ("twice(Tensor x, Tensor out) -> Tensor", ["AOTI401"]),
        ("twice_(Tensor x, float by) -> ()", ["AOTI413"]),
        ("seen(Tensor x) -> ()", ["AOTI401"]),
        ("start(int device) -> ()", ["AOTI401"]),
    ],
)
def test_of_a_library_that_has_fakes(schema: str, codes: list[str], tmp_path: Path) -> None:
    files = {"ops.cpp": OPS.format(schema=schema), "fakes.py": FAKES, "requirements.txt": "torch"}
    found = [one for one in lint_files(tmp_path / "run", files, None, "2.13", "--pedantic") if one.code != "AOTI416"]
    assert [one.code for one in found] == codes
    assert all(one.severity == "warning" for one in found if one.code == "AOTI413")


@pytest.mark.parametrize(
    "kernel", [", &twice", ", torch::dispatch(c10::DispatchKey::CompositeImplicitAutograd, twice)"]
)
def test_tracing_sees_what_a_kernel_for_all_devices_does(kernel: str, tmp_path: Path) -> None:
    ops = OPS.format(schema="twice(Tensor x, Tensor out) -> ()").replace('-> ()"', f'-> ()"{kernel}')
    files = {"ops.cpp": ops, "fakes.py": FAKES, "requirements.txt": "torch"}
    found = lint_files(tmp_path / "run", files, None, "2.13", "--pedantic")
    assert [one.code for one in found if one.code == "AOTI413"] == []


def test_of_a_library_of_which_nothing_is_compiled_it_is_only_possible(tmp_path: Path) -> None:
    files = {"ops.cpp": OPS.format(schema="twice(Tensor x, Tensor out) -> ()"), "requirements.txt": "torch"}
    found = lint_files(tmp_path / "run", files, None, "2.13", "--pedantic")
    assert [one.severity for one in found if one.code == "AOTI413"] == ["info"]


def test_what_is_exported_is_told_to_declare_what_it_writes_to(tmp_path: Path) -> None:
    ops = OPS.format(schema="twice(Tensor x, Tensor out) -> ()")
    found = lint_files(tmp_path / "run", {"ops.cpp": ops, "net.py": EXPORT, "requirements.txt": "torch"}, torch="2.13")
    assert [(one.code, one.severity) for one in found] == [("AOTI401", "error"), ("AOTI413", "warning")]
    report = (tmp_path / "run" / "report.json").read_text(encoding="utf-8")
    assert "say in its schema what it writes to, Tensor(a!): then it needs none" in report
