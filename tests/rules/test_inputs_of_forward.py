"""AOTI328: example inputs beside the signature of `forward`, as `inspect.signature(forward).bind` decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """
import functools, torch
from torch import nn
x = torch.ones(4, 3)
class Two(nn.Module):
    def forward(self, x, y): return x + y
class Rest(nn.Module):
    def forward(self, x, y=None, *more, scale=1.0, **named): return x * scale
"""
MERGED = "AOTI352"
"""Of inputs that are one tensor, which is not what is asked here."""
REFUSED = {
    "a needed one": ("torch.export.export(Two(), (x,))", "forward needs y, and no example input stands for it"),
    "all": ("torch.export.export(Two(), ())", "forward needs x, y, and no example input stands for them"),
    "too many": ("torch.export.export(Two(), (x, x, x))", "3 inputs are given by position, and forward takes 2"),
    "another name": ('torch.export.export(Two(), (x,), {"z": x})', "z is given by name, and forward has no such"),
    "twice": ('torch.export.export(Two(), (x, x), {"y": x})', "y is given by position and by name"),
    "a layer of torch": ("torch.export.export(nn.Sequential(nn.ReLU()), (x, x))", "2 inputs are given by position"),
    "a bound forward": (
        "class Outer(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.inner = Two()\n"
        "    def forward(self, *parts): return self.inner(*parts)\n"
        "torch.export.export(Outer().inner, (x,))",
        "forward needs y",
    ),
    "an optional one by position": (
        "class Net(nn.Module):\n    def forward(self, x, *, k=None): return x\ntorch.export.export(Net(), (x, x))",
        "2 inputs are given by position, and forward takes 1",
    ),
}
TAKEN = {
    "defaults and the rest": "torch.export.export(Rest(), (x, x, x), {'scale': 2.0, 'other': x})",
    "all by name": "torch.export.export(Two(), (), {'y': x, 'x': x})",
    "unknown inputs": "import inputs\ntorch.export.export(Two(), inputs.make())",
    "unknown keywords": "import inputs\ntorch.export.export(Two(), (x,), inputs.make())",
    "some are unknown": "import inputs\ntorch.export.export(Two(), (x, *inputs.more))",
    "an option decides": (
        "import sys\n"
        "two = len(sys.argv) > 1\n"
        "class One(nn.Module):\n"
        "    def forward(self, x): return x\n"
        "torch.export.export(Two() if two else One(), (x, x) if two else (x,))"
    ),
    "another forward": (
        "model = Two()\nmodel.forward = functools.partial(model.forward, y=x)\ntorch.export.export(model, (x,))"
    ),
    "a wrapped forward": (
        "def padded(forward):\n"
        "    def inner(self, x): return forward(self, x, x)\n"
        "    return inner\n"
        "class Net(nn.Module):\n"
        "    @padded\n"
        "    def forward(self, x, y): return x + y\n"
        "torch.export.export(Net(), (x,))"
    ),
    "of an unknown base": "import nets\nclass Net(nets.Net, Two): pass\ntorch.export.export(Net(), (x,))",
    "patched by others": (
        "from patches import patched\n"
        "class Net(nn.Module):\n"
        "    def forward(self, x): return x\n"
        "    def reset(self): self.n = 0\n"
        "net = Net()\n"
        "with patched(net, net.reset):\n"
        "    torch.export.export(net, ())"
    ),
    "patched here": (
        "import contextlib\n"
        "@contextlib.contextmanager\n"
        "def patched(net, method):\n"
        "    before = net.forward\n"
        "    net.forward = method.__get__(net, net.__class__)\n"
        "    try:\n"
        "        yield\n"
        "    finally:\n"
        "        net.forward = before\n"
        "class Net(nn.Module):\n"
        "    def forward(self, x): return x\n"
        "    def reset(self): self.n = 0\n"
        "net = Net()\n"
        "with patched(net, net.reset):\n"
        "    torch.export.export(net, ())"
    ),
    "caught": "try:\n    torch.export.export(Two(), (x,))\nexcept TypeError:\n    pass",
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path) -> None:
    code, said = REFUSED[name]
    found = [f for f in lint_files(tmp_path / "here", {"run.py": f"{HEAD}{code}\n"}) if f.code != MERGED]
    assert [(f.code, f.severity) for f in found] == [("AOTI328", "error")]
    assert found[0].message.startswith(said)


@pytest.mark.parametrize("name", TAKEN)
def test_taken(name: str, tmp_path: Path) -> None:
    assert not [f for f in lint_files(tmp_path / "here", {"run.py": f"{HEAD}{TAKEN[name]}\n"}) if f.code != MERGED]
