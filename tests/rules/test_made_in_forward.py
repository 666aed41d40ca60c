"""AOTI712 and AOTI713: what a forward returns, and the layers that it makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import collections
import dataclasses
import enum
import typing
import torch
from torch import nn
{before}

@dataclasses.dataclass
class Boxes:
    x: torch.Tensor


class Plain:
    def __init__(self, x):
        self.x = x


class Pair(typing.NamedTuple):
    x: torch.Tensor
    y: torch.Tensor


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)
        {init}

    def forward(self, x):
        {forward}


{export}
"""
EXPORT = "torch.export.export(Net(), (torch.randn(2, 8),){})"
PLAIN = EXPORT.format("")


def codes(folder: Path, forward: str, *, before: str = "", init: str = "", export: str = PLAIN) -> list[str]:
    text = SCRIPT.format(forward=forward, before=before, init=init, export=export)
    items = lint_files(folder / str(abs(hash(text))), {"net.py": text}, torch="2.13")
    return [item.code for item in items if item.code in ("AOTI712", "AOTI713")]


@pytest.mark.parametrize("forward", [
    "return Boxes(x)", "return Plain(x)", "return x, Boxes(x)", "return {'a': Plain(x)}", "return [Plain(3), x]",
    "y = self.fc(x)\n        return Boxes(x=y)",
])  # fmt: skip
def test_a_class_that_torch_does_not_know(tmp_path: Path, forward: str) -> None:
    assert codes(tmp_path, forward) == ["AOTI712"]
    assert codes(tmp_path, forward, export=EXPORT.format(", strict=True")) == ["AOTI712"]


@pytest.mark.parametrize("forward", [
    "return x", "return x, {'a': [x]}", "return Pair(x, x)", "return x.shape", "return collections.OrderedDict(a=x)",
    "b = Boxes(x)\n        return b.x", "return x.max(0)", "return helpers.Output(x)", "return None",
])  # fmt: skip
def test_what_torch_knows_and_what_nobody_knows(tmp_path: Path, forward: str) -> None:
    assert codes(tmp_path, forward, before="import helpers") == []


@pytest.mark.parametrize("before", [
    "torch.export.register_dataclass(Boxes)", "torch.utils._pytree.register_pytree_node(Boxes, flat, back)",
    "helpers.register(Boxes)",
])  # fmt: skip
def test_a_class_that_was_registered(tmp_path: Path, before: str) -> None:
    assert codes(tmp_path, "return Boxes(x)", before="import helpers", export=f"{before}\n{PLAIN}") == []


def test_a_handler_of_the_error_and_a_draft(tmp_path: Path) -> None:
    tried = f"try:\n    {PLAIN}\nexcept RuntimeError:\n    pass"
    assert codes(tmp_path, "return Boxes(x)", export=tried) == []
    assert codes(tmp_path, "return Boxes(x)", export="torch.export.draft_export(Net(), (torch.randn(2, 8),))") == []


@pytest.mark.parametrize("forward", [
    "return nn.Linear(8, 4)(x)", "layer = nn.Linear(8, 8)\n        return self.fc(layer(x))",
    "return nn.Sequential(nn.LayerNorm(8), nn.ReLU())(x)",
])  # fmt: skip
def test_a_layer_that_is_made_in_forward(tmp_path: Path, forward: str) -> None:
    assert codes(tmp_path, forward) == ["AOTI713"]
    assert codes(tmp_path, forward, export=EXPORT.format(", strict=True")) == ["AOTI713"]


@pytest.mark.parametrize("forward", [
    "return nn.ReLU()(self.fc(x))", "return nn.Softmax(dim=-1)(x)", "return self.fc(x)",
    "return nn.LayerNorm(8, elementwise_affine=False)(x)",
])  # fmt: skip
def test_layers_without_weights_and_those_made_before(tmp_path: Path, forward: str) -> None:
    assert codes(tmp_path, forward, init="self.other = nn.Linear(8, 8)") == []
