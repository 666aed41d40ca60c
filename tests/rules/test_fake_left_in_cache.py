"""AOTI728: tensors that a forward keeps in a cache while it is exported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """import functools
import torch

TABLES, SEEN = {}, []

@functools.lru_cache(maxsize=8)
def positions(n):
    return torch.arange(n) * 0.5

def table(n):
    if n not in TABLES:
        TABLES[n] = torch.arange(n) * 0.5
    return TABLES.get(n)

class Cached(torch.nn.Module):
    def forward(self, x):
        return x + positions(x.shape[1])

class Kept(torch.nn.Module):
    def forward(self, x):
        return x + table(x.shape[1])

class Listed(torch.nn.Module):
    def forward(self, x):
        SEEN.append(x * 2)
        return x

class Own(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.tables = {}

    def forward(self, x):
        if x.shape[1] not in self.tables:
            self.tables[x.shape[1]] = torch.arange(x.shape[1])
        return x + self.tables[x.shape[1]]

class Method(torch.nn.Module):
    @functools.cache
    def table(self, n):
        return torch.ones(n)

    def forward(self, x):
        return x + self.table(x.shape[1])

x = torch.randn(2, 4)
"""
BAD = {
    "called": "m = Cached()\ntorch.export.export(m, (x,))\nm(x)",
    "another model": "torch.export.export(Cached(), (x,))\ny = Cached()(torch.ones(5, 4))",
    "a method": "m = Method()\ntorch.export.export(m, (x,))\nm(x)",
    "a dict": "m = Kept()\ntorch.export.export(m, (x,))\nm(x)",
    "a list": "torch.export.export(Listed(), (x,))\nprint(SEEN[0].mean())",
    "exported again": "m = Cached()\ntorch.export.export(m, (x,))\ntorch.export.export(m, (x,))",
    "for ONNX": "m = Cached()\ntorch.onnx.export(m, (x,), 'm.onnx', dynamo=True)\nm(x)",
    "another size is dynamic": "m, b = Cached(), torch.export.Dim('b')\n"
    "torch.export.export(m, (x,), dynamic_shapes=({0: b},))\nm(x)",
}
GOOD = {
    "called before": "m = Cached()\nm(x)\ntorch.export.export(m, (x,))\nm(x)",
    "the end": "torch.export.export(Cached(), (x,))",
    "another size": "m = Cached()\ntorch.export.export(m, (x,))\nm(torch.ones(2, 5))",
    "strict": "m = Cached()\ntorch.export.export(m, (x,), strict=True)\nm(x)",
    "emptied": "m = Cached()\ntorch.export.export(m, (x,))\npositions.cache_clear()\nm(x)",
    "a dict emptied": "m = Kept()\ntorch.export.export(m, (x,))\nTABLES.clear()\nm(x)",
    "the program": "program = torch.export.export(Cached(), (x,))\nprogram.module()(x)",
    "an attribute": "m = Own()\ntorch.export.export(m, (x,))\nm(x)",
    "compiled": "m = Cached()\ntorch.export.export(m, (x,))\ntorch.compile(m)(x)",
}


def told(folder: Path, script: str) -> list[str]:
    found = lint_files(folder / "run", {"net.py": HEAD + script + "\n"}, torch="2.13")
    return [one.code for one in found if one.code == "AOTI728"]


@pytest.mark.parametrize("name", BAD)
def test_what_is_taken_out_after_the_export(tmp_path: Path, name: str) -> None:
    assert told(tmp_path, BAD[name]) == ["AOTI728"]


@pytest.mark.parametrize("name", GOOD)
def test_what_is_a_tensor_with_numbers(tmp_path: Path, name: str) -> None:
    assert told(tmp_path, GOOD[name]) == []
