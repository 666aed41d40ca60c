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
