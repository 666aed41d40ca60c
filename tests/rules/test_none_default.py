"""AOTI428: which defaults of None keep a call from being compiled. The types were run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import Found, lint_files

SCRIPT = """\
import torch
from typing import Optional

torch.library.define("mylib::f", "{schema}")

@torch.library.impl("mylib::f", "{key}")
def f(x, n=None, *, m=None):
    return x * 2

@torch.library.register_fake("mylib::f")
def _(x, n=None, *, m=None):
    return torch.empty_like(x)

class Net(torch.nn.Module):
    def forward(self, x):
        return torch.ops.mylib.f({given})

{use}
"""
EXPORT = "torch.export.export(Net(), (torch.randn(4),))"
COMPILE = "torch.compile(Net())(torch.randn(4))"
EAGER = 'torch.compile(Net(), backend="eager")(torch.randn(4))'
PLAIN = {"schema": "(Tensor x, int n=None) -> Tensor", "given": "x", "use": EXPORT, "key": "CPU"}
LIKELY, POSSIBLE, NOTHING = ["likely"], ["possible"], list[str]()


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ({}, LIKELY),
        ({"use": COMPILE}, LIKELY),
        ({"use": EAGER}, POSSIBLE),
        ({"use": ""}, POSSIBLE),
        ({"given": "x, 3"}, POSSIBLE),
        ({"given": "x, n=3"}, POSSIBLE),
        ({"given": "*x"}, POSSIBLE),
        ({"key": "CompositeImplicitAutograd"}, NOTHING),
        ({"schema": "(Tensor x, int? n=None) -> Tensor"}, NOTHING),
        ({"schema": "(Tensor x, int n=2) -> Tensor"}, NOTHING),
        ({"schema": "(Tensor x, int n=2, *, float m=None) -> Tensor"}, LIKELY),
        ({"schema": "(Tensor x, int n=2, *, float m=None) -> Tensor", "given": "x, m=1.0"}, POSSIBLE),
        ({"schema": "(Tensor x, Tensor n=None) -> Tensor"}, LIKELY),
        ({"schema": "(Tensor x, Tensor n=None) -> Tensor", "given": "x, None"}, LIKELY),
        ({"schema": "(Tensor x, Tensor n=None) -> Tensor", "given": "x, x"}, NOTHING),
        ({"schema": "(Tensor x, Tensor n=None) -> Tensor", "use": COMPILE}, NOTHING),
        ({"schema": "(Tensor x, bool n=None) -> Tensor"}, LIKELY),
    ],
)
def test_which_are_told(parts: dict[str, str], told: list[str], tmp_path: Path) -> None:
    found = lint(tmp_path / "run", SCRIPT.format(**{**PLAIN, **parts}), "--pedantic")
    assert [one.confidence for one in found] == told


ANNOTATED = """\
import torch

@torch.library.custom_op("mylib::f", mutates_args=())
def f(x: torch.Tensor, n: {type} = None) -> torch.Tensor:
    return x * 2

@f.register_fake
def _(x, n=None):
    return torch.empty_like(x)

class Net(torch.nn.Module):
    def forward(self, x):
        return f(x)

torch.export.export(Net(), (torch.randn(4),))
"""


@pytest.mark.parametrize("kind", ["int", "float", "str", "bool", "torch.Tensor", "torch.dtype"])
def test_annotations(kind: str, tmp_path: Path) -> None:
    assert [one.row for one in lint(tmp_path / "run", ANNOTATED.format(type=kind))] == [3]
    mended = "from typing import Optional\n" + ANNOTATED.format(type=f"Optional[{kind}]")
    assert not lint(tmp_path / "mended", mended)


def lint(folder: Path, text: str, *options: str) -> list[Found]:
    found = lint_files(folder, {"a.py": text}, None, "2.13", *options)
    return [one for one in found if one.code == "AOTI428"]
