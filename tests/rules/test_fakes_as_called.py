"""How many dimensions and which dtypes arguments have, nobody says but the calls of the op."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options
from tests.judging import lint_files

PROGRAM = """
import pytest
import torch

@torch.library.custom_op("lib::op", mutates_args=())
def op({parameters}) -> torch.Tensor:
    {kernel}

@op.register_fake
def _({names}):
    {fake}

{calls}
"""
FLAT, WIDE = "op(torch.zeros(4))", "torch.ops.lib.op(torch.zeros(4, 8))"
EXPORTED = """
class M(torch.nn.Module):
    def forward(self, x):
        return op(x)

torch.export.export(M(), (torch.zeros(4, 8),))
"""
INDEX = "torch.zeros(4, 8, dtype=torch.int64)"


def found(folder: Path, parameters: str, fake: str, kernel: str, calls: str) -> list[str]:
    """What is said of the fake, advice too."""
    names = ", ".join(one.split(":")[0] for one in parameters.split(", "))
    text = PROGRAM.format(parameters=parameters, names=names, fake=fake, kernel=kernel, calls=calls)
    said = lint_files(folder, {"ops.py": text}, None, "2.13", "--pedantic")
    return [one.code for one in said if one.code in ("AOTI404", "AOTI405") and one.severity == "warning"]


@pytest.mark.parametrize(
    ("calls", "codes"),
    [
        ("", []),
        (FLAT, []),
        (WIDE, ["AOTI404"]),
        (f"{FLAT}\n{WIDE}", ["AOTI404"]),
        (EXPORTED, ["AOTI404"]),
        ("op(unknown)", []),
        ("op(*unknown)", []),
        ("op(x=torch.zeros(4, 8))", ["AOTI404"]),
        ("def run():\n    op(torch.zeros(4, 8))\n\nrun()", ["AOTI404"]),
        (f"with pytest.raises(RuntimeError):\n    {WIDE}", []),
    ],
)
def test_the_calls_say_how_many_dimensions(calls: str, codes: list[str], tmp_path: Path) -> None:
    assert found(tmp_path / "run", "x: torch.Tensor", "return x.new_empty(x.shape[0])", "return x * 2", calls) == codes


@pytest.mark.parametrize(
    ("call", "codes"),
    [
        (f"op(torch.zeros(4, 8), {INDEX})", ["AOTI405"]),
        ("op(torch.zeros(4, 8), torch.zeros(4, 8))", []),
        (f"op({INDEX}, {INDEX})", []),
        (f"op({INDEX}, unknown)", []),
        (f"op(torch.zeros(4, 8, dtype=unknown), {INDEX})", []),
        ("", []),
    ],
)
def test_the_calls_say_whether_two_dtypes_are_one(call: str, codes: list[str], tmp_path: Path) -> None:
    fake = "return torch.empty_like(y)"
    assert found(tmp_path / "run", "x: torch.Tensor, y: torch.Tensor", fake, "return x * 2", call) == codes


@pytest.mark.parametrize(
    ("call", "codes"),
    [
        ("op(torch.zeros(4), None)", []),
        ("op(torch.zeros(4))", []),
        ("op(torch.zeros(4), torch.zeros(4))", []),
        ("op(torch.zeros(4), torch.zeros(8, 4))", ["AOTI404"]),
        ("op(torch.zeros(4), unknown)", []),
        ("op(torch.zeros(8, 4), *unknown)", []),
    ],
)
def test_what_is_not_given_is_none(call: str, codes: list[str], tmp_path: Path) -> None:
    fake = "return x.new_empty(x.shape[:1])"
    kernel = "return x * 2 if y is None else x * y"
    assert found(tmp_path / "run", "x: torch.Tensor, y: torch.Tensor | None = None", fake, kernel, call) == codes


def test_the_tensors_of_a_list(tmp_path: Path) -> None:
    fake, kernel = "return xs[0].new_empty(xs[0].shape[0])", "return xs[0] * 2"
    wide = "op([torch.zeros(4, 8), torch.zeros(4, 8)])"
    assert found(tmp_path / "wide", "xs: list[torch.Tensor]", fake, kernel, wide) == ["AOTI404"]
    assert found(tmp_path / "flat", "xs: list[torch.Tensor]", fake, kernel, wide.replace(", 8", "")) == []
    assert found(tmp_path / "mixed", "xs: list[torch.Tensor]", fake, kernel, "op([torch.zeros(4), *rest])") == []


def test_the_help_names_the_sizes_of_both_ends(tmp_path: Path) -> None:
    script = tmp_path / "ops.py"
    script.write_text(
        PROGRAM.format(
            parameters="x: torch.Tensor, y: torch.Tensor",
            names="x, y",
            fake="return x.new_empty(x.shape[0], 3)",
            kernel="return x.new_zeros(x.shape[0], 3, y.shape[0])",
            calls="",
        ),
        encoding="utf-8",
    )
    document = check(Options([str(script)], Config(), cache=False, select=["AOTI404"])).document
    (said,) = document["diagnostics"]
    real = "(x.shape[0], 3, y.shape[0])"
    assert said["help"] == f"calculate the size as the kernel does: {real}"
    assert said["label"] == f"(x.shape[0], 3), and the kernel {real}"
    assert [one["message"] for one in said["related"]] == [f"the kernel gives {real}"]


SIZED = """import torch
from math import ceil

@torch.library.custom_op("lib::op", mutates_args=())
def op(x: torch.Tensor, n: int) -> torch.Tensor:
    b, t, d = x.shape
    return {kernel}

@op.register_fake
def _(x, n):
    b, t, d = x.shape
    return torch.empty_strided({fake}, torch.empty({fake}).stride())

x = torch.zeros(2, 40, 6)
if {strict}:
    from torch._subclasses.fake_tensor import FakeTensorMode
    with FakeTensorMode() as mode:
        said = op(mode.from_tensor(x), {n}).shape
    assert said == op(x, {n}).shape, (said, op(x, {n}).shape)
op(x, {n})
"""
OF_NUMBERS = [
    ("x[:, ::n].clone()", "x.shape", 4), ("x[:, ::n].clone()", "x.shape", 1), ("x[:, :n].clone()", "x.shape", 7),
    ("x[:, :n].clone()", "x.shape", 50), ("x[:, ::n].clone()", "(b, ceil(t / n), d)", 7),
    ("x[:, n:].clone()", "(b, t - n, d)", 3), ("x[:, n:].clone()", "(b, max(t - n, 0), d)", 39),
    ("x.repeat_interleave(n, dim=1)", "(b, t * n, d)", 3), ("x.repeat_interleave(n, dim=1)", "x.shape", 3),
    ("torch.nn.functional.avg_pool1d(x, n)", "(b, t, d // n)", 3),
    ("torch.nn.functional.avg_pool1d(x, n)", "(b, t, d // n)", 4),
    ("torch.nn.functional.avg_pool1d(x, n)", "(b, t, (d + n - 1) // n)", 4),
    ("x.unfold(1, n, n).sum(-1)", "(b, t // n, d)", 3), ("x.unfold(1, n, n).sum(-1)", "(b, ceil(t / n), d)", 3),
    ("x.view(b, t // n, -1).clone()", "(b, t // n, d * n)", 5), ("x.view(b, t // n, -1).clone()", "x.shape", 5),
    ("torch.nn.functional.pad(x, (0, n % 4))", "x.shape", 6), ("torch.nn.functional.pad(x, (0, n % 4))", "x.shape", 8),
    ("x.clone() if n < 9 else x[:, 1:].clone()", "x.shape", 8),
    ("x.clone() if n < 9 else x[:, 1:].clone()", "x.shape", 9),
]  # fmt: skip


@pytest.mark.parametrize(("kernel", "fake", "n"), OF_NUMBERS)
def test_the_calls_say_the_sizes(kernel: str, fake: str, n: int, tmp_path: Path) -> None:
    """What they come to there differs, whatever it may come to in other calls; torch agrees."""
    torch = pytest.importorskip("torch")
    text = SIZED.format(kernel=kernel, fake=fake, n=n, strict=False)
    said = {one.code for one in lint_files(tmp_path / "run", {"ops.py": text}, torch="2.13")}
    try:
        exec(SIZED.format(kernel=kernel, fake=fake, n=n, strict=True), {"torch": torch})
        differs = False
    except AssertionError:
        differs = True
    except RuntimeError:
        pytest.skip("refused")
    assert ("AOTI404" in said) == differs
