"""A fault in a model that several scripts export is told in each of them, and once where all are checked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aoti_lint.cli.main import main
from tests.judging import lint_files

MODELS = """import torch

class Branch(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x
        return -x

class Mixed(torch.nn.Module):
    def forward(self, x):
        return x @ torch.ones(3, 8)

class Double(torch.nn.Module):
    def forward(self, x):
        return x.double() @ torch.ones(8, 3)

class Cache(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = torch.zeros(8)

    def forward(self, x):
        self.seen = self.seen + x.sum(0)
        return x + self.seen

class Count(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0

    def forward(self, x):
        self.n += 1
        return x + self.n

class Branching(torch.nn.Module):
    def forward(self, x):
        return x if x.shape[0] > 4 else -x

class Number(torch.nn.Module):
    def forward(self, x):
        return x * int(x.shape[0])

class Grouped(torch.nn.Module):
    def forward(self, x):
        return x.view(2, -1, 4)

class Positions(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.at = torch.nn.Parameter(torch.zeros(32, 8))

    def forward(self, x):
        return x + self.at[: x.shape[0]]

class Equal(torch.nn.Module):
    def forward(self, x, y):
        return x + y

@torch.library.custom_op("lib::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2

class Custom(torch.nn.Module):
    def forward(self, x):
        return twice(x)
"""
SCRIPT = """import torch
import models

program = torch.export.export(models.{model}(), {args}, dynamic_shapes={shapes})
path = torch._inductor.aoti_compile_and_package(program, package_path="{name}.pt2")
"""
ONE, TWO = "(torch.randn(6, 8),)", "(torch.randn(6, 8), torch.randn(6, 8))"
BATCH = '({0: torch.export.Dim("batch", max=64)},)'
CASES = {
    "AOTI325": ("Branch", ONE, "None"),
    "AOTI714": ("Mixed", ONE, "None"),
    "AOTI711": ("Double", ONE, "None"),
    "AOTI704": ("Cache", ONE, "None"),
    "AOTI707": ("Count", ONE, "None"),
    "AOTI324": ("Branching", ONE, BATCH),
    "AOTI320": ("Number", ONE, BATCH),
    "AOTI323": ("Grouped", ONE, BATCH),
    "AOTI315": ("Positions", ONE, BATCH),
    "AOTI322": ("Equal", TWO, '({0: torch.export.Dim("a")}, {0: torch.export.Dim("b")})'),
    "AOTI401": ("Custom", ONE, "None"),
}


@pytest.mark.parametrize("code", CASES)
def test_told_in_each(code: str, tmp_path: Path) -> None:
    model, args, shapes = CASES[code]
    scripts = {f"{name}.py": SCRIPT.format(model=model, args=args, shapes=shapes, name=name) for name in "abc"}
    files = {"models.py": MODELS, **scripts}
    for named in scripts:
        found = lint_files(tmp_path / named, files, [named])
        assert [(one.file, one.code) for one in found if one.code == code] == [(named, code)]
    found = lint_files(tmp_path / "all", files)
    assert len([one for one in found if one.code == code]) == 1


def test_a_comment_in_one_script_is_for_that_one(tmp_path: Path) -> None:
    model, args, shapes = CASES["AOTI325"]
    scripts = {f"{name}.py": SCRIPT.format(model=model, args=args, shapes=shapes, name=name) for name in "ab"}
    scripts["a.py"] = scripts["a.py"].replace("\npath =", "  # aoti-lint: ignore[AOTI325] known\npath =")
    files = {"models.py": MODELS, **scripts}
    for named, told in (("a.py", []), ("b.py", ["b.py"]), (None, ["models.py"])):
        found = lint_files(tmp_path / str(named), files, None if named is None else [named])
        assert [one.file for one in found if one.code == "AOTI325"] == told
        assert [one for one in found if one.code == "AOTI001"] == []


def test_each_script_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, args, shapes = CASES["AOTI325"]
    for name in "abc":
        (tmp_path / f"{name}.py").write_text(SCRIPT.format(model=model, args=args, shapes=shapes, name=name))
    (tmp_path / "models.py").write_text(MODELS)
    main(["check", "--no-config", "--no-cache", "--output-format", "json", str(tmp_path)])
    (finding,) = [one for one in json.loads(capsys.readouterr().out)["diagnostics"] if one["code"] == "AOTI325"]
    assert sorted(Path(one["filename"]).name for one in finding["related"]) == ["a.py", "b.py", "c.py"]
