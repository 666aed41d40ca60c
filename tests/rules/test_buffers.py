"""AOTI705 and AOTI706: what a package makes of changed buffers, judged, and run beside the models."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("b", torch.zeros({size}, dtype={dtype}))
        self.register_buffer("cache", torch.arange(8.0))
        self.step = torch.nn.Parameter(torch.ones(1))

    def forward(self, x):
        {body}


model = Net().eval()
"""
TAIL = """program = torch.export.export(model, (torch.ones(4),))
torch._inductor.aoti_compile_and_package(program)
"""
ONE, INT, BOOL, BYTE = (("1", f"torch.{dtype}") for dtype in ("float32", "int64", "bool", "uint8"))
FOUR, TWO_ROWS, CUBE = ((size, "torch.float32") for size in ("4", "2, 4", "1, 1, 1"))
COMPUTED = [
    (ONE, "self.b.add_(1); return self.b * 1"),
    (ONE, "self.b += 1; return self.b * 1"),
    (ONE, "self.b = self.b + 1; return self.b * 1"),
    (ONE, "self.b.copy_(self.b + 1); return self.b * 1"),
    (ONE, "self.b[:] = self.b + 1; return self.b * 1"),
    (ONE, "self.b.mul_(0.5).add_(x.mean()); return self.b * 1"),
    (ONE, "self.b.copy_(self.b * 0.5 + x.mean()); return self.b * 1"),
    (ONE, "y = self.b * 2 + x; self.b.add_(x.sum()); return y"),
    (ONE, "y = torch.where(self.b == 0, x, x * 5); self.b.add_(x.sum()); return y"),
    (ONE, "y = self.b.to(torch.float64); self.b.add_(x.sum()); return y"),
    (ONE, "y = self.b.expand(4) * 2; self.b.add_(x.sum()); return y"),
    (ONE, "y = x * self.b.view(()).exp(); self.b.copy_(x[:1]); return y"),
    (ONE, "self.b.add_(self.step); return self.b * 1"),
    (ONE, "self.b.copy_(torch.remainder(self.b + 1, 3)); return self.b * 1"),
    (INT, "self.b.add_(1); return self.b * 1"),
    (INT, "y = self.cache[self.b]; self.b.add_(1); return y"),
    (INT, "self.cache[self.b] = x[:1]; self.b.add_(1); return self.cache * 1"),
    (INT, "self.cache.index_copy_(0, self.b, x[:1]); self.b.copy_((self.b + 1) % 4); return self.cache * 1"),
    (BOOL, "self.b.logical_not_(); return self.b.clone()"),
    (BOOL, "y = torch.where(~self.b, x, x * 3); self.b.fill_(True); return y"),
    (CUBE, "self.b.add_(1); return self.b * 1"),
]
RETURNED = [
    (FOUR, "y = self.b.clone(); self.b.add_(x); return y"),
    (FOUR, "y = self.b.clone(); self.b.copy_(x); return y"),
    (FOUR, "y = self.b.clone(); self.b[0] = x[0]; return y"),
    (FOUR, "y = self.b; self.b = x * 1; return y"),
    (FOUR, "y = self.b.clone(); self.b = x * 1; return y"),
    (FOUR, "y = self.b.view(2, 2).t().clone(); self.b.copy_(x); return y"),
    (FOUR, "y = self.b[1:3].clone(); self.b.add_(x); return y"),
    (FOUR, "y = torch.clone(self.b.detach()); self.b.add_(x); return [y, x * 2]"),
    (FOUR, "y = self.b.to(torch.float32, copy=True); self.b.add_(x); return y"),
    (TWO_ROWS, "y = self.b[-1].clone(); self.b.copy_(torch.cat([x[None], self.b[:-1]])); return y"),
    (ONE, "y = self.b.clone(); self.b.add_(x.sum()); return y"),
]
RIGHT = [
    (ONE, "self.b[0] += 1; return self.b * 1"),
    (ONE, "self.b.lerp_(x.mean().reshape(1), 0.5); return self.b * 1"),
    (ONE, "self.b.add_(x.sum()); return self.b * 1"),
    (ONE, "self.b.add_(x[0]).add_(1); return self.b * 1"),
    (ONE, "y = x + self.b; self.b.add_(x.sum()); return y"),
    (ONE, "self.b.copy_(torch.cat([self.b[1:], x[:1]])); return self.b * 1"),
    (ONE, "self.b.copy_((self.b.sum() + 1).reshape(1)); return self.b * 1"),
    (ONE, "y = x * (self.b + 1); return y"),
    (ONE, "self.b.add_(1); return x * 2"),
    (BYTE, "self.b.add_(1); return self.b * 1"),
    (BOOL, "y = torch.where(self.b, x, x * 3); self.b.fill_(True); return y"),
    (("2", "torch.float32"), "self.b.add_(1); return self.b * 1"),
    (FOUR, "self.b.add_(x); return self.b.clone()"),
    (FOUR, "y = self.b * 1; self.b.copy_(x); return y"),
    (FOUR, "y = self.b.clone(); self.b.copy_(x); return y + x"),
    (FOUR, "y = self.b[:1].expand(4).clone(); self.b.copy_(x); return y"),
    (FOUR, "y = self.b.view(2, 2).t().contiguous(); self.b.copy_(x); return y"),
    (FOUR, "self.b.add_(x); y = self.b.clone(); self.b.zero_(); return y"),
    (FOUR, "return self.b.clone()"),
]
CASES = [
    (kind, body, code)
    for cases, code in ((COMPUTED, "AOTI705"), (RETURNED, "AOTI706"), (RIGHT, ""))
    for kind, body in cases
]


def script(kind: tuple[str, str], body: str) -> str:
    return HEAD.format(size=kind[0], dtype=kind[1], body=body)


@pytest.mark.parametrize(("kind", "body", "code"), CASES, ids=lambda value: str(value)[:40])
def test_what_is_said(kind: tuple[str, str], body: str, code: str, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "run", {"net.py": script(kind, body) + TAIL}, torch="2.13")
    assert [item.code for item in found] == ([code] if code else [])


QUIET = {
    "a program that is not compiled": ("", "program = torch.export.export(model, (torch.ones(4),))\n"),
    "the pass is switched off": (
        "import torch._inductor.config as config\nconfig.joint_graph_constant_folding = False\n", TAIL,
    ),
    "the pass is switched off for this compile": (
        "",
        TAIL.replace("(program)", '(program, inductor_configs={"joint_graph_constant_folding": False})'),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("first", "last"), QUIET.values(), ids=QUIET)
def test_nothing_is_said(first: str, last: str, tmp_path: Path) -> None:
    text = first + script(ONE, "self.b.add_(1); return self.b * 1") + last
    assert lint_files(tmp_path / "run", {"net.py": text}, torch="2.13") == []


def test_an_open_size_is_no_number(tmp_path: Path) -> None:
    """What a dynamic size goes into is not computed at the compile."""
    head = script(ONE, "self.b.add_(x.shape[0]); return self.b * 1")
    text = head + TAIL.replace("torch.ones(4),)", 'torch.ones(4),), dynamic_shapes={"x": {0: torch.export.Dim("n")}}')
    assert lint_files(tmp_path / "open", {"net.py": text}, torch="2.13") == []
    assert len(lint_files(tmp_path / "fixed", {"net.py": head + TAIL}, torch="2.13")) == 1


RUN = """
import json, sys
import torch

models = torch.nn.ModuleList()
for text in json.load(sys.stdin):
    space = {}
    exec(text, space)
    models.append(space["model"])


class All(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.models = models

    def forward(self, x):
        return [model(x) for model in self.models]


def kept(results):
    return [[leaf.clone() for leaf in torch.utils._pytree.tree_leaves(one)] for one in results]


with torch.no_grad():
    program = torch.export.export(All(), (torch.ones(4),))
    run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="all.pt2"))
    inputs = [torch.full((4,), float(n)) for n in (1, 2, 3)]
    given, wanted = [kept(run(x)) for x in inputs], [kept(All()(x)) for x in inputs]
for number in range(len(models)):
    pairs = [zip(g[number], w[number]) for g, w in zip(given, wanted)]
    print("right" if all(torch.equal(a, b) for pair in pairs for a, b in pair) else "wrong")
"""


def test_torch_agrees(tmp_path: Path) -> None:
    """All of them are in one package, which gives three times what the models give, or not."""
    pytest.importorskip("torch")
    (tmp_path / "run.py").write_text(RUN, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "run.py"],
        input=json.dumps([script(kind, body) for kind, body, _ in CASES]), cwd=tmp_path,
        env={**os.environ, "CUDA_VISIBLE_DEVICES": ""}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    wanted = ["wrong" if code else "right" for _, _, code in CASES]
    assert done.stdout.split() == wanted
