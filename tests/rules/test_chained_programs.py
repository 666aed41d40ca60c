"""What one program gives is what the next is called with: sizes, dtypes and parts are known, as torch has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.judging import lint_files

HEAD = """import torch
from torch.export import Dim, export

class Mean(torch.nn.Module):
    def forward(self, x):
        return x.mean(2)

class Parts(torch.nn.Module):
    def forward(self, x):
        return {"mean": x.mean(2), "first": x[:, 0], "both": (x[0], x[:, :1])}

class Twice(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(3, 3)

    def forward(self, x):
        return self.fc(x) * 2

class Step(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.out = torch.nn.Embedding(10, 8), torch.nn.Linear(8, 10)

    def forward(self, ids, cache):
        cache = torch.cat([cache, self.embed(ids)], 1)
        return self.out(cache.mean(1)), cache

class Modal(torch.nn.Module):
    pool = False

    def forward(self, x):
        return x.mean(1) if self.pool else x

b = Dim("b", max=32)
rows = ({0: b},)
mean = export(Mean().eval(), (torch.randn(2, 3, 4),), dynamic_shapes=rows).module()
parts = export(Parts().eval(), (torch.randn(2, 3, 4),), dynamic_shapes=rows).module()
twice = export(Twice().eval(), (torch.randn(2, 3),), dynamic_shapes=rows).module()
fixed = export(Twice().eval(), (torch.randn(2, 3),)).module()
ids, cache = torch.zeros(1, 1, dtype=torch.long), torch.zeros(1, 4, 8)

def grow(spec, count):
    step, past, token = export(Step().eval(), (ids, cache), dynamic_shapes=(None, spec)).module(), cache, ids
    for _ in range(count):
        logits, past = step(token, past)
        token = logits.argmax(-1, keepdim=True)
    return step, token, past

"""
CASES = [
    ("fixed(mean(torch.randn(2, 3, 4)))", ""), ("fixed(mean(torch.randn(5, 3, 4)))", "AOTI301"),
    ("twice(mean(torch.randn(5, 3, 4)))", ""), ("twice(mean(torch.randn(33, 3, 4)))", "AOTI333"),
    ('twice(parts(torch.randn(5, 3, 4))["mean"])', ""), ('twice(parts(torch.randn(5, 3, 4))["first"])', "AOTI301"),
    ('twice(parts(torch.randn(5, 3, 4))["both"][1][:, 0])', "AOTI301"),
    ("grow(None, 1)", ""), ("grow(None, 2)", "AOTI301"), ("grow({1: Dim('p', max=64)}, 4)", ""),
    ("grow({1: Dim('p', max=6)}, 3)", ""), ("grow({1: Dim('p', max=6)}, 5)", "AOTI333"),
    ("outs = [mean(torch.randn(2, 3, 4)) for _ in range(3)]\ntwice(torch.cat(outs))", ""),
    ("outs = [mean(torch.randn(2, 3, 4)) for _ in range(3)]\ntwice(torch.stack(outs))", "AOTI301"),
    ("fixed(mean(torch.randn(2, 3, 4)).double())", "AOTI331"),
    ("fixed(torch.from_numpy(mean(torch.randn(2, 3, 4)).numpy()))", ""),
    # The program is as it was when it was exported.
    ("n = Modal().eval()\nm = export(n, (torch.randn(2, 3),), dynamic_shapes=rows).module()\nn.pool = True\n"
     "twice(m(torch.randn(7, 3)))", "AOTI715"),
    ("n = Mean().eval()\nm = export(n, (torch.randn(2, 3, 4),), dynamic_shapes=rows).module()\n"
     "n.forward = lambda x: x.sum()\ntwice(m(torch.randn(7, 3, 4)))", ""),
    ("first, *rest = list(parts(torch.randn(5, 3, 4)).values())\ntwice(first)", ""),
]  # fmt: skip
RIGHT = ("", "AOTI715")
"""What is said of calls that do not raise."""


@pytest.mark.parametrize(("line", "code"), CASES)
def test_what_is_said(line: str, code: str, tmp_path: Path) -> None:
    script = HEAD + "with torch.no_grad():\n    " + line.replace("\n", "\n    ") + "\n"
    said = lint_files(tmp_path / "run", {"run.py": script}, torch="2.13")
    assert {one.code for one in said} == ({code} if code else set())


def test_torch_agrees() -> None:
    torch = pytest.importorskip("torch")
    space: dict[str, Any] = {"__name__": "chained"}
    exec(HEAD, space)
    for line, code in CASES:
        raised = False
        with torch.no_grad():
            try:
                exec(line, space)
            except (AssertionError, RuntimeError):
                raised = True
        assert raised == (code not in RIGHT), line
