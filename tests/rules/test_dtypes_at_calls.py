"""AOTI331 of `ep.module()`: a dtype that an operation of the model cannot take, as torch itself answers; and what a
caller does about dtypes before it calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)
        self.table = nn.Embedding(16, 8)

    def forward(self, x):
        {forward}

run = torch.export.export(Net().eval(), ({example},)).module()
x = {given}
{call}
"""
FLOATS, DOUBLES, LONGS = "torch.rand(3, 8)", "torch.rand(3, 8).double()", "torch.ones(3, 8, dtype=torch.int64)"
LINEAR, TABLE, PLAIN = "return self.fc(x)", "return self.table(x)", "return x * 2"
RAISES = [
    (LINEAR, FLOATS, DOUBLES, "run(x)"),
    (LINEAR, FLOATS, LONGS, "run(x)"),
    (TABLE, LONGS, FLOATS, "run(x)"),
    ("y = x + 1\n        return self.fc(y)", FLOATS, DOUBLES, "run(x)"),
    (LINEAR, FLOATS, DOUBLES, "if x.dtype == torch.half:\n    x = x.float()\nrun(x)"),
]
RUNS = [
    (LINEAR, FLOATS, FLOATS, "run(x)"),
    (LINEAR, FLOATS, DOUBLES, "run(x.float())"),
    (LINEAR, FLOATS, DOUBLES, "if x.dtype != torch.float32:\n    x = x.float()\nrun(x)"),
    (LINEAR, FLOATS, LONGS, "if x.dtype is not torch.float:\n    x = x.to(torch.float32)\nrun(x)"),
    (LINEAR, FLOATS, LONGS, "if x.dtype in (torch.int64, torch.int32):\n    x = x.float()\nrun(x)"),
    (LINEAR, FLOATS, LONGS, "if x.dtype not in (torch.float32, torch.float64):\n    x = x.float()\nrun(x)"),
    (LINEAR, FLOATS, DOUBLES, "run(x if x.dtype == torch.float32 else x.float())"),
    (TABLE, LONGS, LONGS, "run(x.int())"),
    (PLAIN, FLOATS, DOUBLES, "run(x)"),
    (PLAIN, FLOATS, LONGS, "run(x)"),
]


def text(forward: str, example: str, given: str, call: str) -> str:
    return SCRIPT.format(forward=forward, example=example, given=given, call=call)


@pytest.mark.parametrize("case", [*RAISES, *RUNS])
def test_said(case: tuple[str, str, str, str], tmp_path: Path) -> None:
    found = lint_files(tmp_path / "judged", {"script.py": text(*case)}, torch="2.13")
    assert [item.code for item in found] == (["AOTI331"] if case in RAISES else [])


@pytest.mark.parametrize("case", [*RAISES, *RUNS])
def test_torch_agrees(case: tuple[str, str, str, str]) -> None:
    pytest.importorskip("torch")
    if case in RAISES:
        with pytest.raises(RuntimeError):
            exec(text(*case), {})
    else:
        exec(text(*case), {})


@pytest.mark.parametrize(("loader", "sizes"), [
    ("DataLoader(dataset, batch_size=64)", [40]), ("DataLoader(dataset, batch_size=50)", []),
    ("DataLoader(dataset, batch_size=64, drop_last=True)", []), ("DataLoader(dataset, 64, shuffle=True)", [40]),
])  # fmt: skip
def test_the_first_batch_is_a_full_one(loader: str, sizes: list[int], tmp_path: Path) -> None:
    script = f"""import torch
from torch.utils.data import DataLoader, TensorDataset

dataset = TensorDataset(torch.rand(1000, 8), torch.randint(0, 10, (1000,)))
loader = {loader}
images, _ = next(iter(loader))
run = torch.export.export(torch.nn.ReLU(), (images,)).module()
for images, labels in loader:
    run(images)
"""
    found = lint_files(tmp_path / "judged", {"script.py": script}, torch="2.13")
    assert [item.code for item in found] == ["AOTI301"] * len(sizes)
    assert all(f"is called with {size}:" in item.message for item, size in zip(found, sizes, strict=True))


READ = """import csv, math, sys
import numpy as np
import torch

class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2

run = torch._inductor.aoti_load_package(
    torch._inductor.aoti_compile_and_package(torch.export.export(Net(), (torch.randn(3),)))
)
value = float(sys.argv[1])
rows = []
for row in csv.reader(open("rows.csv")):
    rows.append([float(part) for part in row])
grown = []
for line in open("lines.txt"):
    grown.append(float(line))
mapped = list(map(float, open("row.txt").read().split()))
run({given})
"""


@pytest.mark.parametrize("given", [
    "torch.tensor(np.array([float(one) for one in sys.argv[1:4]]))", "torch.from_numpy(np.array(rows[0]))",
    "torch.from_numpy(np.array(grown))", "torch.as_tensor(np.asarray(mapped))", "torch.from_numpy(np.full(3, value))",
    "torch.from_numpy(np.array([value, value * 2, -value / 3]))", "torch.from_numpy(np.array([value, 1, 2]))",
    "torch.from_numpy(np.array([math.sin(value), math.pi, 0]))", "torch.from_numpy(np.array([1, 2, 3]) / value)",
])  # fmt: skip
def test_floats_of_python_in_an_array_are_float64(given: str, tmp_path: Path) -> None:
    found = lint_files(tmp_path / "judged", {"script.py": READ.format(given=given)}, torch="2.13")
    assert [(item.code, item.severity) for item in found] == [("AOTI331", "warning")]


@pytest.mark.parametrize("given", [
    "torch.tensor([float(one) for one in sys.argv[1:4]])", "torch.tensor([value, value * 2, 1.0])",
    "torch.tensor(grown)", "torch.from_numpy(np.array(rows[0], dtype=np.float32))",
    "torch.tensor(np.array(grown)).float()",
    "torch.from_numpy(np.array(mapped).astype(np.float32))", "torch.from_numpy(np.array(sys.argv[1:4]))",
    "torch.from_numpy(np.array([value * one for one in unknown]))", "torch.from_numpy(value * unknown)",
])  # fmt: skip
def test_floats_that_torch_takes_are_of_the_default_dtype(given: str, tmp_path: Path) -> None:
    script = "from other import unknown\n" + READ.format(given=given)
    assert not lint_files(tmp_path / "judged", {"script.py": script}, torch="2.13")
