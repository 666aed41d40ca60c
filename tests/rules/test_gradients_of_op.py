"""AOTI424: how many gradients an op gives, and those that have no formula. Each case was run with torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch

@torch.library.custom_op("mylib::scale", mutates_args=())
def scale({inputs}) -> torch.Tensor:
    return x * 2

def backward(ctx, grad):
    {body}

{register}
"""
THREE = "x: torch.Tensor, low: float, high: float"
METHOD = "scale.register_autograd(backward)"
FUNCTION = "torch.library.register_autograd('mylib::scale', {})"


@pytest.mark.parametrize(
    ("inputs", "body", "register", "wrong"),
    [
        (THREE, "return grad * 2, None", METHOD, True),
        (THREE, "return (grad * 2,)", METHOD, True),
        (THREE, "return [grad, None, None]", METHOD, True),
        (THREE, "ctx.seen = 1", METHOD, False),
        (THREE, "return", METHOD, True),
        (THREE, "if ctx.saved_tensors:\n        return grad, None\n    return grad, None, None", METHOD, True),
        (THREE, "return grad, None", FUNCTION.format("backward"), True),
        (THREE, "return grad, None", FUNCTION.format("lambda ctx, grad: (grad, None)"), True),
        (THREE, "return grad * 2, None, None", METHOD, False),
        (THREE, "return grad * 2, None, None, None", METHOD, False),
        (THREE, "return (grad, *[None] * 2)", METHOD, False),
        (THREE, "return (grad,) + (None, None)", METHOD, False),
        (THREE, "def inner():\n        return grad, None\n    return (*inner(), None)", METHOD, False),
        (THREE, "return grad, None", FUNCTION.format("lambda ctx, grad: (grad, None, None)"), False),
        ("x: torch.Tensor", "return grad", METHOD, False),
        ("x: torch.Tensor, low: float, *, high: float", "return grad, None", METHOD, False),
        ("x: torch.Tensor, low: float, high: float = 1.0", "return grad, None", METHOD, False),
        ("x: list[torch.Tensor]", "return [grad, grad]", METHOD, False),
    ],
)
def test_said(inputs: str, body: str, register: str, wrong: bool, tmp_path: Path) -> None:
    script = SCRIPT.format(inputs=inputs, body=body, register=register)
    found = lint_files(tmp_path / "run", {"op.py": script}, torch="2.13")
    assert ("AOTI424" in [item.code for item in found]) == wrong


PASS = """import torch
from torch import nn

@torch.library.custom_op("mylib::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2

@twice.register_fake
def _(x):
    return torch.empty_like(x)

@torch.library.custom_op("mylib::best", mutates_args=())
def best(x: torch.Tensor) -> torch.Tensor:
    return x.argmax(-1)

@best.register_fake
def _(x):
    return x.new_empty(x.shape[:-1], dtype=torch.int64)

@torch.library.custom_op("mylib::both", mutates_args=())
def both(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return x * 2, x.argmax(-1)

@both.register_fake
def _(x):
    return torch.empty_like(x), x.new_empty(x.shape[:-1], dtype=torch.int64)

class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return twice(x)

    @staticmethod
    def backward(ctx, grad):
        return grad * 2

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        return twice(self.fc(x))

class Before(Net):
    def forward(self, x):
        return self.fc(twice(x))

net, x = Net(), torch.randn(2, 8)
"""
RAISING = [
    "net(x).sum().backward()",
    "module = torch.export.export(net, (x,)).module()\nnn.functional.mse_loss(module(x), x).backward()",
    "loss = nn.MSELoss()(net(x) + 1, x)\nloss = 2 * loss\ntorch.autograd.backward(loss)",
    "torch.autograd.grad(torch.stack([net(x), x]).mean(), net.fc.weight)",
    "torch.compile(net)(x).sum().backward()",
    "torch.ops.mylib.twice(net.fc(x)).sum().backward()",
    "twice(torch.randn(2, requires_grad=True)).sum().backward()",
    "first, second = net.fc(x).chunk(2, -1)\n(twice(first) * second).sum().backward()",
    "first, second = (one.contiguous() for one in net.fc(x).split(4, -1))\ntwice(second).sum().backward()",
    "twice(net.fc(x).max(-1)[0]).sum().backward()",
    "twice(net.fc(x).topk(2).values).sum().backward()",
    "twice(nn.LSTM(8, 8)(x)[0]).sum().backward()",
]
PASSING = [
    "Before()(x).sum().backward()",
    "torch.export.export(Before(), (x,)).module()(x).sum().backward()",
    "twice.register_autograd(lambda ctx, grad: grad * 2)\nnet(x).sum().backward()",
    "torch.library.register_autograd('mylib::twice', lambda ctx, grad: grad * 2)\nnet(x).sum().backward()",
    "Own.apply(net.fc(x)).sum().backward()",
    "(net(x).detach() + net.fc(x)).sum().backward()",
    "(twice(net.fc(x).max(-1)[1]) + net.fc(x).sum(-1)).sum().backward()",
    "(twice(net.fc(x).detach().unbind(0)[0]) + net.fc(x)[0]).sum().backward()",
    "first, second = net(x).chunk(2, -1)\n(first.detach() + net.fc(x).chunk(2, -1)[0]).sum().backward()",
    "(both(net.fc(x))[1] + net.fc(x).sum(-1)).sum().backward()",
    "(twice(net.fc(x).detach()) + net.fc(x)).sum().backward()",
    "with torch.no_grad():\n    first = net(x)\n(first + net.fc(x)).sum().backward()",
    "y = net.fc(x)\n(best(y) * y.sum(-1)).sum().backward()",
    "net.requires_grad_(False)\n(net(x) * torch.ones(8, requires_grad=True)).sum().backward()",
    "for one in net.parameters():\n    one.requires_grad = False\n"
    "(net(x) * torch.ones(8, requires_grad=True)).sum().backward()",
    "try:\n    net(x).sum().backward()\nexcept RuntimeError:\n    pass",
    "net(x).sum()",
]


@pytest.mark.parametrize("body", [*RAISING, *PASSING])
def test_passes(body: str, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "judged", {"script.py": f"{PASS}{body}\n"}, None, "2.13", "--pedantic")
    assert [one.code for one in found if one.code == "AOTI424"] == ["AOTI424"] * (body in RAISING)


def test_another_script_defines_the_op_for_itself(tmp_path: Path) -> None:
    bad = f"{PASS}net(x).sum().backward()\n"
    good = f"{PASS}twice.register_autograd(lambda ctx, grad: grad * 2)\nnet(x).sum().backward()\n"
    found = lint_files(tmp_path / "judged", {"bad.py": bad, "good.py": good}, None, "2.13", "--pedantic")
    assert [one.file for one in found if one.code == "AOTI424"] == ["bad.py"]
