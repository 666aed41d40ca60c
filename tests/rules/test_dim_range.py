"""AOTI303: sizes that custom ops give for the sizes in the range of a `Dim`."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options
from tests.judging import lint_files

PROGRAM = """
import torch
@torch.library.custom_op("m::op", mutates_args=())
def op(x: torch.Tensor, n: int = 2) -> torch.Tensor:
    return x.new_zeros(({size}, x.shape[1]))
@op.register_fake
def _(x, n=2):
    return x.new_empty(({size}, x.shape[1]))
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(8, 8)
    def forward(self, x):
        {before}
        return {call} + 1
program = torch.export.export(Net(), (torch.randn(24, 8),), dynamic_shapes={{"x": {{0: {dim}}}}})
"""
# The size of the output, what happens to the input before the op, its call, the Dim.
REFUSED = [
    ("x.shape[0] // 2", "pass", "op(x)", 'torch.export.Dim("b")'),
    ("x.shape[0] // 2", "x = self.inner(x).relu()", "torch.ops.m.op(x)", 'torch.export.Dim("b", min=2, max=64)'),
    ("x.shape[0] // n", "pass", "op(x, 4)", 'torch.export.Dim("b", min=4)'),
    ("x.shape[0] - 1", "x = x * 2", "op(x)", 'torch.export.Dim("b", min=1, max=64)'),
    ("x.shape[0] % 4", "pass", "op(x)", 'torch.export.Dim("b", min=16, max=64)'),
]
FINE = [
    ("x.shape[0] // 2", "pass", "op(x)", 'torch.export.Dim("b", min=4, max=64)'),
    ("x.shape[0] // n", "pass", "op(x, 4)", 'torch.export.Dim("b", min=8)'),
    ("x.shape[0] // n", "pass", "op(x, 1)", 'torch.export.Dim("b")'),
    ("x.shape[0] // 2 * 2", "pass", "op(x)", 'torch.export.Dim("b")'),
    ("x.shape[0] + 1", "pass", "op(x)", 'torch.export.Dim("b")'),
    ("torch.sym_max(x.shape[0] // 4, 2)", "pass", "op(x)", 'torch.export.Dim("b")'),
    ("x.shape[0] // 2", "x = torch.cat([x, x])", "op(x)", 'torch.export.Dim("b")'),
    ("x.shape[0] // 2", "pass", "op(x)", "torch.export.Dim.AUTO"),
    ("x.shape[0] // 2", "pass", "op(x)", "None"),
    ("x.shape[0] // 2", "x = x.t()", "op(x)", 'torch.export.Dim("b")'),
]


def found(folder: Path, size: str, before: str, call: str, dim: str) -> list[str]:
    text = PROGRAM.format(size=size, before=before, call=call, dim=dim)
    return [
        item.code
        for item in lint_files(folder / "judged", {"script.py": text}, torch="2.13")
        if item.severity != "info"
    ]


@pytest.mark.parametrize(("size", "before", "call", "dim"), REFUSED)
def test_refused(size: str, before: str, call: str, dim: str, tmp_path: Path) -> None:
    assert found(tmp_path, size, before, call, dim) == ["AOTI303"]


@pytest.mark.parametrize(("size", "before", "call", "dim"), FINE)
def test_fine(size: str, before: str, call: str, dim: str, tmp_path: Path) -> None:
    assert found(tmp_path, size, before, call, dim) == []


def test_what_to_write_instead(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    text = PROGRAM.format(size="x.shape[0] // 2", before="pass", call="op(x)", dim='torch.export.Dim("b")')
    script.write_text(text, encoding="utf-8")
    document = check(Options([str(script)], Config(), cache=False, torch_version="2.13")).document
    (item,) = document["diagnostics"]
    assert 'Dim("b", min=4)' in item["help"]


@pytest.mark.parametrize(("size", "before", "call", "dim"), [*REFUSED, *FINE])
def test_torch_agrees(size: str, before: str, call: str, dim: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    text = PROGRAM.format(size=size, before=before, call=call, dim=dim).replace("m::op", f"m{tmp_path.name}::op")
    text = text.replace("torch.ops.m.op", f"torch.ops.m{tmp_path.name}.op")
    refused = (size, before, call, dim) in REFUSED
    expected = pytest.raises(torch._dynamo.exc.UserError, match="Constraints violated") if refused else nullcontext()
    with expected:
        exec(compile(text, "script.py", "exec"), {})
