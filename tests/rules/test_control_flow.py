"""AOTI342: what torch.cond, while_loop, map, scan and associative_scan are given. Each case was run on torch 2.13."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """import torch
from torch._higher_order_ops import while_loop, map as mapped
from torch._higher_order_ops.associative_scan import associative_scan
from torch._higher_order_ops.scan import scan
from functools import partial
from parts import added, Loop, Pair, less, more, row, rows, running, twice

def first(x, *rest):
    return x + 1

def second(x, *rest):
    return x - 1

class Net(torch.nn.Module):
    def forward(self, x):
        steps = torch.tensor(0)
        return {body}
"""
EXPORT = "torch.export.export(Net(), (torch.randn(4, 4),){more})\n"
CALL = "Net()(torch.randn(4, 4))\n"
PARTS = """from functools import wraps
import torch

class Loop:
    def __init__(self, limit):
        self.limit = limit
    def goes_on(self, i, x):
        return i < self.limit
    def keeps(self, i, x):
        return i + 1, x
    def doubles(self, i, x):
        return i + 1, x * 2
    def narrows(self, i, x):
        return i + 1, (x * 2)[:2]

class Pair(torch.nn.Module):
    def forward(self, x, y):
        return x + y

def of_one(function):
    @wraps(function)
    def called(x):
        return function(x, x)
    return called

@of_one
def added(x, y):
    return x + y

def row(x):
    y, = x
    return y * 2
def rows(x):
    (a, b, *rest), first = x, 1
    a, b, c, d = x
    return a * 2 + b
def less(i, x):
    return i < 3
def more(i, x):
    return i + 1, x + 1
def twice(x):
    return x.mul_(2) + 0
def running(total, row):
    total = total + row
    return total, total
"""
NOT_STRICT = [
    "torch.cond(x > 0, first, second, (x,))", "torch.cond(x.sum(0) > 0, first, second, (x,))",
    "torch.cond((x > 0).any(1, keepdim=True), first, second, (x,))", "torch.cond(x.sum() > 0, first, second, (x, 0.5))",
    "torch.cond(x.sum() > 0, first, second, (x, None))", "torch.cond(x.sum() > 0, first, second, (x, 'mean'))",
    "torch.cond(x.sum() > 0, first, second, (x, self.training))",
]  # fmt: skip
ALWAYS = [
    "torch.cond(x.sum() > 0, first, second, x)", "torch.cond(x.sum() > 0, first(x), second(x), (x,))",
    "torch.cond(x.sum() > 0, first, second, {'x': x})", "torch.cond(x.sum() > 0, first, None, (x,))",
    "while_loop(less, lambda i, x: (i + 1, x), (steps, x))",
    "while_loop(less, lambda i, x: (i + 1, x.t()), (steps, x))",
    "while_loop(less, lambda i, x: (i + 1, x.double()), (steps, x))",
    "while_loop(less, lambda i, x: i + 1, (steps, x))",
    "while_loop(less, lambda i, x: (i + 1, x[:2] * 2), (steps, x))",
    "while_loop(lambda i, x: x < 3, more, (steps, x))", "while_loop(less, more, (torch.tensor([0]), x))",
    "while_loop(lambda x: x.sum() < 3, first, x)", "while_loop(Loop(3).goes_on, Loop(3).keeps, (steps, x))",
    "while_loop(less, Loop(3).narrows, (steps, x))",
    "while_loop(less, lambda i, x: (i.add_(1).clone(), x * 2), (steps, x))", "mapped(lambda row: row, x)",
    "mapped(lambda row: row.view(2, 2), x)", "mapped(twice, x)", "mapped(first, 3)",
    "associative_scan(lambda a, b: a + b, x, 0)", "associative_scan(torch.add, x, 0, combine_mode='pointwise')",
    "associative_scan(torch.add, x, 0, combine_mode='serial')",
    "scan(running, x[0], x)",
    "scan(lambda c, row: (c, c + row), x[0], x)", "scan(lambda c, row: (c + 1, row), x[0], x)",
    "scan(lambda c, row: (lambda y: (y, y.view(-1)))(c + row), x[0] * 1, x, dim=1, reverse=True)",
    "scan(lambda c, row: ((c + row).double(), row * 2), x[0] * 1, x)",
    "scan(lambda c, row: ((c + row)[:2], row * 2), x[0] * 1, x)",
    "scan(lambda c, row: (c.add_(1) * 2, row * 2), x[0] * 1, x)",
    "scan(lambda c, row: (c + row, row * 2, row * 3), x[0] * 1, x)",
    "scan(lambda c, row: ([c[0] + row], row * 2), (x[0] * 1, x[1] * 1), x)",
    "torch.cond(x.sum() > 0, lambda a, b: a + 1, lambda a, b: a - 1, (x,))",
    "torch.cond(x.sum() > 0, lambda: x + 1, lambda: x - 1, (x,))",
    "torch.cond(x.sum() > 0, first, lambda: x - 1, [x])", "torch.cond(x.sum() > 0, first, Pair(), (x,))",
    "torch.cond(x.sum() > 0, torch.nn.ReLU(), second, (x, x))", "torch.cond(x.sum() > 0, first, second, None)",
    "torch.cond(x.sum() > 0, first, second, 3)", "torch.cond(x.sum() > 0, first, second, {x})",
    "torch.cond(x.sum() > 0, first, second, (y for y in [x]))",
    "torch.cond(x.sum() > 0, partial(Pair().forward), second, (x,))", "torch.cond(x.sum() > 0, row, row, (x,))",
    "torch.cond(x.sum() > 0, lambda a, *, b: a + 1, second, (x,))", "torch.cond(x.sum() > 0, first, row, (x,))",
    "while_loop(lambda i: i < 2, more, (steps, x))", "while_loop(less, lambda i: (i + 1,), (steps, x))",
    "torch.ops.higher_order.while_loop(less, more, (steps, x), (x * 2,))", "mapped(Pair(), x)",
    "scan(twice, x[0] * 1, x)", "while_loop(lambda i: i < 2, lambda i: (i + 1,), 3)",
]  # fmt: skip
FINE = [
    "torch.cond(x.sum(0, keepdim=True).sum(1, keepdim=True) > 0, first, second, (x,))",
    "torch.cond(x.sum(), first, second, (x,))", "torch.cond(x.sum() > 0, first, second, [x])",
    "torch.cond(x.sum() > 0, lambda x, n: x + n['a'], lambda x, n: x - n['a'], (x, {'a': x}))",
    "torch.cond(True, first, None, (x,))", "torch.cond(True, first, second, (x, 0.5))",
    "torch.cond((x > 0).any(), first, second, (x,))", "while_loop(less, more, (steps, x))",
    "while_loop(less, lambda i, x: [i + 1, x * 2], (steps, x))", "while_loop(less, more, (0, x))",
    "while_loop(lambda x: x.sum() < 3, lambda x: x + 1, (x,))",
    "while_loop(lambda i: i < 3, lambda i: (i + 1,), (steps,))",
    "while_loop(Loop(3).goes_on, Loop(3).doubles, (steps, x))", "mapped(first, x)",
    "scan(lambda c, row: (c + row, c * row), x[0] * 1, x)", "scan(lambda c, row: (c + row, row.sum()), x[0], x, dim=1)",
    "scan(lambda c, row: (lambda y: (y, y.clone()))(c + row), x[0], x)",
    "scan(lambda c, row: ([c[0] + row, c[1] * 2], row * 2), [x[0] * 1, steps], x)",
    "while_loop(less, lambda i, s: (i + 1, (x @ x).abs().sum()), (steps, torch.zeros(())))",
    "torch.cond(x.sum() > 0, lambda: x + 1, lambda: x - 1)", "torch.cond(x.sum() > 0, Pair(), torch.mul, (x, x))",
    "torch.cond(x.sum() > 0, lambda a, b=1: a + b, lambda *a: a[0] - 1, (x,))",
    "torch.cond(x.sum() > 0, partial(Pair(), x), partial(Pair().forward, y=x), (x,))",
    "torch.cond(x.sum() > 0, lambda x: rows(x.clone()), lambda x: x[0] * 2, (x,))",
    "torch.cond(x.sum() > 0, lambda x: row(x[:1] * 1), lambda x: x[0] * 2, (x,))",
    "torch.cond(x.sum() > 0, torch.nn.ReLU(), second, (x,))", "mapped(lambda row, y: row + y, x, x * 2)",
    "torch.cond(True, first, lambda: x - 1, (x,))", "torch.cond(x.sum() > 0, added, second, (x,))",
    "torch.ops.higher_order.while_loop(lambda i, x, y: i < 3, lambda i, x, y: (i + 1, x * y), (steps, x), (x * 2,))",
    "mapped(lambda row: twice(row.clone()), x)", "associative_scan(torch.add, x, 0, combine_mode='generic')",
]  # fmt: skip


def said(folder: Path, body: str, run: str) -> list[str]:
    files = {"net.py": HEAD.format(body=body) + run, "parts.py": PARTS}
    return [item.code for item in lint_files(folder, files, torch="2.13")]


@pytest.mark.parametrize("body", [*NOT_STRICT, *ALWAYS, *FINE])
def test_said(body: str, tmp_path: Path) -> None:
    wrong = ["AOTI342"] * (body not in FINE)
    assert said(tmp_path / "exported", body, EXPORT.format(more="")) == wrong
    assert said(tmp_path / "called", body, CALL) == wrong


@pytest.mark.parametrize(("body", "wrong"), [*((body, 0) for body in NOT_STRICT), *((body, 1) for body in ALWAYS)])
def test_of_a_strict_export(body: str, wrong: int, tmp_path: Path) -> None:
    assert said(tmp_path / "strict", body, EXPORT.format(more=", strict=True")) == ["AOTI342"] * wrong


def test_what_is_caught_is_not_told(tmp_path: Path) -> None:
    for number, body in enumerate((NOT_STRICT[0], ALWAYS[4])):
        run = f"try:\n    {EXPORT.format(more='').strip()}\nexcept RuntimeError:\n    pass\n"
        assert said(tmp_path / str(number), body, run) == []


def test_a_loop_may_change_what_it_is_given_without_autograd(tmp_path: Path) -> None:
    body = "while_loop(less, lambda i, x: (i.add_(1).clone(), x * 2), (steps, x))"
    assert said(tmp_path / "run", body, f"with torch.no_grad():\n    {EXPORT.format(more='')}") == []


@pytest.mark.parametrize(("around", "wrong"), [("torch.no_grad()", 1), ("torch.autocast('cpu')", 0)])
def test_a_product_has_a_dtype_where_no_autocast_changes_it(around: str, wrong: int, tmp_path: Path) -> None:
    body = "while_loop(less, lambda i, s: (i + 1, (x @ x)[0]), (steps, torch.zeros(4, dtype=torch.int64)))"
    assert said(tmp_path / "run", body, f"with {around}:\n    {EXPORT.format(more='')}") == ["AOTI342"] * wrong


TWICE = {
    "while_loop(less, lambda i, z: (i + 1, z + x), (steps, x))": True,
    "while_loop(less, lambda i, z: (i + 1, z + x.view(4, 4)), (steps, x))": True,
    "while_loop(lambda i, z: z.sum() < x.sum() * 3, more, (steps, x))": True,
    "while_loop(lambda i, *_: i < 3, lambda i, a, b: (i + 1, a * 2, b + 1), (steps, x, x))": True,
    "while_loop(less, lambda i, z: (i + 1, z + G), (steps, G))": True,
    "while_loop(less, lambda i, z: (i + steps, z * 2), (steps, x))": True,
    "torch.ops.higher_order.while_loop(lambda i, x, y: i < 3, lambda i, x, y: (i + 1, x * y), (steps, x), (x,))": True,
    "scan(lambda c, row: (c + row + s, row * 2), s, x)": True,
    "scan(lambda c, row: ([c[0] + row, c[1] * row], row * 2), [s, s], x)": True,
    "while_loop(less, lambda i, z: (i + 1, z + x.abs()), (steps, x.clone()))": False,
    "while_loop(less, lambda i, z: (i + 1, z + z), (steps, x))": False,
    "while_loop(less, lambda i, z: (i + 1, z + x.shape[0]), (steps, x * 1))": False,
    "while_loop(less, lambda i, z: (i + 1, z + x if steps is None else z * 2), (steps, x))": False,
    "scan(lambda c, row: (c + row + x[0], row * 2), s, x)": False,
    "torch.cond(x.sum() > 0, lambda a, b: a + b + x, lambda a, b: a - b, (x, x))": False,
}
VIEWS = {
    "torch.cond(x.sum() > 0, lambda a, b: a + b, lambda a, b: a - b, (x[0], x[1]))": "now",
    "torch.cond(x.sum() > 0, lambda a, b: a + b, lambda a, b: a - b, x.chunk(2))": "now",
    "torch.cond(x.sum() > 0, lambda a: a + x, lambda a: a - 1, (x.t(),))": "now",
    "torch.cond(x.sum() > 0, lambda a, b: a + 1, lambda a, b: b - 1, (x[0], x[1]))": "late",
    "torch.cond(x.sum() > 0, lambda a, b: a + 1, lambda a, b: a - 1, (x[0], x[1]))": "",
    "torch.cond(x.sum() > 0, lambda a, b: a + b, lambda a, b: a - b, (x[0], x[1].clone()))": "",
    "torch.cond(x.sum() > 0, lambda a, b: a + b, lambda a, b: a - b, (x, x.contiguous() * 1))": "",
    "while_loop(lambda i, *_: i < 3, lambda i, a, b: (i + 1, a * 2, b + 1), (steps, *x.chunk(2)))": "late",
    "while_loop(less, lambda i, a: (i + 1, a + x[1]), (steps, x[0]))": "late",
    "while_loop(less, lambda i, a: (i + 1, a + x[1]), (steps, x[0] * 1))": "",
    "scan(lambda c, row: (c + row, row * 2), x[0], x)": "",
    "mapped(lambda row, z: row + z, x, x[0])": "now",
    "mapped(lambda row, z: row + z, x, x[0].clone())": "",
}
ANEW = {
    EXPORT.format(more="").replace("torch.export", "program = torch.export", 1) + "program.run_decompositions()": True,
    EXPORT.format(more="").replace("torch.export", "program = torch.export", 1)
    + "torch._inductor.aoti_compile_and_package(program)": True,
    "torch.onnx.export(Net(), (torch.randn(4, 4),), dynamo=True)": True,
    "torch.compile(Net())(torch.randn(4, 4))": True,
    "torch.compile(Net(), backend='aot_eager')(torch.randn(4, 4))": True,
    "torch.compile(Net(), backend='eager')(torch.randn(4, 4))": False,
    EXPORT.format(more=""): False,
    CALL: False,
}


@pytest.mark.parametrize(("run", "raises"), ANEW.items(), ids=map(str, range(len(ANEW))))
def test_one_tensor_in_two_places(run: str, raises: bool, tmp_path: Path) -> None:
    head = HEAD.replace("class Net", "G = torch.ones(4, 4)\nclass Net")
    head = head.replace("torch.tensor(0)\n", "torch.tensor(0)\n        s = x.sum(0)\n")
    for number, (body, wrong) in enumerate(TWICE.items()):
        files = {"net.py": head.format(body=body) + run, "parts.py": PARTS}
        found = [item.code for item in lint_files(tmp_path / f"run{number}", files, torch="2.13")]
        assert found == ["AOTI343"] * (wrong and raises), body


@pytest.mark.parametrize(
    "run", [EXPORT.format(more=""), CALL, "torch.compile(Net(), backend='eager')(torch.ones(4, 4))"]
)
def test_a_map_is_traced_anew_where_it_is_called(run: str, tmp_path: Path) -> None:
    for number, body in enumerate(("mapped(lambda row: row + x[0], x)", "mapped(lambda row, y: row + y[0], x, x)")):
        assert said(tmp_path / f"run{number}", body, run) == ["AOTI342"]


@pytest.mark.parametrize(("body", "when"), VIEWS.items(), ids=map(str, range(len(VIEWS))))
def test_two_views_of_one_tensor(body: str, when: str, tmp_path: Path) -> None:
    export = EXPORT.format(more="").replace("torch.export", "program = torch.export", 1)
    script = export + "program.run_decompositions()\n"
    assert said(tmp_path / "run", body, script) == {"now": ["AOTI342"], "late": ["AOTI343"], "": []}[when]
    if body.startswith("torch.cond"):
        unfollowed = f"with torch.no_grad():\n    {export}program.run_decompositions()\n"
        assert said(tmp_path / "unfollowed", body, unfollowed) == ["AOTI343"] * bool(when)
