"""Which of several scripts wrote what another one loads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

EXPORT = """\
import torch

program = torch.export.export(torch.nn.Linear({size}, 2).eval(), (torch.randn(4, {size}),))
torch._inductor.aoti_compile_and_package(program, package_path={path})
"""
OPTION = """\
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--out", default="model.pt2")
args = parser.parse_args()
"""
SERVE = """\
from pathlib import Path
import torch

model = torch._inductor.aoti_load_package(str(Path(__file__).parent / "model.pt2"))
model(torch.randn(4, {size}))
"""


@pytest.mark.parametrize("size", [5, 7])
def test_what_a_script_beside_writes_is_meant(tmp_path: Path, size: int) -> None:
    """By default its option means the file that the one that loads finds by its own place."""
    files = {
        "a/export.py": EXPORT.format(size=3, path='"model.pt2"'),
        "b/export.py": OPTION + EXPORT.format(size=5, path="args.out"),
        "b/serve.py": SERVE.format(size=size),
    }
    found = lint_files(tmp_path / "run", files, None, torch="2.13")
    assert [(one.code, one.file) for one in found] == ([] if size == 5 else [("AOTI301", "serve.py")])
    assert all("exported with 5" in one.message for one in found)


PACK = """\
import torch
from torch._inductor.package import package_aoti

x = torch.randn(4, 3)
program = torch.export.export(torch.nn.Linear(3, 2).eval(), (x,))
files = torch._inductor.aot_compile(program.module(), (x,), options={"aot_inductor.package": True})
package_aoti("both.pt2", {"left": files})
"""
TAKE = """\
import torch
from torch._inductor.package import load_package

model = load_package("both.pt2", "left")
model(torch.randn(4, 5))
"""


def test_a_model_of_several_is_found_by_its_name(tmp_path: Path) -> None:
    found = lint_files(tmp_path / "run", {"pack.py": PACK, "take.py": TAKE}, None, torch="2.13")
    assert [(one.code, one.file, one.row) for one in found] == [("AOTI301", "take.py", 5)]


def test_names_of_models_are_those_of_the_package_beside(tmp_path: Path) -> None:
    files = {
        "a/pack.py": PACK.replace('"left"', '"enc"'),
        "b/pack.py": PACK,
        "b/take.py": TAKE.replace('"left"', '"right"'),
    }
    found = lint_files(tmp_path / "run", files, None, torch="2.13")
    assert [(one.code, one.file) for one in found] == [("AOTI212", "take.py")]
    assert "holds left, and" in found[0].message
