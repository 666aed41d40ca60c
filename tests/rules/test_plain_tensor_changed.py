"""AOTI703: tensors of a module that are no buffers, changed in its forward."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """
import torch
from torch import nn

TOTAL = torch.zeros(4)

class Inner(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = torch.zeros(4)
    def forward(self, x):
        self.total += x
        return self.total

class Net(nn.Module):
    of_the_class = torch.zeros(4)
    def __init__(self):
        super().__init__()
        self.state = torch.zeros(4)
        self.register_buffer("kept", torch.zeros(4))
        self.table = torch.arange(4.0)
        self.weight = nn.Parameter(torch.ones(4))
        self.inner = Inner()
        self.boxes = [torch.zeros(4)]
    def forward(self, x):
        {body}

program = torch.export.export(Net(), (torch.ones(4),))
{after}
"""
COMPILE = "torch._inductor.aoti_compile_and_package(program)"
FOUND = [
    "self.state.add_(x)\n        return self.state * 2",
    "self.state += 1\n        return x + self.state",
    "self.state[0] = x[0]\n        return x + self.state",
    "self.state[:2].copy_(x[:2])\n        return x + self.state",
    "self.state.index_copy_(0, torch.tensor([1]), x[:1])\n        return x + self.state",
    "held = self.state\n        held.mul_(2)\n        return x + held",
    "return self.inner(x)",
    "TOTAL.add_(x)\n        return x + TOTAL",
    "self.boxes[0] += x\n        return x + self.boxes[0]",
    "self.of_the_class.add_(x)\n        return x + self.of_the_class",
]
QUIET = [
    "return x + self.state",
    "self.kept.add_(x)\n        return self.kept * 2",
    "self.kept[0] = x[0]\n        return x + self.kept",
    "self.state = self.state + x\n        return self.state",
    "own = self.state.clone()\n        own.add_(x)\n        return own",
    "return x + TOTAL + self.boxes[0]",
    "x.add_(1)\n        return x",
    "own = TOTAL.clone()\n        own.add_(x)\n        return own",
    "own = torch.zeros(4)\n        own += x\n        return own",
    "self.fresh = torch.zeros(4)\n        self.fresh.add_(x)\n        return self.fresh",
    "y = x * self.table\n        y.add_(1)\n        return y",
    "if self.training and self.flag:\n            self.state.add_(1)\n        return x",
    "self.state.requires_grad_(False)\n        return x + self.state",
]


def said(folder: Path, body: str, after: str = COMPILE) -> list[tuple[str, str]]:
    items = lint_files(folder / "judged", {"script.py": SCRIPT.format(body=body, after=after)}, torch="2.13")
    return [(item.code, item.severity) for item in items if item.severity != "info"]


@pytest.mark.parametrize("body", FOUND)
def test_found(body: str, tmp_path: Path) -> None:
    assert said(tmp_path, body) == [("AOTI703", "error")]


@pytest.mark.parametrize("body", QUIET)
def test_quiet(body: str, tmp_path: Path) -> None:
    assert [one for one in said(tmp_path, body) if one[0] == "AOTI703"] == []


def test_only_a_compile_raises(tmp_path: Path) -> None:
    for number, after in enumerate(("torch.export.save(program, 'p.pt2')", "program.module()(torch.ones(4))")):
        assert said(tmp_path / str(number), FOUND[0], after) == []


def test_an_expected_failure_is_none(tmp_path: Path) -> None:
    after = f"try:\n    {COMPILE}\nexcept AssertionError:\n    pass"
    assert said(tmp_path, FOUND[0], after) == []


WEIGHTS = """
import torch
import helpers

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(4))
        self.loose = [torch.nn.Parameter(torch.ones(4))]
        self.frozen = torch.nn.Parameter(torch.ones(4), requires_grad={wants})
    def forward(self, x):
        {body}
        return x * self.weight * self.loose[0] * self.frozen

model = Net()
{before}
program = torch.export.export(model, (torch.randn(2, 4),){more})
"""
HELPERS = """
import torch

class Clamped:
    def __init__(self, tensor):
        self.tensor = tensor
    def clamp(self):
        self.tensor.clamp_(0, 1)

def double(tensor):
    tensor *= 2

@torch.no_grad()
def quietly(tensor):
    tensor.mul_(2)
"""
RAISING = [
    "self.weight.add_(1)", "self.weight += 1", "self.weight[0] = 1", "self.weight.copy_(x[0])",
    "self.weight[:2].mul_(2)", "self.weight.view(2, 2).add_(1)", "torch.add(self.weight, 1, out=self.weight)",
    "self.loose[0].add_(1)", "helpers.double(self.weight)", "helpers.Clamped(self.weight).clamp()",
    "self.frozen.add_(1)",
]  # fmt: skip
WORKING = [
    "self.weight.detach().add_(1)", "self.weight = torch.nn.Parameter(self.weight + 1)", "self.weight.clone().add_(1)",
    "torch.nn.init.zeros_(self.weight)", "helpers.quietly(self.weight)", "self.weight.requires_grad_(False)",
    "with torch.no_grad():\n            self.weight.add_(1)", "self.weight.data = x[0]",
]  # fmt: skip


def of_weights(folder: Path, body: str, before: str = "", more: str = "", wants: str = "True") -> list[str]:
    script = WEIGHTS.format(body=body, before=before, more=more, wants=wants)
    return [one.code for one in lint_files(folder, {"script.py": script, "helpers.py": HELPERS}, torch="2.13")]


@pytest.mark.parametrize("body", RAISING)
def test_a_parameter_is_changed_while_autograd_is_on(body: str, tmp_path: Path) -> None:
    for number, (before, more) in enumerate((("", ""), ("", ", strict=True"), ("model.eval()", ""))):
        # Strict exports do not know the parameter in the list, either.
        said = ["AOTI703", "AOTI721"] if more else ["AOTI703"]
        assert of_weights(tmp_path / str(number), body, before, more) == said


@pytest.mark.parametrize("body", WORKING)
def test_autograd_does_not_see_the_change(body: str, tmp_path: Path) -> None:
    assert of_weights(tmp_path / "judged", body) == []


@pytest.mark.parametrize("before", ["model.requires_grad_(False)", "torch.set_grad_enabled(False)"])
def test_a_parameter_that_wants_no_gradient(before: str, tmp_path: Path) -> None:
    assert of_weights(tmp_path / "judged", RAISING[0], before) == []
    assert of_weights(tmp_path / "frozen", "self.frozen.add_(1)", wants="False") == []


@pytest.mark.parametrize(
    "after",
    [
        "program.run_decompositions().module()(torch.ones(4))",
        "torch.onnx.export(Net().eval(), (torch.ones(4),), dynamo=True).save('net.onnx')",
    ],
)
@pytest.mark.parametrize("body", [*FOUND, *QUIET])
def test_where_constants_are_asked_for(body: str, after: str, tmp_path: Path) -> None:
    assert ("AOTI703" in [code for code, _ in said(tmp_path, body, after)]) == (body in FOUND)


def test_what_is_caught_is_not_told(tmp_path: Path) -> None:
    after = "try:\n    program.run_decompositions()\nexcept RuntimeError:\n    pass"
    assert "AOTI703" not in [code for code, _ in said(tmp_path, FOUND[0], after)]
