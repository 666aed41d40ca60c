"""AOTI721: which weights a strict export misses, judged and run: it raises KeyError, or not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.judging import lint_files

TEXT = """import torch
from torch import nn

class Holder:
    pass

class Inside(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = [nn.Parameter(torch.ones(3))]

    def forward(self, x):
        return x * self.w[0]

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {init}

    def forward(self, x):
        {forward}

def main(strict=True):
    torch.export.export(Net().eval(), (torch.ones(2, 3),), strict={strict})
"""
RAISES = [
    ("self.w = [nn.Parameter(torch.ones(3))]", "return x * self.w[0]"),
    ("self.w = (nn.Parameter(torch.ones(3)),)", "return x * self.w[0]"),
    ("self.w = {'a': nn.Parameter(torch.ones(3))}", "return x * self.w['a']"),
    ("self.w = [[nn.Parameter(torch.ones(3))]]", "return x * self.w[0][0]"),
    ("self.w = [nn.Parameter(torch.ones(3), requires_grad=False)]", "return x * self.w[0]"),
    ("self.w = [nn.Parameter(torch.ones(3)) for _ in range(2)]", "return sum(x * w for w in self.w)"),
    ("self.w = [nn.Parameter(torch.ones(3)) for _ in range(2)]", "return x + torch.stack(self.w).sum(0)"),
    ("self.w = [nn.Parameter(torch.ones(3))]", "return x * self.w[0].detach()"),
    ("self.w = [nn.Linear(3, 3)]", "return self.w[0](x)"),
    ("self.w = [nn.Linear(3, 3).requires_grad_(False)]", "return self.w[0](x)"),
    ("self.w = [nn.Conv1d(2, 2, 1)]", "return self.w[0](x)"),
    ("self.w = [nn.ConvTranspose1d(2, 2, 1, bias=False)]", "return self.w[0](x)"),
    ("self.w = [nn.GRU(3, 3)]", "return self.w[0](x)[0]"),
    ("self.w = [nn.LSTM(3, 3)]", "return self.w[0](x)[0]"),
    ("self.w = {'a': nn.Linear(3, 3)}", "return self.w['a'](x)"),
    ("self.w = [nn.Sequential(nn.ReLU(), nn.Linear(3, 3))]", "return self.w[0](x)"),
    ("self.w = [nn.Embedding(5, 3)]", "return self.w[0](x.long())"),
    ("self.c = Inside()", "return self.c(x)"),
    ("self.c = [Inside()]", "return self.c[0](x)"),
]
WORKS = [
    ("self.w = [nn.Parameter(torch.ones(3))]", "return x * 2"),
    ("self.w = [nn.Parameter(torch.ones(3))]", "return x * self.w[0].shape[0]"),
    ("self.w = nn.ParameterList([nn.Parameter(torch.ones(3))])", "return x * self.w[0]"),
    ("self.w = nn.ParameterDict({'a': nn.Parameter(torch.ones(3))})", "return x * self.w['a']"),
    ("self.w = [nn.Parameter(torch.ones(3))]; self.a = self.w[0]", "return x * self.w[0]"),
    ("self.w = [nn.Parameter(torch.ones(3))]; self.a = nn.ParameterList(self.w)", "return x * self.w[0]"),
    ("self.w = [nn.Parameter(torch.ones(3))]; self.register_parameter('p', self.w[0])", "return x * self.w[0]"),
    ("self.w = [nn.Parameter(torch.ones(3))]; setattr(self, 'p', self.w[0])", "return x * self.w[0]"),
    ("self.w = [torch.ones(3)]", "return x * self.w[0]"),
    ("self.w = [torch.ones(3, requires_grad=True)]", "return x * self.w[0]"),
    ("self.l = nn.Linear(3, 3); self.w = [self.l]", "return self.w[0](x)"),
    ("self.l = nn.ModuleList([nn.Linear(3, 3)]); self.w = list(self.l)", "return self.w[0](x)"),
    ("self.w = [nn.Linear(3, 3)]; self.add_module('l', self.w[0])", "return self.w[0](x)"),
    ("self.w = [nn.Linear(3, 3)]; self.l = nn.Sequential(*self.w)", "return self.w[0](x)"),
    ("self.w = [nn.BatchNorm1d(3, affine=False).eval()]", "return self.w[0](x)"),
    ("self.w = [nn.ReLU()]", "return self.w[0](x)"),
]
CASES = [(*case, "True", True) for case in RAISES] + [(*case, "True", False) for case in WORKS]
CASES += [(*case, "False", False) for case in RAISES[:3]]


@pytest.mark.parametrize(("init", "forward", "strict", "raises"), CASES)
def test_said(init: str, forward: str, strict: str, raises: bool, tmp_path: Path) -> None:
    text = TEXT.format(init=init, forward=forward, strict=strict) + "\nmain()\n"
    said = [(item.code, item.confidence) for item in lint_files(tmp_path / "run", {"run.py": text})]
    assert said == [("AOTI721", "certain")] * raises


RUN = """
import sys, warnings
warnings.simplefilter("ignore")
for path in sys.argv[1:]:
    space = {}
    exec(compile(open(path).read(), path, "exec"), space)
    try:
        space["main"]()
        print("works", flush=True)
    except KeyError:
        print("raises", flush=True)
"""


def test_torch_agrees(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "run.py").write_text(RUN, encoding="utf-8")
    names = []
    for number, (init, forward, strict, _) in enumerate(CASES):
        names.append(f"case{number}.py")
        (tmp_path / names[-1]).write_text(TEXT.format(init=init, forward=forward, strict=strict), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "run.py", *names], cwd=tmp_path, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == ["raises" if raises else "works" for *_, raises in CASES]
