"""AOTI711: operations of an exported forward on dtypes that they cannot mix."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import copy
import torch
from torch import nn
from torch.nn import functional as F
{before}

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)
        self.conv = nn.Conv1d(8, 4, 1)
        self.plain = nn.Conv1d(8, 4, 1, bias=False)
        self.table = nn.Embedding(16, 8)
        self.norm = nn.LayerNorm(8)
        self.weight = nn.Parameter(torch.randn(4, 8))

    def forward(self, x):
        {forward}


model = Net().eval()
{model}
x = {x}
{export}
"""
DOUBLE, HALF = "torch.randn(3, 8, dtype=torch.float64)", "torch.randn(3, 8, dtype=torch.float16)"
EXPORT = "torch.export.export(model, (x,))"


def found(folder: Path, forward: str = "return self.fc(x)", model: str = "", x: str = DOUBLE, export: str = EXPORT,
          before: str = "") -> list[tuple[str, str]]:  # fmt: skip
    text = SCRIPT.format(forward=forward, model=model, x=x, export=export, before=before)
    items = lint_files(folder / str(abs(hash(text))), {"net.py": text}, torch="2.13")
    return [(str(item.severity), item.message) for item in items if item.code == "AOTI711"]


MIXED: dict[str, dict[str, str]] = {
    "a linear layer": {},
    "a functional one": {"forward": "return F.linear(x, self.weight)"},
    "a product": {"forward": "return x @ self.weight.T"},
    "the weight of a layer": {"forward": "return F.linear(x, self.fc.weight)"},
    "a convolution": {"forward": "return self.conv(x)", "x": "torch.randn(2, 8, 5).double()"},
    "indices that are no integers": {"forward": "return self.table(x)", "x": "torch.zeros(2, 3)"},
    "a model in half": {"model": "model = model.half()", "x": "torch.randn(3, 8)"},
    "a model cast in place": {"model": "model.to(torch.bfloat16)", "x": "torch.randn(3, 8)"},
    "a model cast by keyword": {"model": "model.to(device='cpu', dtype=torch.bfloat16)", "x": "torch.randn(3, 8)"},
    "a copy": {"model": "model = copy.deepcopy(model)"},
    "cast and cast back": {"model": "model = model.double().float()"},
    "integers": {"x": "torch.ones(3, 8, dtype=torch.int64)"},
    "times a parameter of another dtype": {"forward": "return self.fc(x * self.weight[0])"},
    "a whole of two dtypes": {"forward": "return self.fc(torch.cat([x, self.weight], 0))"},
    "chosen of two dtypes": {"forward": "return self.fc(torch.where(x > 0, x, torch.zeros(1)))"},
    "cast in the forward": {"forward": "return self.fc(x.double())", "x": "torch.randn(3, 8)"},
    "after a layer that keeps it": {"forward": "return self.fc(torch.relu(x))"},
    "halves that arithmetic keeps": {
        "forward": "return self.fc((x * 2 - x / x.shape[0]).mean(-1, True) + x)",
        "x": HALF,
    },
    "a product that keeps it": {"forward": "return self.fc(x.T @ x)"},
    "an attention that keeps it": {"forward": "return self.fc(F.scaled_dot_product_attention(x, x, x))"},
    "another dtype than a call brings": {
        "export": f"program = {EXPORT}\nprogram.module()(x)\nprogram.module()(x.float())"
    },
}
ALIKE: dict[str, dict[str, str]] = {
    "both the default": {"x": "torch.randn(3, 8)"},
    "both double": {"model": "model = model.double()"},
    "both half": {"model": "model.half()", "x": HALF},
    "a parameter cast with the model": {"forward": "return F.linear(x, self.weight)", "model": "model.double()"},
    "the layer alone": {"model": "model.fc.double()"},
    "the dtype of a weight": {"forward": "return self.fc(x.to(self.fc.weight.dtype))"},
    "integers for an embedding": {"forward": "return self.table(x)", "x": "torch.zeros(2, 3, dtype=torch.int32)"},
    "a convolution without a bias": {"forward": "return self.plain(x)", "x": "torch.randn(2, 8, 5).double()"},
    "an addition": {"forward": "return x + self.weight[:3]"},
    "a norm": {"forward": "return self.norm(x)", "x": HALF},
    "autocast in the forward": {"forward": "with torch.autocast('cpu'):\n            return self.fc(x)"},
    "autocast around": {"export": f"with torch.autocast('cpu'):\n    {EXPORT}"},
    "another default": {"before": "torch.set_default_dtype(torch.float64)"},
    "a default nobody knows": {"before": "import helpers\ntorch.set_default_dtype(helpers.DTYPE)"},
    "a model that others were given": {"before": "import helpers", "model": "helpers.prepare(model)"},
    "weights that were replaced": {"model": "model.fc.weight = nn.Parameter(torch.randn(4, 8).double())"},
    "weights out of a file": {"model": "model.load_state_dict(torch.load('w.pt'), assign=True)"},
    "weights that were cast one by one": {"model": "for p in model.parameters():\n    p.data = p.data.double()"},
    "the data of one weight": {"model": "model.fc.weight.data = model.fc.weight.data.double()"},
    "a dtype nobody knows": {"before": "import helpers", "model": "model.to(helpers.DTYPE)"},
    "a handler": {"export": f"try:\n    {EXPORT}\nexcept RuntimeError:\n    pass"},
    "halves that the forward casts": {
        "forward": "with torch.autocast('cpu'):\n            x = x * 2\n        return self.fc(x)",
        "x": HALF,
    },
    "calls that all bring what fits": {"export": f"program = {EXPORT}\nprogram.module()(x.float())"},
    "a draft": {"export": "torch.export.draft_export(model, (x,))"},
}


@pytest.mark.parametrize("name", MIXED)
def test_what_cannot_be_mixed_is_told(tmp_path: Path, name: str) -> None:
    assert len(found(tmp_path, **MIXED[name])) == 1


@pytest.mark.parametrize("name", ALIKE)
def test_what_is_alike_or_not_known_is_not(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, **ALIKE[name]) == []


def test_it_says_where_it_raises_and_how_sure_that_is(tmp_path: Path) -> None:
    # A default dtype may be set by any import, so that float32 is only likely.
    assert found(tmp_path)[0][0] == "warning"
    severity, message = found(tmp_path, x="torch.ones(3, 8, dtype=torch.int64)")[0]
    assert severity == "error"
    assert message.endswith("the export succeeds, and each call raises")
    severity, message = found(tmp_path, forward="return self.table(x)", x="torch.zeros(2, 3)")[0]
    assert severity == "error"
    assert message == "Embedding takes int32 or int64 and is given float32: the export raises"


NORMS = """import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.{norm}

    def forward(self, x):
        return self.norm(x)

model = Net().eval(){cast}
x = torch.randn(2, 8, 4, dtype=torch.{dtype})
program = torch.export.export(model, (x,))
{call}
"""
CALLED = "program.module()(x)"
PACKAGED = "torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program))(x)"


@pytest.mark.parametrize(
    ("norm", "cast", "dtype", "call", "told"),
    [
        ("LayerNorm(4)", "", "float64", CALLED, True),
        ("GroupNorm(2, 8)", "", "float64", CALLED, True),
        ("BatchNorm1d(8)", ".double()", "float32", CALLED, True),
        ("LayerNorm(4)", ".half()", "float32", CALLED, True),
        ("Conv1d(8, 4, 1, bias=False)", "", "float64", CALLED, True),
        ("ConvTranspose1d(8, 4, 1)", "", "bfloat16", CALLED, True),
        ("Conv1d(8, 4, 1, bias=False)", "", "float64", PACKAGED, False),
        ("LayerNorm(4)", "", "float64", "", False),
        ("LayerNorm(4)", "", "float64", PACKAGED, False),
        ("LayerNorm(4)", "", "float16", CALLED, False),
        ("LayerNorm(4, elementwise_affine=False)", "", "float64", CALLED, False),
        ("GroupNorm(2, 8, affine=False)", "", "float64", CALLED, False),
        ("RMSNorm(4)", "", "float64", CALLED, False),
    ],
)
def test_norms(tmp_path: Path, norm: str, cast: str, dtype: str, call: str, told: bool) -> None:
    text = NORMS.format(norm=norm, cast=cast, dtype=dtype, call=call)
    assert [
        one.code for one in lint_files(tmp_path / "run", {"net.py": text}, torch="2.13") if one.code == "AOTI711"
    ] == (["AOTI711"] if told else [])


OPTION = """import argparse
import torch

p = argparse.ArgumentParser()
p.add_argument("--dtype", choices=["fp32", "bf16"], default="{usual}")
a = p.parse_args()
DTYPES = {{"fp32": torch.float32, "bf16": torch.bfloat16}}
dtype = {dtype}
model = torch.nn.Linear(8, 8).eval().to(dtype)
torch.export.export(model, (torch.randn(4, 8{example}),))
"""
CHOSEN = ["DTYPES[a.dtype]", "torch.bfloat16 if a.dtype == 'bf16' else torch.float32"]


@pytest.mark.parametrize("dtype", CHOSEN)
def test_an_option_chooses_the_dtype(tmp_path: Path, dtype: str) -> None:
    def codes(name: str, usual: str, example: str) -> list[str]:
        text = OPTION.format(usual=usual, dtype=dtype, example=example)
        return [one.code for one in lint_files(tmp_path / name, {"net.py": text}, torch="2.13")]

    assert codes("wrong", "bf16", "") == ["AOTI711"]
    assert codes("usual", "fp32", "") == []
    assert codes("both", "bf16", ", dtype=dtype") == []
