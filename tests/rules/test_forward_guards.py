"""AOTI320 to AOTI324: what the forward of an exported model asks of sizes that are declared dynamic.

What torch 2.13 does with each was seen by exporting it (a few of `FINE` are joined from two that were): those of
`FIXED` raise, or become static with `Dim.AUTO`; those of `FINE` keep the dimension.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options
from tests.judging import lint_files

PROGRAM = """
import math
import torch
import torch.nn.functional as F
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(8, 8)
        self.flat = torch.nn.Linear(48, 3)
        self.row = torch.nn.Parameter(torch.zeros(1, 8))
        self.register_buffer("rows", torch.ones(6, 8))
    def forward(self, x):
        {body}
torch.export.export(Net(), (torch.randn(6, 8),), dynamic_shapes=({{0: {dim}}},){more})
"""
NAMED, DYNAMIC, AUTO = 'torch.export.Dim("b")', "torch.export.Dim.DYNAMIC", "torch.export.Dim.AUTO"
FIXED = [
    ("AOTI320", "return x / float(x.shape[0])"),
    ("AOTI320", "n = len(x); return x + 1"),
    ("AOTI320", "return x * math.sqrt(x.shape[0])"),
    ("AOTI320", "s = '%d' % x.shape[0]; return x + 1"),
    ("AOTI320", "return torch.stack([r + 1 for r in x])"),
    ("AOTI320", "return sum(x.unbind(0))"),
    ("AOTI320", "return sum(torch.split(x, 1))"),
    ("AOTI315", "torch._check(x.shape[0] == 6); return x + 1"),
    ("AOTI321", "return x + torch.full((6, 1), 2.0)"),
    ("AOTI321", "return torch.stack([x, torch.ones(6, 8)], 1)"),
    ("AOTI321", "return torch.where(x > 0, x, self.rows)"),
    ("AOTI321", "return torch.ones(3, 6) @ x"),
    ("AOTI321", "return self.flat(x.flatten())"),
    ("AOTI323", "return x.view(6, 8) + 1"),
    ("AOTI323", "return x.view(6, -1) + 1"),
    ("AOTI324", "return x + 1 if x.shape[0] == 6 else x + 2"),
    ("AOTI324", "return x.split(5, 0)[0]"),
]
RANGES = [
    ("AOTI323", "return x.view(x.shape[0] // 2, 2, 8) + 1"),
    ("AOTI323", "return x.view(-1, 3) + 1"),
    ("AOTI323", "return x.view(2, -1) + 1"),
    ("AOTI323", "return x.view(x.shape[1], -1) + 1"),
    ("AOTI324", "return x + 1 if x.shape[0] < 100 else x + 2"),
    ("AOTI324", "assert x.shape[0] % 2 == 0; return x + 1"),
    ("AOTI324", "a, b = x.split(3, 0); return a, b"),
    ("AOTI324", "return torch.cat(torch.split(x, 9, dim=0), 1)"),
]
"""What a named Dim does not promise; the hints find the range themselves."""
FINE = [
    "return x.view(x.size(0), -1) + 1",
    "return x.reshape(x.shape[0] * 2, 4) + 1",
    "b, c = x.shape; return x.reshape(b, 2, c // 2).transpose(1, 2).reshape(b, c)",
    "return x.unflatten(1, (2, 4)).sum(-1)",
    "return x.view(-1, 2, 4) + 1",
    "return x.T.reshape(4, -1) + 1",
    "return torch.cat([x, self.rows], 0)",
    "return torch.ones(1, 8).expand(x.shape[0], 8) + x + self.row",
    "return torch.arange(x.shape[0])[:, None] + x",
    "m = torch.ones(x.shape[0], x.shape[0]).tril(); return m @ x",
    "assert x.dim() == 2 and x.shape[1] == 8; assert x.shape[0] > 0; return x + 1",
    "return x + 1 if x.shape[0] > 1 else x",
    "return x + 1 if x.shape[0] else x",
    "return x * math.ceil(x.shape[0] / 4) * max(x.shape[0], 4)",
    "return x.T @ x + torch.ones(8, 8)",
    "return x - x.mean(0, keepdim=True)",
    "s = f'{x.shape[0]}'; return self.linear(x).relu()",
]


def found(folder: Path, body: str, dim: str, more: str = "") -> list[tuple[str, str]]:
    text = PROGRAM.format(body=body, dim=dim, more=more)
    return [
        (item.code, item.severity)
        for item in lint_files(folder / "judged", {"script.py": text}, torch="2.13")
        if item.severity != "info"
    ]


@pytest.mark.parametrize(("code", "body"), FIXED)
def test_a_size_is_fixed(tmp_path: Path, code: str, body: str) -> None:
    assert found(tmp_path / "named", body, NAMED) == [(code, "error")]
    assert found(tmp_path / "hint", body, DYNAMIC) == [(code, "error")]
    assert found(tmp_path / "auto", body, AUTO) == [(code, "warning")]


def test_comparisons_that_leave_one_size(tmp_path: Path) -> None:
    """A named `Dim` is refused for the first of them already."""
    body = "return x if x.shape[0] > 6 else x * 2 if x.shape[0] < 6 else x * 3"
    assert found(tmp_path / "named", body, NAMED) == [("AOTI324", "warning")]
    assert found(tmp_path / "hint", body, DYNAMIC) == [("AOTI324", "error")]
    assert found(tmp_path / "auto", body, AUTO) == [("AOTI324", "warning")]
    assert not found(tmp_path / "one", "return x if x.shape[0] > 6 else x * 2", DYNAMIC)


@pytest.mark.parametrize(("code", "body"), RANGES)
def test_a_range_is_refused(tmp_path: Path, code: str, body: str) -> None:
    assert found(tmp_path / "named", body, NAMED) == [(code, "warning")]
    assert not found(tmp_path / "hint", body, DYNAMIC)
    assert not found(tmp_path / "auto", body, AUTO)


@pytest.mark.parametrize("body", FINE)
def test_sizes_stay_open(tmp_path: Path, body: str) -> None:
    assert not found(tmp_path, body, NAMED)


COLUMNS = """
import torch
class Net(torch.nn.Module):
    def forward(self, x):
        {body}
torch.export.export(Net(), (torch.randn(6, {columns}, 4),), dynamic_shapes=({{1: {dim}}},), strict={strict})
"""


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    ("body", "columns", "fixed"),
    [
        ("return x[:, :3] * 2", 3, True),
        ("return x[:, :3] * 2", 4, False),
        ("return x[:, -3:] * 2", 3, True),
        ("return torch.relu(x[:, 1:])", 2, True),
        ("return torch.relu(x[:, 1:])", 3, False),
        ("return x[:, :-2] * 2", 3, True),
        ("return x[:, ::2] * 2", 2, True),
        ("return x[:, ::2] * 2", 3, False),
        ("return x[:, 1:].logsumexp(2)", 2, True),
    ],
)
def test_slices_that_leave_one_index_or_all_of_them(
    tmp_path: Path, body: str, columns: int, fixed: bool, strict: bool
) -> None:
    text = COLUMNS.format(body=body, columns=columns, dim=DYNAMIC, strict=strict)
    said = [item.code for item in lint_files(tmp_path / "judged", {"script.py": text}, torch="2.13")]
    assert said == ["AOTI315"] * fixed


@pytest.mark.parametrize("strict", [True, False])
def test_a_slice_that_nothing_works_on(tmp_path: Path, strict: bool) -> None:
    text = COLUMNS.format(body="return x[:, :3]", columns=3, dim=NAMED, strict=strict)
    said = [item.code for item in lint_files(tmp_path / "judged", {"script.py": text}, torch="2.13")]
    assert said == ["AOTI315"] * (not strict)


@pytest.mark.parametrize(
    ("dim", "advised"),
    [
        ('Dim("b", min=2, max=1024)', 'Dim("b", min=2, max=99)'),
        ('Dim("b", max=50)', None),
        ('Dim("b")', 'Dim("b", max=99)'),
    ],
)
def test_the_dim_that_is_advised_keeps_the_end_that_was_right(tmp_path: Path, dim: str, advised: str | None) -> None:
    body = "torch._check(x.shape[0] < 100); return x + 1"
    script = tmp_path / "script.py"
    script.write_text(PROGRAM.format(body=body, dim=f"torch.export.{dim}", more=""), encoding="utf-8")
    document = check(Options([str(script)], Config(), cache=False, torch_version="2.13", pedantic=True)).document
    helps = [one["help"] for one in document["diagnostics"] if one["code"] == "AOTI315"]
    assert helps == ([] if advised is None else [f"write {advised}, or Dim.AUTO, which finds the range"])


def test_parts_have_sizes(tmp_path: Path) -> None:
    body = "a, b = x.split(3, 0); return a + b"
    assert found(tmp_path / "hint", body, DYNAMIC) == [("AOTI321", "error")]
    assert found(tmp_path / "range", body, 'torch.export.Dim("b", min=4, max=6)') == [("AOTI321", "error")]
    assert not found(tmp_path / "one", "return x.split(9)[0] + 1", 'torch.export.Dim("b", max=9)')


def test_a_size_stands_first_in_what_is_asked(tmp_path: Path) -> None:
    text = PROGRAM.format(body="torch._check(6 == x.shape[0]); return x + 1", dim=AUTO, more="")
    (one,) = lint_files(tmp_path / "judged", {"script.py": text}, torch="2.13")
    assert one.message.startswith("this needs x.shape[0] == 6")
    assert one.outcome == "silently wrong"


def test_strict_traces_int(tmp_path: Path) -> None:
    assert not found(tmp_path, "return x * int(x.shape[0]) * len(x)", NAMED, ", strict=True")


@pytest.mark.parametrize("made", ["x[1:]", "torch.nn.functional.avg_pool1d(x.t(), 2, 1)"])
def test_strict_asks_for_a_part_only_where_something_works_on_it(tmp_path: Path, made: str) -> None:
    """Run on torch 2.13."""
    bounds = ["AOTI315"]
    for name, used, more, expected in [
        ("returned", "{}", "", bounds),
        ("strict", "{}", ", strict=True", []),
        ("strict-reduced", "{}.softmax(0)", ", strict=True", []),
        ("strict-used", "{}.relu()", ", strict=True", bounds),
    ]:
        codes = [code for code, _ in found(tmp_path / name, f"return {used.format(made)}", NAMED, more)]
        assert codes == expected, name


def test_all_dimensions_auto_is_a_question(tmp_path: Path) -> None:
    """`Dim.AUTO` for every dimension asks what can be dynamic."""
    assert not found(tmp_path, "return self.linear(x) + self.rows", f"{AUTO}, 1: {AUTO}")


PATCHES = """
import torch
class Net(torch.nn.Module):
    def forward(self, x):
        b, c, h, w = x.shape
        return x.view({sizes}) * 2
h, w = torch.export.Dim("h", min=32, max=512), torch.export.Dim("w", min=32, max=512)
torch.export.export(Net(), (torch.randn(2, 3, 64, 96),), dynamic_shapes={{"x": {{2: h, 3: w}}}})
"""
OF_TWO = {
    "b, c, h // 16, 16, w // 16, 16": [
        "this does not fit for x.shape[2] = 34",
        "this does not fit for x.shape[3] = 34",
    ],
    "b, c, h // 2, 2, w": ["this does not fit for x.shape[2] = 33"],
    "b, c, h, w // 2, 2": ["this does not fit for x.shape[3] = 33"],
    "b, c, h * w // 6, 6": [],
    "b, c, (h // 16) * (w // 16), 256": [],
    "b, c, 64 * 96": [],
    "b, c, -1, 16": [],
    "b, c, w, h": [],
}
"""What torch asks of two sizes together it refuses for no named `Dim`: each was exported on torch 2.13."""


@pytest.mark.parametrize("sizes", OF_TWO)
def test_two_sizes_of_one_tensor(tmp_path: Path, sizes: str) -> None:
    found = lint_files(tmp_path / "run", {"net.py": PATCHES.format(sizes=sizes)}, torch="2.13")
    assert {one.message.split(":")[0] for one in found} <= set(OF_TWO[sizes])
    assert bool(found) == bool(OF_TWO[sizes])
