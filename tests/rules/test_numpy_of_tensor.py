"""AOTI726: what can become an array, as torch has it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.judging import lint_files

HEAD = """import torch
from torch import nn
net = nn.Sequential(nn.Linear(4, 4), nn.ReLU()).eval()
x = torch.randn(2, 4)
m = torch.export.export(net, (x,)).module()
y = m(x)
"""
RAISES = """y
y.max(1)[0]
y.max(1).values
y.topk(2)[0]
torch.max(y)
y.to("cpu")
y.cpu().squeeze()
y[0]
y[:, 1:]
y.clone()
y.float()
y.sign()
y.permute(1, 0)
y.reshape(-1)
torch.cat([y, x])
torch.as_tensor(y)
torch.ones_like(y) * y
torch.where(y > 0, y, 0.0)
torch.nn.functional.mse_loss(y, x)
torch.softmax(y, -1)
net(x)
nn.LSTM(4, 4)(x)[1][0]
nn.BatchNorm1d(4)(x)
nn.functional.linear(x, net[0].weight)
torch.compile(net)(x)
y.detach().to(torch.bfloat16)
x.bfloat16()""".splitlines()
WORKS = """x
y.detach()
y.data
y.clone().detach()
y.max(1)[1]
y.topk(2).indices
torch.max(y, 1)[1]
y.cummax(0)[1]
torch.nonzero(y > 0)
(y * 255).byte()
y.type(torch.LongTensor)
y.type(torch.uint8)
y.new_tensor([1.0])
torch.zeros_like(y)
torch.where(y > 0, 1.0, 0.0)
torch.where(y > 0)[0]
~(y > 0)
(torch.sigmoid(y) > 0.5).float()
torch.eye(4)[y.argmax(1)]
torch.tensor(y.tolist())
net.state_dict()["0.weight"]
list(net.parameters())[0].data
x @ net[0].weight.data
nn.ReLU()(x)
nn.Linear(4, 4).requires_grad_(False)(x)
nn.BatchNorm1d(4, affine=False)(x)
nn.BatchNorm1d(4, 1e-5, 0.1, False)(x)
nn.LayerNorm(4, elementwise_affine=False)(x)
torch.autograd.functional.jacobian(net, x)
torch.no_grad()(net)(x)
torch.inference_mode()(m)(x)
torch.func.functional_call(net, {k: v.detach() for k, v in net.named_parameters()}, (x,))
y.bfloat16().detach().float()""".splitlines()
QUIET = {
    "guarded": "def array(t):\n    return t.detach().numpy() if t.requires_grad else t.numpy()\narray(y)\n",
    "decorated": "@torch.no_grad()\ndef run(t):\n    return m(t).numpy()\nrun(x)\n",
    "for good": "torch.set_grad_enabled(False)\nm(x).numpy()\n",
    "frozen": "for p in net.parameters():\n    p.requires_grad = False\nnet(x).numpy()\n",
    "caught": "try:\n    y.numpy()\nexcept RuntimeError:\n    pass\n",
    "forced": "y.numpy(force=True)\n",
    "who calls it nobody knows": "def run(t):\n    return m(t).numpy()\n",
}


def found(folder: Path, text: str) -> list[str]:
    items = lint_files(folder / "run", {"script.py": HEAD + text}, torch="2.13")
    return [item.code for item in items if item.severity != "info"]


@pytest.mark.parametrize("taken", ["({}).numpy()", "numpy.asarray({})"])
def test_what_raises(taken: str, tmp_path: Path) -> None:
    lines = [taken.format(one) for one in RAISES]
    items = lint_files(tmp_path / "run", {"a.py": HEAD + "import numpy\n" + "\n".join(lines)}, torch="2.13")
    told = {item.row for item in items if item.code == "AOTI726"}
    first = HEAD.count("\n") + 2
    assert [line for row, line in enumerate(lines, first) if row not in told] == []


@pytest.mark.parametrize("taken", ["({}).numpy()", "numpy.asarray({})"])
def test_what_works(taken: str, tmp_path: Path) -> None:
    assert found(tmp_path, "import numpy\n" + "\n".join(taken.format(one) for one in WORKS)) == []


@pytest.mark.parametrize("name", QUIET)
def test_quiet(name: str, tmp_path: Path) -> None:
    assert found(tmp_path, QUIET[name]) == []


def test_torch_agrees() -> None:
    pytest.importorskip("torch")
    space: dict[str, Any] = {}
    exec(HEAD, space)
    for one in WORKS:
        eval(one, space).numpy()
    for one in RAISES:
        space["y"] = space["m"](space["x"])
        value = eval(one, space)
        with pytest.raises((RuntimeError, TypeError)):
            value.numpy()


def test_an_accelerator(tmp_path: Path) -> None:
    text = "net.cuda()\nwith torch.no_grad():\n    out = net(x.cuda())\nout.numpy()\nout.cpu().numpy()\n"
    assert found(tmp_path, text) == ["AOTI726"]
