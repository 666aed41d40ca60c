"""AOTI709: models and inputs made in inference mode, judged, and run with torch: a finding raises, no other does."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from types import ModuleType

import pytest

from tests.judging import lint_files

HEAD = """import copy
import torch
from torch import nn
from torch.export import export


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return torch.relu(self.fc(x))


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(4))

    def forward(self, x):
        return x + self.scale


class Count(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(4))

    def forward(self, x):
        self.seen.add_(1)
        return x + self.seen


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.zeros(4))

    def forward(self, x):
        return x + self.table


class Changing(nn.Module):
    def forward(self, x):
        x.add_(1)
        return x * 2


class Outer(nn.Module):
    def __init__(self, inside):
        super().__init__()
        self.inside = inside

    def forward(self, x):
        return self.inside(x)


def load():
    return Net().eval()


@torch.inference_mode()
def load_inside():
    return load()


def inside(make, *args):
    with torch.inference_mode():
        return make(*args)


x = torch.ones(2, 4)
"""
WRONG = [
    "export(load_inside(), (x,))",
    "export(Outer(load_inside()), (x,))",
    "export(nn.Sequential(load_inside(), nn.ReLU()), (x,))",
    "export(load_inside().to('cpu'), (x,))",
    "export(inside(Scale), (x,))",
    "export(inside(Count), (x,))",
    "export(Outer(inside(Count)), (x,))",
    "export(inside(nn.Conv1d, 2, 3, 1), (x,))",
    "with torch.no_grad(): export(load_inside(), (x,))",
    "with torch.no_grad(): export(inside(Count), (x,))",
    "y = inside(torch.ones, 2, 4)\nexport(load(), (y,))",
    "y = inside(torch.ones, 2, 4)\nexport(nn.Sequential(nn.LayerNorm(4), nn.ReLU()), (y,))",
    "y = inside(torch.ones, 2, 4)\nexport(nn.GRU(4, 4), (y,))",
    "y = inside(torch.ones, 2, 4)\nexport(Outer(nn.Conv1d(2, 3, 1)), (y,))",
    "y = inside(torch.ones, 2, 4)\nexport(Changing(), (y,))",
    "y = inside(nn.Linear(4, 4), x)\nexport(load(), (y,))",
    "with torch.inference_mode(): y = torch.ones(2, 4)\nexport(load(), (y,))",
    "with torch.inference_mode(), torch.no_grad(): model = Net()\nexport(model, (x,))",
]
RIGHT = [
    "export(load(), (x,))",
    "with torch.inference_mode(): export(load(), (x,))",
    "with torch.inference_mode(): export(load_inside(), (x,))",
    "with torch.inference_mode(): export(inside(Count), (x,))",
    "model = load()\nwith torch.inference_mode(): model(x)\nexport(model, (x,))",
    "export(load_inside(), (x,), strict=True)",
    "export(inside(Count), (x,), strict=True)",
    "export(inside(Table), (x,))",
    "export(inside(nn.ReLU), (x,))",
    "export(copy.deepcopy(load_inside()), (x,))",
    "export(load_inside().double().float(), (x,))",
    "export(load_inside().requires_grad_(False), (x,))",
    "model = load_inside()\nfor p in model.parameters(): p.requires_grad = False\nexport(model, (x,))",
    "export(inside(Net().to, 'cpu'), (x,))",
    "model = Net()\nwith torch.inference_mode(): model.load_state_dict(Net().state_dict())\nexport(model, (x,))",
    "with torch.no_grad(): model = load()\nexport(model, (x,))",
    "with torch.inference_mode():\n    with torch.inference_mode(False): model = Net()\nexport(model, (x,))",
    "with torch.inference_mode(mode=False): model = Net()\nexport(model, (x,))",
    "y = inside(torch.ones, 2, 4)\nexport(load(), (y.clone(),))",
    "y = inside(torch.ones, 2, 4)\nexport(load(), (y * 1,))",
    "y = inside(torch.ones, 2, 4)\nexport(load(), (torch.ones_like(y),))",
    "y = inside(torch.ones, 2, 4)\nexport(load(), (y,), strict=True)",
    "y = inside(torch.ones, 2, 4)\nwith torch.no_grad(): export(load(), (y,))",
    "y = inside(torch.ones, 2, 4)\nexport(load().requires_grad_(False), (y,))",
    "y = inside(torch.ones, 2, 4)\nexport(nn.Sequential(nn.ReLU(), nn.Linear(4, 4)), (y,))",
    "y = inside(torch.ones, 2, 4)\nexport(nn.LayerNorm(4, elementwise_affine=False), (y,))",
    "y = inside(torch.ones, 2, 4)\nexport(nn.RMSNorm(4), (y,))",
    "y = inside(torch.ones, 2, 4)\nexport(Scale(), (y,))",
    "y = inside(x.view, 2, 4)\nexport(load(), (y,))",
    "y = inside(nn.Identity(), x)\nexport(load(), (y,))",
    "try: export(load_inside(), (x,))\nexcept RuntimeError: pass",
    "torch.compile(load_inside(), backend='eager')(x)",
]
CASES = [(body, wrong) for bodies, wrong in ((WRONG, True), (RIGHT, False)) for body in bodies]


@pytest.mark.parametrize(("body", "wrong"), CASES)
def test_what_is_said(body: str, wrong: bool, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "run", {"net.py": f"{HEAD}{body}\n"}, torch="2.13")
    assert [item.code for item in found if item.code == "AOTI709"] == (["AOTI709"] if wrong else [])


@pytest.mark.parametrize(("body", "wrong"), CASES)
def test_torch_agrees(body: str, wrong: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    module = ModuleType("net")
    monkeypatch.setitem(sys.modules, "net", module)  # a strict export looks names up in it
    space = vars(module)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(HEAD, space)
        if wrong:
            with pytest.raises(RuntimeError, match=r"[Ii]nference"):
                exec(body, space)
        else:
            exec(body, space)
