"""AOTI722: forwards that raise for the example inputs of an export."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, width=4, mode="plain"):
        super().__init__()
        self.width, self.mode = width, mode
        self.norm = nn.BatchNorm1d(width)

    def forward(self, x, mask=None):
        {forward}
        return x * 2

model = Net(){eval}
x = {x}
{export}
"""


def told(folder: Path, forward: str, x: str = "torch.randn(2, 6)", export: str = "torch.export.export(model, (x,))",
         eval: str = ".eval()") -> list[tuple[str, str]]:  # fmt: skip
    text = SCRIPT.format(forward=forward, x=x, export=export, eval=eval)
    found = lint_files(folder / "run", {"net.py": text}, torch="2.13")
    return [(str(one.severity), one.message.split(" for ")[0]) for one in found if one.code == "AOTI722"]


RAISING = {
    "no mask": ("x = x * mask.to(x.dtype)", "AttributeError"),
    "an operation that is given none": ("x = torch.where(mask, x, x * 0)", "TypeError"),
    "a list for a tensor": ("x = torch.relu([x, x + 1])", "TypeError"),
    "a dict for a tensor": ("x = x.matmul({'x': x})", "TypeError"),
    "what a recurrent layer gives": ("x = torch.tanh(nn.GRU(6, 6)(x))", "TypeError"),
    "a tuple for a function of Python": ("x = nn.functional.softmax((x, x), 1)", "AttributeError"),
    "a list for a layer": ("x = nn.Linear(6, 6)([x])", "TypeError"),
    "a list for a layer, by name": ("x = nn.Linear(6, 6)(input=[x])", "TypeError"),
    "the maximum with where it is": ("x = nn.ReLU()(x.max(1))", "TypeError"),
    "a fraction": ("x = x[:, : x.shape[1] / 2]", "TypeError"),
    "a dimension": ("x = x.sum(2)", "IndexError"),
    "an index": ("x = x[:, 6]", "IndexError"),
    "elements": ("x = x.view(-1, 5)", "RuntimeError"),
    "strides": ("x = x.t().view(-1)", "RuntimeError"),
    "sizes to join": ("x = torch.cat([x, x[:, :2]])", "RuntimeError"),
    "a size": ("if x.size(1) != self.width:\n            raise ValueError('width')", "ValueError"),
    "a class of torch": ("if x.shape[-1] > 4:\n            raise torch.jit.Error", "Error"),
    "a rank": ("if x.dim() == 2:\n            raise RuntimeError", "RuntimeError"),
    "a dtype": ("if x.dtype is not torch.float64:\n            raise TypeError(x.dtype)", "TypeError"),
    "an assertion": ("assert x.shape[0] == 3, x.shape", "AssertionError"),
    "a check": ("torch._check_value(x.size(0) > 4, lambda: 'few')", "ValueError"),
    "a device": ("_, n = x.shape\n        if n % 4:\n            raise IndexError(n)", "IndexError"),
    "too few to unpack": ("rows, columns, depth = x.shape", "ValueError"),
    "too many to unpack": ("(rows,) = x.size()", "ValueError"),
    "parts that are not there": ("a, b = x.chunk(7, 1)[:1]", "ValueError"),
    "another handler": (
        "try:\n            assert x.size(0) == 3\n        except ValueError:\n            pass",
        "AssertionError",
    ),
}


@pytest.mark.parametrize("name", RAISING)
def test_what_the_example_inputs_make_it_raise(tmp_path: Path, name: str) -> None:
    forward, exception = RAISING[name]
    assert told(tmp_path, forward) == [("error", f"the forward raises {exception}")]


ATTRIBUTES = {
    "a dict for a tensor": ("rows = x.shape[0]", "{'input_ids': torch.zeros(2, 6)}", True),
    "a list for a tensor": ("rows = x.dim()", "[torch.zeros(2, 6)]", True),
    "a number for a tensor": ("x = x.flatten(1)", "3.5", True),
    "a method of a dict": ("x = list(x.values())[0]", "{'input_ids': torch.zeros(2, 6)}", False),
    "a part that is there": ("x = x['a'].flatten()", "{'a': torch.zeros(2, 6)}", False),
    "asked before": ("x = x.flatten() if hasattr(x, 'flatten') else x[0]", "[torch.zeros(2, 6)]", False),
}


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_attributes_that_inputs_do_not_have(tmp_path: Path, name: str) -> None:
    forward, x, raises = ATTRIBUTES[name]
    assert told(tmp_path, forward, x=x) == ([("error", "the forward raises AttributeError")] if raises else [])


@pytest.mark.parametrize("shape", ["1, 4", "1, 4, 1"])
def test_one_value_for_each_channel(tmp_path: Path, shape: str) -> None:
    x = f"torch.randn({shape})"
    assert told(tmp_path, "x = self.norm(x)", x, eval="") == [("error", "the forward raises ValueError")]
    assert told(tmp_path / "eval", "x = self.norm(x)", x) == []
    assert told(tmp_path / "two", "x = self.norm(x)", "torch.randn(2, 4)", eval="") == []


SILENT = {
    "as many as there are": "rows, columns = x.shape\n        first, *rest = x.shape",
    "the sizes fit": "if x.size(1) != 6:\n            raise ValueError",
    "by what it was made with": "if self.mode == 'plain':\n            raise ValueError",
    "always": "raise NotImplementedError",
    "caught": "try:\n            assert x.size(0) == 3\n        except AssertionError:\n            x = x + 1",
    "by data": "if x.sum() > 0:\n            raise ValueError",
    "by an option that is not known": "if mask is not None and x.size(1) == 6:\n            raise ValueError",
    "by both": "if self.mode == 'plain' or x.size(1) == 6:\n            raise ValueError",
    "a branch not taken": "if x.size(1) == 6:\n            x = x + 1\n        else:\n            raise ValueError",
    "a list of tensors": "x = torch.cat([x, x]) + torch.stack((x, x)).sum() + nn.Identity()([x, x])[0].sum()",
    "a list where one may be": "x = torch.block_diag(x, x).sum() + torch.einsum('ij,ij->i', [x, x]).sum()",
    "a list that may hold something else": "x = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]) + x",
}


@pytest.mark.parametrize("name", SILENT)
def test_silent(tmp_path: Path, name: str) -> None:
    assert told(tmp_path, SILENT[name]) == []


def test_sizes_that_are_not_known(tmp_path: Path) -> None:
    forward = "if x.size(1) != 4:\n            raise ValueError"
    assert told(tmp_path, forward, x="torch.load('x.pt')") == []


@pytest.mark.parametrize(
    "export",
    [
        "try:\n    torch.export.export(model, (x,))\nexcept ValueError:\n    pass",
        "import pytest\nwith pytest.raises(ValueError):\n    torch.export.export(model, (x,))",
        "torch.export.draft_export(model, (x,))",
    ],
)
def test_expected(tmp_path: Path, export: str) -> None:
    assert told(tmp_path, "if x.size(1) != 4:\n            raise ValueError", export=export) == []


BATCHES = """import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.cache = None

    def forward(self, batch):
        {forward}

torch.{api}(Net().eval(), ({given},){more})
"""


def of_batches(folder: Path, forward: str, given: str, api: str = "export.export", more: str = "") -> list[str]:
    text = BATCHES.format(forward=forward, given=given, api=api, more=more)
    return [one.message for one in lint_files(folder, {"net.py": text}, torch="2.13") if one.code == "AOTI722"]


def test_what_an_input_does_not_hold(tmp_path: Path) -> None:
    key = of_batches(tmp_path / "key", "return batch['image'] * batch['mask']", "{'image': torch.ones(2)}")
    assert key == ["the forward raises KeyError for these example inputs (the dict has no 'mask'): the export fails"]
    forward, two = "return batch[0] * batch[2]", "[torch.ones(2), torch.ones(2)]"
    item = ["the forward raises IndexError for these example inputs (a list has no item 2): the export fails"]
    assert of_batches(tmp_path / "item", forward, two) == item
    assert of_batches(tmp_path / "onnx", forward, two, "onnx.export", ", 'net.onnx', dynamo=True") == item
    assert of_batches(tmp_path / "get", "return batch['x'] * batch.get('y')", "{'x': torch.ones(2)}") != []
    asked = "y = batch.get('y')\n        return batch['x'] if y is None else batch['x'] * y"
    assert of_batches(tmp_path / "asked", asked, "{'x': torch.ones(2)}") == []


def test_what_the_module_holds_may_be_set_elsewhere(tmp_path: Path) -> None:
    assert of_batches(tmp_path / "run", "return batch + self.cache", "torch.ones(2)") == []


UNKNOWN = """import torch
from elsewhere import made

class Net(torch.nn.Module):
    def forward(self, x):
        {forward}

torch.export.export(Net().eval(), (torch.ones(2),))
"""


@pytest.mark.parametrize(
    "forward", ["both = made(x) + made(x * 2)\n        return both * x", "return made(x)[2] * x", "return x[made(x)]"]
)
def test_what_is_made_elsewhere_may_be_anything(tmp_path: Path, forward: str) -> None:
    assert lint_files(tmp_path / "run", {"net.py": UNKNOWN.format(forward=forward)}, torch="2.13") == []
