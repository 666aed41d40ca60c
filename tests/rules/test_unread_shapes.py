"""AOTI318 and AOTI319: dimensions that are made and reach no export, and the many ways in which they reach one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

HEAD = """
import torch
from torch.export import Dim, dims, export
class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2
model, x = Net(), torch.ones(4, 8)
"""
FOUND = {
    "filled": """
def run():
    shapes = {}
    shapes["x"] = {0: Dim("b")}  # <- AOTI318
    return export(model, (x,))
run()
""",
    "made by a helper": """
def shapes_of(name):
    return {name: {0: Dim.AUTO}}
shapes = shapes_of("x")  # <- AOTI318
export(model, (x,))
""",
    "never called": """
def run(model, x):
    shapes: dict = {"x": {0: Dim("b")}}  # <- AOTI318
    return export(model, (x,))
""",
    "exported by a helper": """
def exported(x):
    return export(model, (x,))
def main():
    shapes = {"x": {0: Dim("b")}}  # <- AOTI318
    return exported(x)
main()
""",
    "a parameter of a method": """
class Builder:
    def build(self, inputs, *, dynamic_shapes=None):  # <- AOTI318
        return export(model, inputs)
Builder().build((x,), dynamic_shapes={"x": {0: Dim("b")}})
""",
    "a derived dimension": """
whole = 2 * Dim("half", max=32)  # <- AOTI319
export(model, (x,))
""",
    "some of several": """
b, s = dims("b", "s")  # <- AOTI319
export(model, (x,), strict=True)
""",
}
SILENT = {
    "one of several": """
b, s = dims("b", "s")
export(model, (x,), dynamic_shapes={"x": {0: b}})
""",
    "returned": """
def run():
    shapes = {"x": {0: Dim("b")}}
    return export(model, (x,)), shapes
run()
""",
    "kept": """
class Builder:
    def __init__(self):
        self.shapes = {"x": {0: Dim("b")}}
        self.program = export(model, (x,))
Builder()
""",
    "given to unknown code": """
from somewhere import exporter
shapes = {"x": {0: Dim("b")}}
exporter.add(shapes)
export(model, (x,))
""",
    "read by an inner function": """
def run():
    shapes = {"x": {0: Dim("b")}}
    def later():
        return export(model, (x,), dynamic_shapes=shapes)
    return export(model, (x,)), later
run()
""",
    "by name": """
def run():
    dynamic_shapes = {"x": {0: Dim("b")}}
    kept = locals()
    return export(model, (x,)), kept
run()
""",
    "a global": """
def run():
    global shapes
    shapes = {"x": {0: Dim("b")}}
    return export(model, (x,))
run()
""",
    "public": """
__all__ = ["shapes"]
shapes = {"x": {0: Dim("b")}}
export(model, (x,))
""",
    "of a class": """
class Spec:
    rows = Dim("rows")
    program = export(model, (x,))
""",
    "no export there": """
rows = Dim("rows")
shapes = {"x": {0: Dim("b")}}
""",
    "both ways": """
def run():
    shapes = {"x": {0: Dim("b")}}
    return export(model, (x,)), export(model, (x,), dynamic_shapes={"x": {0: Dim.AUTO}})
run()
""",
    "on purpose": """
def inputs():
    return (x,), {"x": {0: Dim("b")}}
args, shapes = inputs()
args, _shapes = inputs()
export(model, args)
""",
    "marked": """
shapes = {"x": {0: Dim("b")}}
torch._dynamo.mark_dynamic(x, 0)
export(model, (x,))
""",
    "the dictionary of another": """
def fill(shapes):
    shapes["x"] = {0: Dim("b")}
    return export(model, (x,))
given = {}
fill(given)
export(model, (x,), dynamic_shapes=given)
""",
}


def said(folder: Path, files: dict[str, str]) -> list[tuple[str, int]]:
    found = [item for item in lint_files(folder, files) if item.severity != "info"]
    return sorted({(item.code, item.row) for item in found if item.code in ("AOTI318", "AOTI319")})


@pytest.mark.parametrize("case", FOUND)
def test_found(case: str, tmp_path: Path) -> None:
    text = HEAD + FOUND[case]
    wanted = [(line.split("# <- ")[1], row) for row, line in enumerate(text.splitlines(), 1) if "# <- " in line]
    assert said(tmp_path / "run", {"script.py": text}) == wanted


@pytest.mark.parametrize("case", SILENT)
def test_silent(case: str, tmp_path: Path) -> None:
    assert said(tmp_path / "run", {"script.py": HEAD + SILENT[case]}) == []


def test_another_file_reads_it(tmp_path: Path) -> None:
    text = HEAD + 'shapes = {"x": {0: Dim("b")}}\nprogram = export(model, (x,))\n'
    assert said(tmp_path / "alone", {"script.py": text}) == [("AOTI318", 8)]
    other = "from script import shapes\n"
    assert said(tmp_path / "read", {"script.py": text, "other.py": other}) == []
