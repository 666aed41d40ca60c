"""`torch.onnx.export(…, dynamo=True)`: each line was run on torch 2.13 with onnxscript 0.7.2.

Those of `RAISED` raise `TorchExportError`. Those of `QUIET` give a model that is not what was asked for. Those of
`RIGHT` give one that is; there `dynamic_shapes` may have texts for `Dim`s.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """
import dataclasses
import torch
from torch.export import Dim

class Net(torch.nn.Module):
    def forward(self, x, y):
        return x + y

class Nested(torch.nn.Module):
    def forward(self, d, p):
        return d["a"] + p[0]

class Pair(torch.nn.Module):
    def forward(self, p, z):
        return p[0] + p[1] + z.sum()

class Fixed(torch.nn.Module):
    def forward(self, x):
        return x.view(6, 2, 4)

class First(torch.nn.Module):
    def forward(self, x, y):
        return x.view(6, 2, 4) + y.sum()

class Branch(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] == 6:
            return x + 1
        return x

class Range(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] > 2:
            return x + 1
        return x

class Data(torch.nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else x + 1

class Outside(torch.nn.Module):
    def forward(self, x):
        if not torch.onnx.is_in_onnx_export() and x.sum() > 0:
            return x
        return x + 1

class Scaled(torch.nn.Module):
    def forward(self, x, y=None, by=0.5, z=None):
        return x * by if z is None else x * by + z

class Early(torch.nn.Module):
    def forward(self, x):
        if torch.onnx.is_in_onnx_export():
            return x.view(x.shape[0], 2, 4)
        return x if x.sum() > 0 else x.view(6, 2, 4)

class Inside(torch.nn.Module):
    def forward(self, x):
        if torch.onnx.is_in_onnx_export() and x.sum() > 0:
            return x
        return x + 1

class Asserts(torch.nn.Module):
    def forward(self, x):
        assert x.sum() > 0
        return x + 1

class Drop(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = torch.nn.Dropout(0.5)
    def forward(self, x):
        return self.drop(x)

@dataclasses.dataclass
class Rows:
    rows: torch.Tensor

class Takes(torch.nn.Module):
    def forward(self, given):
        return given.rows + 1

class Gives(torch.nn.Module):
    def forward(self, x):
        return Rows(x + 1)

class Branches(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x, (x,))

b = Dim("b")
x = torch.randn(6, 8)
"""
RAISED = {
    "AOTI103": [
        'torch.onnx.export(torch.nn.Linear(8, 2, device="meta"), (x,), "f.onnx")',
    ],
    "AOTI304": [
        'torch.onnx.export(Net(), (x, x + 1), "net.onnx", dynamo=True, dynamic_shapes={"x": {0: b}, "z": {0: b}})',
        'torch.onnx.export(Net(), (x, x + 1), dynamo=True, dynamic_shapes={"x": {0: b}})',
        'torch.onnx.export(Net(), (x, x + 1), dynamic_shapes={"x": {0: b}})',
    ],
    "AOTI305": [
        'torch.onnx.export(Nested(), ({"a": x}, (x,)), dynamo=True, dynamic_shapes=({"a": {0: b}},))',
    ],
    "AOTI308": [
        'torch.onnx.export(Net(), (x, x + 1), dynamo=True, dynamic_shapes=({0: Dim("c", max=4)}, {0: b}))',
    ],
    "AOTI312": [
        'torch.onnx.export(Net(), (x, x), dynamic_shapes=({0: Dim("r", max=32)}, {0: Dim("r", max=64)}))',
    ],
    "AOTI313": [
        'torch.onnx.export(Range(), (torch.randn(5, 8),), dynamic_shapes={"x": {0: 2 * b}})',
        'torch.onnx.export(Range(), (torch.randn(2, 8),), dynamic_shapes={"x": {0: 2 * b}})',
    ],
    "AOTI317": [
        "torch.onnx.export(Takes(), (Rows(x),))",
    ],
    "AOTI321": [
        'torch.onnx.export(torch.nn.Linear(8, 2), (x,), dynamic_shapes={"input": {1: Dim.DYNAMIC}})',
    ],
    "AOTI323": [
        'torch.onnx.export(Fixed(), (x,), dynamic_shapes={"x": {0: Dim.DYNAMIC}})',
        'torch.onnx.export(Fixed(), (x,), dynamic_shapes={"x": {0: "batch"}})',
        'torch.onnx.export(Fixed(), (x,), input_names=["a"], dynamic_axes={"a": [0]})',
        'torch.onnx.export(Fixed(), (x,), dynamic_axes={"a": {0: "batch"}})',
        'torch.onnx.export(Fixed(), x, "f", output_names=["o"], dynamic_axes={"o": {0: "b"}, "a": {0: "b"}})',
        # They go to the inputs in their order: this is for x.
    ],
    "AOTI324": [
        'torch.onnx.export(Branch(), (x,), dynamic_shapes={"x": {0: "batch"}})',
    ],
    "AOTI325": [
        "torch.onnx.export(Data(), (x,))",
        'torch.onnx.export(Data(), x, "f.onnx", dynamo=True)',
    ],
    "AOTI328": [
        "torch.onnx.export(Net(), (x,))",
        "torch.onnx.export(Range(), (x, x))",
        'torch.onnx.export(Range(), (x,), kwargs={"z": x})',
        'torch.onnx.export(Nested(), ((x,), {"a": x}))',
    ],
    "AOTI345": [
        'torch.onnx.export(Fixed(), (x,), input_names=["a"], dynamic_axes={"a": {0: "b"}, "o": {0: "b"}})',
        'torch.onnx.export(First(), (x, x + 1), dynamic_axes={"a": {0: "b"}})',
        'torch.onnx.export(First(), (x, x + 1), input_names=["x", "y", "z"], dynamic_axes={"x": None})',
        'torch.onnx.export(First(), (x,), kwargs={"y": x + 1}, dynamic_axes={"x": {0: "b"}})',
        'torch.onnx.export(Scaled(), (x, None, 0.5), input_names=["x"], dynamic_axes={"x": {0: "b"}})',
        'torch.onnx.export(Pair(), ([x, x], x), input_names=["p", "z"], dynamic_axes={"p": {0: "b"}, "z": {0: "b"}})',
        # Whichever it is.
        "names = ['o']\nif input():\n    names.append('p')\n"
        "torch.onnx.export(Net(), (x, None if input() else x), output_names=names, dynamic_axes={'a': {0: 'b'}})",
    ],
    "AOTI712": [
        "torch.onnx.export(Gives(), (x,))",
    ],
    "AOTI714": [
        "torch.onnx.export(torch.nn.Linear(16, 2), (x,))",
    ],
    "AOTI716": [
        "torch.onnx.export(Branches(), (x,))",
    ],
}
QUIET = {
    "AOTI353": ['torch.onnx.export(Data(), (x,), "f.onnx", dynamo=False)'],
    "AOTI321": ['torch.onnx.export(torch.nn.Linear(8, 2), (x,), dynamic_shapes={"input": {0: b, 1: Dim("w")}})'],
    "AOTI323": ['torch.onnx.export(Fixed(), (x,), dynamic_shapes={"x": {0: b}})'],
    "AOTI324": ['torch.onnx.export(Branch(), (x,), dynamic_shapes={"x": {0: b}})'],
    "AOTI345": [
        'torch.onnx.export(Net(), (x, x + 1), "f.onnx", input_names=["y", "x"])',
        'torch.onnx.export(Net(), (x, x + 1), "f.onnx", output_names=["sum", "mean"])',
        'torch.onnx.export(Net(), (x, x + 1), "f.onnx", input_names=("y",))',
        'torch.onnx.export(Net(), (x, x + 1), "f.onnx", input_names=["x", "y"], output_names=["y"])',
        'torch.onnx.export(Net(), (x,), kwargs={"y": x}, input_names=["a", "x"])',
        'torch.onnx.export(Net(), (), kwargs={"y": x, "x": x}, input_names=["x", "y"])',
        'torch.onnx.export(Pair(), ([x, x], x), input_names=["p", "z"])',
        'torch.onnx.export(Scaled(), (x, None, 0.5, x), input_names=["x", "y"])',
        'torch.onnx.export(Scaled(), (x, x), input_names=["x", "z"])',
        'torch.onnx.export(Scaled(), (x, x, 0.5), "f.onnx", input_names=["x", "y", "by"])',
        'torch.onnx.export(Scaled(), (x,), kwargs={"by": 2}, input_names=["x", "by"])',
        'torch.onnx.export(Scaled(), (x, None), input_names=["x", "y"])',
    ],
    "AOTI701": ['torch.onnx.export(Drop(), (x,), "f.onnx")'],
}
UNKNOWN_MODEL = (
    "from elsewhere import build\ntorch.onnx.export(build(), {args}, dynamic_axes={{'a': {{0: 'b'}}}}, {more})"
)
COUNTS = [
    ("(x,)", "input_names=['a', 'b']"),
    ("(x, [x, x], 0.5)", "input_names=['a', 'b', 'c']"),
    ("(x, {'y': x})", "input_names=['a']"),
    ("(x,)", "kwargs={'y': x, 'z': None}, input_names=['a', 'b']"),
]
"""Arguments of which a model that is not known is given more, or fewer, than are named. Run with one that takes all."""
FITS = [
    ("(x,)", "input_names=['a']"),
    ("(x, [x, x])", "input_names=['a', 'b', 'c']"),
    ("(x, {'y': x})", "input_names=['a', 'b']"),
    ("(x, build())", "input_names=['a']"),
    ("(x, *build())", "input_names=['a', 'b']"),
    ("(x,)", "input_names=['a', 'b'], dynamic_shapes=({},)"),
    ("(x,)", "f='a.onnx', input_names=['a', 'b'], dynamo=False"),
    ("(x,)", "input_names=['a', *build()]"),
    ("(x,)", "input_names=['a', 'b'][: int(input())]"),
]
RIGHT = [
    'torch.onnx.export(Net(), (x, x + 1), dynamo=True, dynamic_shapes={"x": {0: b}, "y": {0: b}})',
    "torch.onnx.export(Net(), (x, x + 1), dynamo=True, dynamic_shapes=({0: b}, {0: b}))",
    'torch.onnx.export(Net(), (x, x + 1), dynamo=True, dynamic_shapes={"x": {0: "batch"}, "y": {0: "batch"}})',
    'torch.onnx.export(Net(), (x, x + 1), dynamo=True, dynamic_shapes={"x": {0: b}, "y": {0: Dim("c")}})',
    'torch.onnx.export(Net(), (x, {"y": x}))',
    'torch.onnx.export(Net(), (x, {"y": x}), dynamic_shapes={"x": {0: b}, "y": {0: b}})',
    'torch.onnx.export(Nested(), ({"a": x},), kwargs={"p": (x,)})',
    "torch.onnx.export(Pair(), ([x, x], x), dynamic_shapes=((None, None), {0: b}))",
    'torch.onnx.export(Fixed(), (x,), dynamic_shapes={"x": {0: Dim.AUTO}})',
    'torch.onnx.export(Range(), (x,), dynamic_shapes={"x": {0: b}})',
    'torch.onnx.export(Range(), (x,), dynamic_shapes={"x": {0: "batch"}})',
    'torch.onnx.export(Range(), (torch.randn(1, 8),), dynamic_shapes={"x": {0: b}})',
    'torch.onnx.export(Range(), (x,), input_names=["x"], dynamic_axes={"x": {0: "batch"}})',
    'torch.onnx.export(First(), (x, x + 1), input_names=["x", "y"], dynamic_axes={"x": None, "y": {0: "b"}})',
    'torch.onnx.export(Fixed(), (x,), input_names=["a"], dynamic_axes={})',
    'torch.onnx.export(Fixed(), (x,), input_names=["a"], dynamic_axes={"a": {0: "b"}}, dynamic_shapes={})',
    'torch.onnx.export(Net(), (x, x + 1), input_names=["left", "right"])',
    'torch.onnx.export(Net(), (x, x + 1), output_names=["sum"])',
    'torch.onnx.export(Net(), (x, x + 1), input_names=["x", "right", "more"])',
    'torch.onnx.export(Net(), (x,), kwargs={"y": x}, input_names=["x", "y"])',
    'torch.onnx.export(Net(), (), kwargs={"y": x, "x": x}, input_names=["y", "x"])',
    'torch.onnx.export(Scaled(), (x, None, 0.5, x), input_names=["x", "z"])',
    'torch.onnx.export(Pair(), ([x, x], x), input_names=["p0", "p1", "z"])',
    'torch.onnx.export(Pair(), ([x, x], x), input_names=["a", "b", "z"], dynamic_axes={n: {0: "n"} for n in "abz"})',
    'torch.onnx.export(Scaled(), (x, x, 2), input_names=["x", "y", "by"], dynamic_axes={"x": {0: "n"}, "y": {0: "n"}})',
    'torch.onnx.export(Range(), (x,), "f", output_names=["o"], dynamic_axes={"o": {0: "b"}, "a": {0: "b"}})',
    "torch.onnx.export(Net(), (x, torch.randn(4, 8)), dynamic_shapes=({0: b}, {0: b}))",  # equal by an assertion
    "torch.onnx.export(Outside(), (x,))",
    "torch.onnx.export(Net(), (x, torch.randn(4, 8)), dynamic_shapes=({0: b}, {0: Dim('c')}))",
    "torch.onnx.export(Inside(), (x,))",  # with strict=True it is False
    'torch.onnx.export(Early(), (x,), dynamic_shapes={"x": {0: "batch"}})',
    "torch.onnx.export(Asserts(), (x,))",
    'torch.onnx.export(torch.nn.Linear(8, 2), (x.double(),), "f.onnx")',
    'torch.onnx.export(Drop().eval(), (x,), "f.onnx")',
    'torch.onnx.export(torch.nn.BatchNorm1d(8), (x,), "f.onnx")',
]
NOT_JUDGED = [
    'torch.onnx.export(First(), (x,), kwargs={"y": x + 1}, dynamic_axes={"x": {0: "b"}, "y": {0: "b"}})',
    'torch.onnx.export(Fixed(), (x,), output_names=[input()], dynamic_axes={"a": {0: "b"}})',
    'torch.onnx.export(Fixed(), (x,), dynamic_axes={"a": {0: input()}})',
    'torch.onnx.export(Data(), (x,), "f.onnx", dynamo=bool(int(input())))',
    'torch.onnx.export(Net(), (x, input()), "f.onnx", **eval(input()))',
    'torch.onnx.export(Net(), (x, eval(input())), "f.onnx")',
    "try:\n    torch.onnx.export(Data(), (x,))\nexcept torch.onnx.OnnxExporterError:\n    pass",
    "try:\n    torch.onnx.export(Data(), (x,))\nexcept RuntimeError:\n    pass",
    'torch.onnx.export(Drop(), (x,), "f.onnx", training=torch.onnx.TrainingMode.TRAINING)',
]
"""What tries other ways too, or is not known to fail; that Dropout is on is meant."""


def said(folder: Path, line: str, torch: str = "2.13") -> list[tuple[str, str]]:
    made = lint_files(folder / "run", {"script.py": f"{HEAD}{line}\n"}, torch=torch)
    # Which tensor is which input does not matter to what is asked here.
    return [(one.code, one.severity) for one in made if one.severity != "info" and one.code != "AOTI352"]


@pytest.mark.parametrize(
    ("names", "axes", "told"),
    [
        (["x", "y"], "{'y': {0: 'b'}}", True),
        (["x", "y"], "{'y': {0: 'b'}, 'x': {1: 'w'}}", True),
        (["x", "y"], "{'o': {0: 'b'}, 'y': {0: 'b'}}", True),
        (["x", "y"], "{'y': [0]}", True),
        # Each has an entry, in their order; those that are left out come last.
        (["x", "y"], "{'x': {}, 'y': {1: 'w'}}", False),
        (["x", "y"], "{'x': {1: 'w'}}", False),
        # In another order, and the same.
        (["x", "y"], "{'y': {1: 'w'}, 'x': {1: 'w'}}", False),
        # Which is which nobody knows.
        (["x", "y"], "axes", False),
        (["x", "z"], "{'y': {1: 'w'}, 'x': {1: 'w'}}", False),
    ],
)
def test_entries_go_to_the_inputs_in_their_order(names: list[str], axes: str, told: bool, tmp_path: Path) -> None:
    line = f'torch.onnx.export(First(), (x, x + 1), input_names={names}, output_names=["o"], dynamic_axes={axes})'
    found = [one for one in said(tmp_path, line) if one == ("AOTI345", "warning")]
    assert found == [("AOTI345", "warning")] * told


@pytest.mark.parametrize(("code", "line"), [(code, line) for code, lines in RAISED.items() for line in lines])
def test_what_raises(code: str, line: str, tmp_path: Path) -> None:
    assert said(tmp_path, line) == [(code, "error")]


@pytest.mark.parametrize(("code", "line"), [(code, line) for code, lines in QUIET.items() for line in lines])
def test_what_is_wrong_without_a_word(code: str, line: str, tmp_path: Path) -> None:
    assert said(tmp_path, line) == [(code, "warning")]


@pytest.mark.parametrize(("args", "more"), COUNTS)
def test_how_many_there_are_whatever_the_model_is(args: str, more: str, tmp_path: Path) -> None:
    assert said(tmp_path, UNKNOWN_MODEL.format(args=args, more=more)) == [("AOTI345", "warning")]


@pytest.mark.parametrize(("args", "more"), FITS)
def test_as_many_as_there_are_or_not_known(args: str, more: str, tmp_path: Path) -> None:
    assert said(tmp_path, UNKNOWN_MODEL.format(args=args, more=more)) == []


@pytest.mark.parametrize("line", RIGHT + NOT_JUDGED)
def test_what_is_right(line: str, tmp_path: Path) -> None:
    assert said(tmp_path, line) == []


@pytest.mark.parametrize(
    ("line", "torch", "severities"),
    [
        (RAISED["AOTI304"][0], "2.8", []),  # torch.jit.trace and draft_export are tried as well
        (RAISED["AOTI304"][0], "2.9", ["error"]),
        (RAISED["AOTI304"][2], "2.8", []),
        (RAISED["AOTI304"][2], "2.9", ["error"]),
        (RAISED["AOTI304"][0], ">=2.8,<2.10", ["warning"]),
        (RAISED["AOTI325"][0], ">=2.8,<2.10", ["warning"]),
    ],
)
def test_releases(line: str, torch: str, severities: list[str], tmp_path: Path) -> None:
    found = [severity for code, severity in said(tmp_path, line, torch) if code in RAISED]
    assert found == severities


def test_a_name_of_no_input_is_named(tmp_path: Path) -> None:
    line = 'torch.onnx.export(First(), (x, x + 1), input_names=["a", "b"], dynamic_axes={"c": {0: "n"}})'
    items = lint_files(tmp_path / "run", {"script.py": f"{HEAD}{line}\n"}, torch="2.13")
    assert [one.message for one in items if one.code == "AOTI345"] == [
        '"c" of dynamic_axes is in neither input_names nor output_names: the export raises'
    ]


@pytest.mark.parametrize(
    ("args", "more", "told"),
    [
        ("x", 'input_names=["i"], dynamic_axes={"j": {0: "b"}}', True),
        ("x", 'input_names=["i"], output_names=["o"], dynamic_axes={"j": [0], "o": [0]}', True),
        ("(x, x)", 'input_names=["i", "j"], dynamic_axes={"i": {0: "b"}, "k": {0: "b"}}', True),
        ("x", 'input_names=["i"], dynamic_axes={"i": {0: "b"}}', False),
        ("x", 'input_names=["i"], output_names=["o"], dynamic_axes={"i": {0: "b"}, "out": {0: "b"}}', False),
        ("x", 'dynamic_axes={"i": {0: "b"}}', False),
        ("(x, x)", 'input_names=["i"], dynamic_axes={"j": {0: "b"}}', False),
        ("elsewhere", 'input_names=["i"], dynamic_axes={"j": {0: "b"}}', False),
        ("x", 'input_names=["i"], dynamic_axes={input(): {0: "b"}}', False),
    ],
)
@pytest.mark.parametrize(("torch", "dynamo"), [("2.13", "dynamo=False"), ("2.6", "verbose=False"), ("2.13", "")])
def test_names_that_the_older_exporter_does_not_know(
    args: str, more: str, told: bool, torch: str, dynamo: str, tmp_path: Path
) -> None:
    head = "import torch\nfrom other import build, elsewhere\nx = torch.ones(1)\n"
    text = f"{head}torch.onnx.export(build(), {args}, 'f', {more}, {dynamo})\n"
    found = lint_files(tmp_path / "run", {"a.py": text}, torch=torch)
    stay = [one for one in found if one.code == "AOTI345" and "what it says is left out" in one.message]
    assert len(stay) == (told and dynamo != "")
