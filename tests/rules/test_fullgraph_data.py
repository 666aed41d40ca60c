"""AOTI517: what a function that is compiled as one graph asks of the values in tensors, as torch itself answers."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """
import torch
from torch import nn

@torch.compiler.allow_in_graph
def opaque(x):
    return x + 1

def positive(x):
    return bool((x > 0).all())

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.register_buffer("mean", torch.ones(3))
        self.register_buffer("count", torch.tensor(4))
        self.weight = nn.Parameter(torch.ones(3))
        self.layers = [1, 2, 3, 4]

    def forward(self, x):
        {body}

net = Net().eval()
fast = torch.compile({compiled}, backend="eager")
fast(torch.tensor([[1.0, 2.0, 0.5, 1.0], [1.0, 0.0, 3.0, 1.0]]))
"""
WHOLE = "net, fullgraph=True"
RAISES = [
    "if x.sum() > 0: return x + 1\n        return x",
    "return x + 1 if not x.any() else x",
    "return x + 1 if x.any() and x.all() else x",
    "while x.sum() < 100: x = x * 2 + 1\n        return x",
    "if torch.isnan(self.fc(x)).any(): raise ValueError('nan')\n        return x",
    "if self.mean.sum() > 0: return x + 1\n        return x",
    "if self.weight.sum() > 0: return x + 1\n        return x",
    "return x + 1 if positive(x) else x",
    "low = bool(x.any())\n        return x + 1 if low else x",
    "return x + 1 if torch.equal(x, x * 2) else x",
    "return x + 1 if torch.allclose(x, x * 2) else x",
    "scale = x.abs().min().item()\n        return x + 1 if scale < 0.5 else x",
    "return x + 1 if float(x.max()) > 0.5 else x",
    "for _ in range(int(x.max())): x = x + 1\n        return x",
    "for row in x.nonzero(): x = x + row.sum()\n        return x",
    "rows = x[x > 0]\n        return rows.mean() if rows.numel() else x.sum()",
    "return x * self.layers[x.argmax().item()]",
    "n = x.long().max().item()\n        torch._check(not (n * 2 == 0))\n        return torch.ones(n)",
    "n = x.long().max().item()\n        torch._check(n > 0 and n < 9)\n        return torch.ones(n)",
    "n = x.long().max().item() + 1\n        return x + 1 if 0 < n < 9 else x",
    "n = x.nonzero().shape[0]\n        torch._check(not (n == 0))\n        return x * n",
    "try:\n            if x.sum() > 0: return x + 1\n        except Exception: return x\n        return x - 1",
]
RUNS = [
    "return torch.where(x.sum() > 0, x + 1, x)",
    "assert x.sum() > -9\n        return x + 1",
    "assert (x > -9).all(), 'low'\n        return x + 1",
    "low = bool(x.any())\n        return x + 1",
    "return x * x.max().item()",
    "return x * float(x.max())",
    "return x * int(x.max())",
    "return torch.zeros(int(x.max().item()))",
    "return x[x > 0]",
    "return x.nonzero()",
    "x = x.clone()\n        x[x > 2] = 0\n        return x",
    "return max(x[0, 0], x[0, 1])",
    "n = x.long().max().item()\n        torch._check(n < 10)\n        return torch.zeros(n)",
    "n = x.nonzero().shape[0]\n        torch._check(n != 0)\n        return x * n",
    "n = x.long().max().item()\n        torch._check(n != 0)\n        return x * 2 if n == 0 else x",
    "n = x.long().max().item()\n        return x * 2 if n * 2 == 1 or n * 0 == 1 else x",
    "return x * 2 if self.count.item() > 3 else x",
    "return x.flatten()[int(x.argmax())]",
    "return opaque(x)",
    "if not torch.compiler.is_compiling() and x.sum() > 0: return x + 1\n        return x",
    "if x.shape[0] > 1: return x + 1\n        return x",
    "for row in x: x = x + row\n        return x",
    "return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))",
]
BRANCH = "if x.sum() > 0: return x + 1\n        return x"
WAYS = {
    WHOLE: True,
    "net.forward, fullgraph=True": True,
    "net, dynamic=True, fullgraph=bool(1)": True,
    "net": False,
    "net, fullgraph=False": False,
    "net, fullgraph=True, disable=True": False,
}


def text(body: str, compiled: str = WHOLE) -> str:
    return SCRIPT.format(body=body, compiled=compiled)


def codes(folder: Path, script: str) -> list[str]:
    return [item.code for item in lint_files(folder / "judged", {"script.py": script}, torch="2.13")]


@pytest.mark.parametrize("body", RAISES)
def test_a_question_breaks_the_graph(body: str, tmp_path: Path) -> None:
    # A handler inside of the function is no help to torch, and to be sure of that is not worth what it costs.
    assert codes(tmp_path, text(body)) == ([] if "except" in body else ["AOTI517"])


@pytest.mark.parametrize("body", RUNS)
def test_what_becomes_part_of_the_graph(body: str, tmp_path: Path) -> None:
    assert codes(tmp_path, text(body)) == []


@pytest.mark.parametrize("compiled", WAYS)
def test_ways_to_compile(compiled: str, tmp_path: Path) -> None:
    assert codes(tmp_path, text(BRANCH, compiled)) == (["AOTI517"] if WAYS[compiled] else [])


def test_decorated_methods_and_in_place(tmp_path: Path) -> None:
    decorated = text(BRANCH, "net").replace("    def forward", "    @torch.compile(fullgraph=True)\n    def forward")
    assert codes(tmp_path / "a", decorated.replace("fast(", "net(")) == ["AOTI517"]
    in_place = text(BRANCH, "net").replace("fast(", "net.compile(fullgraph=True, backend='eager')\nnet(")
    assert codes(tmp_path / "b", in_place) == ["AOTI517"]


@pytest.mark.parametrize("around", [
    "try:\n    fast(torch.ones(2, 4))\nexcept RuntimeError:\n    pass\n",
    "import pytest\nwith pytest.raises(torch._dynamo.exc.Unsupported):\n    fast(torch.ones(2, 4))\n",
    "torch.compiler.set_stance('force_eager')\nfast(torch.ones(2, 4))\n",
    "",
])  # fmt: skip
def test_where_nothing_is_wrong(around: str, tmp_path: Path) -> None:
    head = text(BRANCH).rpartition("fast(")[0]
    assert codes(tmp_path, head + around) == []


@pytest.mark.parametrize(("compiled", "body"), [
    *((WHOLE, body) for body in RAISES), *((WHOLE, body) for body in RUNS), *((way, BRANCH) for way in WAYS),
])  # fmt: skip
def test_torch_agrees(compiled: str, body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    name = f"fullgraph_{list(WAYS).index(compiled)}_{[*RAISES, *RUNS].index(body)}"
    (tmp_path / f"{name}.py").write_text(text(body, compiled), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    torch._dynamo.reset()
    if body in RAISES and WAYS[compiled]:
        with pytest.raises(Exception, match=r"(?i)data|unsupported"):
            importlib.import_module(name)
    else:
        importlib.import_module(name)
