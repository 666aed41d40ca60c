"""AOTI222: what torch takes apart and cannot write into a file, as torch itself answers."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import collections
import dataclasses
import io
import typing
import torch

@dataclasses.dataclass
class Plain:
    x: torch.Tensor

@dataclasses.dataclass
class Named:
    x: torch.Tensor

class Pair(typing.NamedTuple):
    x: torch.Tensor
    y: torch.Tensor

class NamedPair(typing.NamedTuple):
    x: torch.Tensor

class Box:
    def __init__(self, x):
        self.x = x

class NamedBox(Box):
    pass

class KeylessBox(Box):
    pass

def keys(box):
    return [(torch.utils._pytree.GetAttrKey("x"), box.x)], None

torch.utils._pytree.register_pytree_node(
    Box, lambda box: ([box.x], None), lambda held, _: Box(*held), flatten_with_keys_fn=keys)
torch.utils._pytree.register_pytree_node(
    NamedBox, lambda box: ([box.x], None), lambda held, _: NamedBox(*held), flatten_with_keys_fn=keys,
    serialized_type_name="{name}.NamedBox")

torch.utils._pytree.register_pytree_node(KeylessBox, lambda box: ([box.x], None), lambda held, _: KeylessBox(*held))

Old = collections.namedtuple("Old", "x y")
torch.export.register_dataclass(Plain)
torch.export.register_dataclass(Named, serialized_type_name="{name}.Named")
torch.utils._pytree._register_namedtuple(NamedPair, serialized_type_name="{name}.NamedPair")

class Net(torch.nn.Module):
    def forward(self, x):
        {forward}

program = torch.export.export(Net(), ({given},))
{use}
"""
SAVE = "torch.export.save(program, io.BytesIO())"
TENSOR = "torch.rand(3, 4)"
RAISES = [
    ("return Plain(x * 2)", TENSOR, SAVE),
    ("return x.x * 2", f"Plain({TENSOR})", SAVE),
    ("return [x, {'a': Plain(x * 2)}]", TENSOR, SAVE),
    ("return Pair(x * 2, x)", TENSOR, SAVE),
    ("return x.x * x.y", f"Pair({TENSOR}, {TENSOR})", SAVE),
    ("return Old(x * 2, x)", TENSOR, SAVE),
    ("return x.max(1)", TENSOR, SAVE),
    ("return x, torch.sort(x)", TENSOR, SAVE),
    ("return x.topk(2)", TENSOR, SAVE),
    ("return x.aminmax()", TENSOR, SAVE),
    ("return x.x * 2", f"Box({TENSOR})", SAVE),
    ("return [Box(x * 2)]", TENSOR, SAVE),
    ("return KeylessBox(x * 2)", TENSOR, SAVE),
    ("return Pair(x * 2, x)", TENSOR, "torch.export.save(program.run_decompositions(), io.BytesIO())"),
]
RUNS = [
    ("return x.x * 2", f"NamedBox({TENSOR})", SAVE),
    ("return NamedBox(x * 2)", TENSOR, SAVE),
    ("return Named(x * 2)", TENSOR, SAVE),
    ("return NamedPair(x * 2)", TENSOR, SAVE),
    ("return x.x * 2", f"Named({TENSOR})", SAVE),
    ("return tuple(x.max(1))", TENSOR, SAVE),
    ("values, indices = x.max(1)\n        return values, indices", TENSOR, SAVE),
    ("return x.max(1).values", TENSOR, SAVE),
    ("return collections.OrderedDict(a=x * 2)", TENSOR, SAVE),
    ("return [x * 2, (x, {'a': x + 1})]", TENSOR, SAVE),
    ("return Pair(x * 2, x)", TENSOR, "program.module()(torch.rand(3, 4))"),
    ("return Pair(x * 2, x)", TENSOR, f"try:\n    {SAVE}\nexcept NotImplementedError:\n    pass"),
]


def text(forward: str, given: str, use: str, name: str = "own") -> str:
    return SCRIPT.format(forward=forward, given=given, use=use, name=name)


@pytest.mark.parametrize("case", [*RAISES, *RUNS])
def test_said(case: tuple[str, str, str], tmp_path: Path) -> None:
    found = lint_files(tmp_path / "judged", {"script.py": text(*case)}, torch="2.13")
    assert [item.code for item in found] == (["AOTI222"] if case in RAISES else [])


@pytest.mark.parametrize("case", [*RAISES, *RUNS])
def test_torch_agrees(case: tuple[str, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    name = f"unnamed_{[*RAISES, *RUNS].index(case)}"
    (tmp_path / f"{name}.py").write_text(text(*case, name), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    if case in RAISES:
        with pytest.raises(NotImplementedError, match="serializ"):
            importlib.import_module(name)
    else:
        importlib.import_module(name)


@pytest.mark.parametrize("registered", [
    "register_all(Pair)", "torch.utils._pytree._register_namedtuple(Pair, serialized_type_name='own.Pair')",
])  # fmt: skip
def test_a_class_that_may_have_a_name(registered: str, tmp_path: Path) -> None:
    script = text(*RAISES[3]).replace("class Net", f"from elsewhere import register_all\n{registered}\n\nclass Net")
    assert lint_files(tmp_path / "judged", {"script.py": script}, torch="2.13") == []
