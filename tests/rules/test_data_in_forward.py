"""AOTI325 and AOTI326: what a forward asks of the values in tensors, as torch itself answers."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """
import copy
import math
import torch
from torch import nn

@torch.library.custom_op("own::scale", mutates_args=())
def scale(x: torch.Tensor) -> torch.Tensor:
    if x.sum() > 0:
        return x * float(x.max())
    return x.clone()

@scale.register_fake
def _(x):
    return torch.empty_like(x)

def positive(x):
    return bool((x > 0).all())

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.fc = nn.Linear(8, 8)
        self.layers = nn.Sequential(nn.Linear(8, 8), nn.ReLU())
        self.flag = True
        self.register_buffer("mean", torch.ones(3))
    def forward(self, x):
        {body}

program = torch.export.export(Net().eval(), (torch.ones(4, 8),), strict={strict})
"""
# By body: what an export without and with strict=True must be told of; "silent" is what torch alone refuses.
BRANCH, READ, NOTHING = "AOTI325", "AOTI326", ""
CASES = {
    "return x + 1 if x.sum() > 0 else x": (BRANCH, BRANCH),
    "if (x > 0).any(): return x + 1\n        return x": (BRANCH, BRANCH),
    "if not torch.any(x > 0): return x + 1\n        return x": (BRANCH, BRANCH),
    "if self.flag and (x > 0).any(): return x + 1\n        return x": (BRANCH, BRANCH),
    "if 0 < x.sum() < 5: return x + 1\n        return x": (BRANCH, BRANCH),
    "return x + 1 if positive(x) else x": (BRANCH, BRANCH),
    "low = bool(x.any())\n        return x + 1": (BRANCH, NOTHING),
    "low = bool(x.any())\n        return x + 1 if low else x": (BRANCH, BRANCH),
    "print(bool(x.any()))\n        return x + 1": (BRANCH, NOTHING),
    "assert bool(x.any())\n        return x + 1": (BRANCH, NOTHING),
    "while x.sum() < 100: x = x + 1\n        return x": (BRANCH, BRANCH),
    "while x.numel() > 0: x = x[x > 2]\n        return x": (BRANCH, BRANCH),
    "error = 1.0\n        while error > 0.5:\n            x = x * 0.5\n            error = x.max()\n        return x":
        (BRANCH, BRANCH),
    "while x.shape[-1] > 1: x = x[:, ::2] + 1\n        return x": (NOTHING, NOTHING),
    "go = True\n        while go:\n            x = x[x > 2]\n            go = False\n        return x":
        (NOTHING, NOTHING),
    "while x.numel() > 0:\n            x = x[x > 0]\n            break\n        return x": (NOTHING, NOTHING),
    "if torch.isnan(self.fc(x)).any(): raise ValueError\n        return x": (BRANCH, BRANCH),
    "if self.layers(x).abs().max() > 9: return x + 1\n        return x": (BRANCH, BRANCH),
    "return torch.unique(x).unbind()": (BRANCH, BRANCH),
    "return list(torch.unique(x))": (BRANCH, BRANCH),
    "return tuple(x[x > 0])": (BRANCH, BRANCH),
    "return x.nonzero().tolist()": (BRANCH, BRANCH),
    "return torch.unbind(x.nonzero())": (BRANCH, BRANCH),
    "return torch.unbind(x.nonzero(), 1)": (NOTHING, NOTHING),
    "return x.nonzero().unbind(1)": (NOTHING, NOTHING),
    "return list(x.nonzero(as_tuple=True))": (NOTHING, NOTHING),
    "return list(x)": (NOTHING, NOTHING),
    "y = x[0, 0]\n        if y: return x + 1\n        return x": (BRANCH, BRANCH),
    "if self.weight.sum() > 0: return x + 1\n        return x": (BRANCH, BRANCH),
    "if self.mean.sum() > 0: return x + 1\n        return x": (BRANCH, BRANCH),
    "if torch.equal(x, x + 1): return x + 1\n        return x": (BRANCH, BRANCH),
    "if torch.allclose(x, x + 1): return x + 1\n        return x": (BRANCH, BRANCH),
    "if x.sum().is_nonzero(): return x + 1\n        return x": (BRANCH, BRANCH),
    "if x.sum().item() > 0: return x + 1\n        return x": (BRANCH, BRANCH),
    "n = x.sum().item()\n        return x + 1 if n else x": (BRANCH, BRANCH),
    "rows = x.nonzero()\n        return rows.sum() if rows.shape[0] == 0 else x.sum()": (BRANCH, BRANCH),
    "rows = x.nonzero()\n        return rows.sum() if rows.size(0) > 3 else x.sum()": (BRANCH, BRANCH),
    "return x + 1 if x.unique().shape[0] > 3 else x": (BRANCH, BRANCH),
    "with torch.no_grad():\n            if x.sum() > 0: return x + 1\n        return x": (BRANCH, BRANCH),
    "assert (x >= 0).all()\n        return x + 1": (BRANCH, NOTHING),
    "assert x.min() >= 0, 'negative'\n        return x + 1": (BRANCH, NOTHING),
    "return x * float(x.sum())": (READ, NOTHING),
    "return x * int(x.sum())": (READ, NOTHING),
    "print(f'{x.mean():.3f}')\n        return x": (READ, NOTHING),
    "print(f'{x.mean().item():.3f}')\n        return x": (READ, NOTHING),
    "print('mean {:>9}'.format(x.mean()))\n        return x": (READ, NOTHING),
    "print('%s: %.3f' % ('mean', x.mean()))\n        return x": (READ, "silent"),
    "print(f'{x} {x.mean()}')\n        return x": (NOTHING, NOTHING),
    "print('{} {:>4}'.format(x.mean(), x.shape[0]))\n        return x": (NOTHING, NOTHING),
    "p = x.data_ptr()\n        return x + 1": (READ, NOTHING),
    "return copy.copy(x) + 1": (READ, READ),
    "return copy.deepcopy(x) + 1": (READ, READ),
    "return x * x.sum().item()": (NOTHING, NOTHING),
    "return x[: x.sum().long().item()]": (NOTHING, NOTHING),
    "return torch.zeros(x.sum().long().item())": (NOTHING, NOTHING),
    "n = x.sum().long().item()\n        torch._check(n > 2)\n        return torch.zeros(n)": (NOTHING, NOTHING),
    "n = x.sum().long().item()\n        torch._check(n > 2)\n        return x + 1 if n > 2 else x": (NOTHING, NOTHING),
    "rows = x.nonzero()\n        torch._check(rows.shape[0] > 0)\n"
    "        return rows.sum() if rows.shape[0] > 0 else x.sum()": (NOTHING, NOTHING),
    "rows = x.nonzero()\n        many = rows.shape[0] * 2\n        return torch.zeros(many)": (NOTHING, NOTHING),
    "for _ in range(x.sum().long().item()): x = x + 1\n        return x": (BRANCH, BRANCH),
    "for _ in range(int(x.sum())): x = x + 1\n        return x": (READ, BRANCH),
    "for row in x.nonzero(): x = x + row.sum()\n        return x": (BRANCH, BRANCH),
    "return sum([row.sum() for row in x[x.sum(1) > 0]]) + x": (BRANCH, BRANCH),
    "for i, v in enumerate(torch.unique(x)): x = x + i * v\n        return x": (BRANCH, BRANCH),
    "for i in range(len(x.nonzero())): x = x + i\n        return x": (READ, BRANCH),
    "return x * [1, 2, 3][x.argmax().item()]": (BRANCH, BRANCH),
    "return x * {0: 2, 1: 3}[x.argmax().item()]": (BRANCH, BRANCH),
    "return x + 1 if x[x > 3].numel() == 0 else x": (BRANCH, BRANCH),
    "kept = torch.where(x > 3)[0]\n        return x + 1 if kept.shape[0] else x": (BRANCH, BRANCH),
    "n = float(x.sum())\n        return x + 1 if n > 2 else x": (READ, BRANCH),
    "x = x.clone()\n        x[x > 3] = 0\n        return x": (NOTHING, NOTHING),
    "return x.nonzero()[0]": (NOTHING, NOTHING),
    "return x[x > 3].sum() + x": (NOTHING, NOTHING),
    "for row in x: x = x + row.sum()\n        return x": (NOTHING, NOTHING),
    "return x[x.argmax(1)[0].item()]": (NOTHING, NOTHING),
    "return torch.where(x.sum() > 0, x + 1, x)": (NOTHING, NOTHING),
    "return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))": (NOTHING, NOTHING),
    "return scale(x)": (NOTHING, NOTHING),
    "return max(x.sum(), x.max()) + x": (NOTHING, NOTHING),
    "print(x.shape, x.sum())\n        return x + 1": (NOTHING, NOTHING),
    "return x * int(x.shape[0])": (NOTHING, NOTHING),
    "if all(x.shape): return x + 1\n        return x": (NOTHING, NOTHING),
    "if x is not None and x.dtype == torch.float32: return x + 1\n        return x": (NOTHING, NOTHING),
    "if x.is_floating_point() and not x.is_cuda: return x + 1\n        return x": (NOTHING, NOTHING),
    "if x.requires_grad: return x + 1\n        return x": (NOTHING, NOTHING),
    "if x.dim() == 2 and x.numel() > 3: return x + 1\n        return x": (NOTHING, NOTHING),
    "if self.training and x.sum() > 0: return x + 1\n        return x": (NOTHING, NOTHING),
    "if not torch.compiler.is_compiling() and x.sum() > 0: return x + 1\n        return x": (NOTHING, NOTHING),
    "if not torch.compiler.is_exporting():\n            assert x.sum() > 0\n        return x + 1": (NOTHING, NOTHING),
    "if torch.jit.is_tracing() and x.sum() > 0: return x + 1\n        return x": (NOTHING, NOTHING),
    "return x + sum(x.sum() for _ in range(3))": (NOTHING, NOTHING),
    "return x[x.argmax(0)]": (NOTHING, NOTHING),
    "flag = x.sum() > 0\n        return x * flag": (NOTHING, NOTHING),
    "t = torch.tensor(3)\n        return x + 1 if t > 2 else x": (NOTHING, "silent"),
    "try:\n            if x.sum() > 0: return x + 1\n        except Exception: pass\n        return x":
        (NOTHING, "silent"),
}  # fmt: skip

NUMBER, SIZE = "x.sum().long().item()", "x.nonzero().shape[0]"
OPEN = {
    NUMBER: (
        "n % 2 == 0", "n // 2 == 3", "n % 8", "-n < 0", "abs(n) > 3", "n ** 2 > 9", "n << 1 == 20", "n >> 1 == 5",
        "n & 1", "n / 2 > 3", "2 - n > 1", "1 - n % 2 == 0", "(n + 1) * 2 > 4", "min(n, 3) == 3", "max([n, 3]) == 3",
        "min(max(n, 0), 7) * 2 < 10", "round(n) > 3", "pow(n, 2) > 3", "sum([n, 1]) > 3", "math.floor(n) > 3",
        "n // 1000 == 7", "n % 1000 == 999",
    ),
    SIZE: ("n % 2 == 0", "n // 2 > 0", "n - 1 > 0", "max(n, 1) == 1", "n + 1 > 2", "n % 32 == 31"),
}  # fmt: skip
"""What torch cannot know of a number that was read out of a tensor, and of a size up to 32."""
KNOWN = {
    NUMBER: (
        "n is None", "n == None", "n * 0 == 0", "n % 1 == 0", "n - n == 0", "max(n, 0) >= 0", "abs(n) >= 0",
        "n % 2 >= 0", "n % 2 < 2", "n * n >= 0", "max(n, 3) > 2", "min(n, 3) < 4", "n // 1 == n",
        "min(max(n, 0), 7) * 2 < 16",
    ),
    SIZE: ("n // 64 == 0", "n % 64 == 63", "n + 1 > 0", "n is None"),
}  # fmt: skip
"""What has one answer for all of them, or asks for no number."""
for _outcome, _asked in ((BRANCH, OPEN), (NOTHING, KNOWN)):
    for _what, _questions in _asked.items():
        for _question in _questions:
            CASES[f"n = {_what}\n        return x + 1 if {_question} else x"] = (_outcome, _outcome)


@pytest.mark.parametrize("body", CASES)
@pytest.mark.parametrize("strict", [False, True])
def test_said(body: str, strict: bool, tmp_path: Path) -> None:
    text = SCRIPT.format(body=body, strict=strict)
    wanted = CASES[body][strict].removeprefix("silent")
    items = lint_files(tmp_path / "judged", {"script.py": text}, torch="2.13")
    assert [item.code for item in items] == ([wanted] if wanted else [])
    assert all(item.severity == "error" for item in items)


@pytest.mark.parametrize("body", CASES)
@pytest.mark.parametrize("strict", [False, True])
def test_torch_agrees(body: str, strict: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    name = f"forward_{list(CASES).index(body)}_{strict}".lower()
    script = tmp_path / f"{name}.py"
    script.write_text(SCRIPT.format(body=body, strict=strict).replace("own::", f"{name}::"), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    if CASES[body][strict]:
        with pytest.raises(Exception, match=r"(?i)data|equal|allclose|meta|non-tensor|deepcopy|format|unhashable"):
            importlib.import_module(name)
    else:
        importlib.import_module(name)


TILES = """import torch

class Tiles(torch.nn.Module):
    def forward(self, x, sizes):
        for h, w in sizes:
            n = int(h.item() * w.item())
            torch._check(n >= 0)
            x = x + n
        return x

given = torch.randn(2, 3), torch.tensor([[1, 2], [2, 2]])
{}
"""


@pytest.mark.parametrize(
    ("export", "codes"),
    [
        ("torch.export.export(Tiles(), given, strict=False)", ["AOTI326"]),
        ("torch.export.export(Tiles(), given, strict=True)", []),
        ("torch._export.aot_compile(Tiles(), given)", ["AOTI201"]),
    ],
)
def test_what_dynamo_traces(export: str, codes: list[str], tmp_path: Path) -> None:
    """`torch._export.aot_compile` traces as `strict=True` does (run on torch 2.13, which took the last two)."""
    found = lint_files(tmp_path / "run", {"script.py": TILES.format(export)}, torch="2.13")
    assert [item.code for item in found] == codes


DRAFT = """import torch
class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x + 1
        return x - 1
x = torch.ones(4)
net = Net()
"""
DRAFTED = {
    "program = torch.export.draft_export(net, (x,))\ntorch.export.save(program, 'net.pt2')": True,
    "torch._inductor.aoti_compile_and_package(torch.export.draft_export(net, (x,)))": True,
    "run = torch.export.draft_export(net, (x,)).module()\nrun(torch.zeros(4))": True,
    "program = torch.export.draft_export(net, (x,))\nprint(program)": False,
    "program = torch.export.draft_export(net, (x,))\nprogram.module()(x)": False,
    "program = torch.export.draft_export(net, (x,))\nprint(program._report)\nprogram.module()(x + 1)": False,
    "program = torch.export.draft_export(torch.nn.Linear(4, 4), (x,))\ntorch.export.save(program, 'a.pt2')": False,
}


@pytest.mark.parametrize(("body", "said"), DRAFTED.items())
def test_drafts(body: str, said: bool, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "run", {"script.py": f"{DRAFT}{body}\n"})
    assert [(item.code, item.row, item.severity) for item in found] == [("AOTI325", 4, "warning")] * said


ROUNDS = """
import sys
import torch

class Net(torch.nn.Module):
    def __init__(self, count):
        super().__init__()
        self.parts = torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in range(count))

    def forward(self, x):
        for number, part in {rounds}:
            where = (x[:, 0] == number).nonzero()
            if {asked}:
                x = part(x)
        return x

torch.export.export(Net(int(sys.argv[1])), (torch.ones(4, 8),))
"""


@pytest.mark.parametrize("rounds", ["enumerate(self.parts)", "zip(range(3), self.parts)"])
@pytest.mark.parametrize(("asked", "wrong"), [("len(where)", 1), ("where.size(0) > 2", 1), ("where.size(1) == 1", 0)])
def test_the_number_of_a_round_is_known_to_be_one(rounds: str, asked: str, wrong: int, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "run", {"net.py": ROUNDS.format(rounds=rounds, asked=asked)}, torch="2.13")
    assert [item.code for item in found] == [READ if "len" in asked else BRANCH] * wrong
