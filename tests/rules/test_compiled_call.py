"""AOTI522: what compiled code raises for what it is given. Each was run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

BAD = {
    "linear": 'torch.compile(torch.nn.Linear(3, 8), backend="eager")(torch.randn(2, 4))',
    "matmul": "@torch.compile(fullgraph=True)\ndef f(x):\n    return x @ x\nf(torch.randn(3, 4))",
    "raised": "@torch.compile(fullgraph=True)\ndef f(x):\n    if x.shape[0] != 2:\n        raise ValueError\n"
    "    return x\nf(torch.ones(3))",
    "assertion": "@torch.compile(fullgraph=True)\ndef f(x):\n    assert x.shape[0] == 2, 'two'\n"
    "    return x\nf(torch.ones(1))",
    "unpacked": "@torch.compile\ndef f(x):\n    a, b, c = x.shape\n    return x\nf(torch.ones(3, 3))",
    "dimension": "@torch.compile\ndef f(x):\n    return x.sum(3)\nf(torch.ones(3, 3))",
}
GOOD = {
    "subclass": "class T(torch.Tensor):\n    @staticmethod\n    def __new__(cls, data, config, scale):\n"
    "        return torch.Tensor._make_wrapper_subclass(cls, config[0])\n"
    "@torch.compile\ndef f(x, scale):\n    return T(x, (x.size(),), scale)\nf(torch.ones(3), torch.tensor(1.0))",
    "handled": "@torch.compile\ndef f(x):\n    try:\n        if x.shape[0] != 2:\n            raise ValueError\n"
    "    except ValueError:\n        return -x\n    return x\nf(torch.ones(3))",
    "caught": "f = torch.compile(lambda x: x @ x)\ntry:\n    f(torch.randn(3, 4))\nexcept RuntimeError:\n    pass",
    "other": "@torch.compile\ndef f(x):\n    if x.shape[0] == 7:\n        raise ValueError\n"
    "    return x\nf(torch.ones(3))",
    "disabled": "f = torch.compile(lambda x: x @ x, disable=True)\nf(torch.randn(3, 3))",
    "attribute": "class F:\n    def __getattribute__(self, key):\n        if key == 'a':\n"
    "            raise AttributeError\n"
    "        return super().__getattribute__(key)\n    def __getattr__(self, key):\n        return 5\n"
    "@torch.compile\ndef f(x, o):\n    return x * o.a\nf(torch.ones(3), F())",
    "optional": "@torch.compile\ndef f(x, mask=None):\n    return x if mask is None else x * mask\nf(torch.ones(3))",
}


def said(body: str, folder: Path) -> set[str]:
    made = lint_files(folder, {"a.py": f"import torch\n\n{body}\n"}, torch="2.13")
    return {one.code for one in made if str(one.severity) in ("error", "warning")}


@pytest.mark.parametrize("name", BAD)
def test_bad(name: str, tmp_path: Path) -> None:
    assert "AOTI522" in said(BAD[name], tmp_path / "run")


@pytest.mark.parametrize("name", GOOD)
def test_good(name: str, tmp_path: Path) -> None:
    assert said(GOOD[name], tmp_path / "run") == set()
