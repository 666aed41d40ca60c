"""AOTI715: the order of loading weights and making a package."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """import torch

def package(model, path="net.pt2"):
    program = torch.export.export(model, (torch.randn(2, 8),))
    return torch._inductor.aoti_compile_and_package(program, package_path=path)

model = torch.nn.Linear(8, 64)
weights = torch.load("weights.pt")
"""
LATE = [
    "package(model)\nmodel.load_state_dict(weights)",
    "package(model)\nmodel.load_state_dict(weights)\nmodel.eval()",
    "torch.export.save(torch.export.export(model, (torch.randn(2, 8),)), 'net.pt2')\nmodel.load_state_dict(weights)",
    "package(torch.compile(model))\nmodel.load_state_dict(weights)",
    "program = torch.export.export(model, (torch.randn(2, 8),))\nmodel.load_state_dict(weights, assign=True)\n"
    "torch.export.save(program, 'net.pt2')",
]
NOT = [
    "model.load_state_dict(weights)\npackage(model)",
    "package(model)\nmodel.load_state_dict(weights)\npackage(model)",
    "model.load_state_dict(weights)\npackage(model)\nmodel.load_state_dict(torch.load('other.pt'))",
    "before = model.state_dict()\npackage(model)\nmodel.load_state_dict(before)",
    "package(model)\ntorch.nn.Linear(8, 64).load_state_dict(weights)",
    "for file in ('a.pt', 'b.pt'):\n    model.load_state_dict(torch.load(file))\n    package(model, file + '2')",
    "run = torch._inductor.aoti_load_package(package(model))\nmodel.load_state_dict(weights)\n"
    "run.load_constants(model.state_dict(), check_full_update=True)",
    "program = torch.export.export(model, (torch.randn(2, 8),))\nmodel.load_state_dict(weights)\nprogram.module()",
    "model.load_state_dict(weights, assign=True)\nprogram = torch.export.export(model, (torch.randn(2, 8),))",
    "torch.export.export(model, (torch.randn(2, 8),))\nmodel.load_state_dict(weights, assign=True)\n"
    "program = torch.export.export(model, (torch.randn(2, 8),))",
    "program = torch.export.export(model, (torch.randn(2, 8),))\nmodel.load_state_dict(weights)\n"
    "torch._inductor.aoti_compile_and_package(program)",
]


@pytest.mark.parametrize("body", [*LATE, *NOT])
def test_said(body: str, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "judged", {"script.py": f"{HEAD}{body}\n"}, torch="2.13")
    assert ("AOTI715" in [item.code for item in found]) == (body in LATE)
