"""`--why-silent`: what was known on a line, and that nothing is left out of what was not."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from aoti_lint.coverage.line import NOTHING, Line
from aoti_lint.language import imports
from aoti_lint.linking import analysis
from aoti_lint.roots import run
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet

LONG = "for i in range(9):\n    x = 1 + 2\n" + "x = 1 + 2\n" * 60
EXPORT = "torch.export.export(torch.nn.ReLU(), (torch.ones(2, 3),))"


def line(folder: Path, row: int, **files: str) -> Line:
    """A line of `a.py`, of a project of these files in which only `a.py` is named."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    facts = analysis.analyse(Project(folder, ["a.py"]), VersionSet(["2.13"]))
    return Line(facts, "a.py", row, str)


HOST = """int main() {
  torch::inductor::AOTIModelPackageLoader loader("net.pt2");
  loader.run({torch::ones({2, 3})});
}
"""


def test_of_what_a_cpp_program_loads_and_calls(tmp_path: Path) -> None:
    build = (
        f"import torch\nprogram = {EXPORT}\ntorch._inductor.aoti_compile_and_package(program, package_path='net.pt2')\n"
    )
    (tmp_path / "build.py").write_text(build, encoding="utf-8")
    (tmp_path / "host.cpp").write_text(HOST, encoding="utf-8")
    facts = analysis.analyse(Project(tmp_path, ["build.py", "host.cpp"]), VersionSet(["2.13"]))
    assert list(Line(facts, "host.cpp", 2, str).text()) == [
        "a load:", "  file: net.pt2", "  maker: build.py:3", "  device: cpu",
    ]  # fmt: skip
    assert list(Line(facts, "host.cpp", 3, str).text()) == [
        "a call of a program:", "  program: exported at build.py:2", "  examples: 1 tensor (2, 3) float32",
        "  inputs: 1 tensor (2, 3) float32", "  device: cpu",
    ]  # fmt: skip


def test_all_is_said_of_a_line_that_was_followed(tmp_path: Path) -> None:
    found = line(tmp_path, 2, a=f"import torch\n{EXPORT}\n")
    assert list(found.text()) == [
        "an export:",
        "  model: torch.nn.ReLU",
        "  forward: followed",
        "  inputs: 1 tensor (2, 3) float32",
        "  device: cpu",
        "  dims: all fixed",
    ]
    assert found.complete


def test_a_line_without_any_such_place_is_not_praised(tmp_path: Path) -> None:
    found = line(tmp_path, 1, a=f"import torch\n{EXPORT}\n")
    assert list(found.text()) == [NOTHING]
    assert not found.complete


def test_a_model_that_is_not_known(tmp_path: Path) -> None:
    text = "import torch\nfrom elsewhere import load_model\ntorch.export.export(load_model(), (torch.ones(2),))\n"
    found = line(tmp_path, 3, a=text)
    said = list(found.text())
    assert "  model: not known: the result of elsewhere.load_model() is not known" in said
    assert "  inputs: 1 tensor (2,) float32" in said
    assert not found.complete


def test_what_only_some_ways_know(tmp_path: Path) -> None:
    text = """\
import torch
def export(device):
    return torch.export.export(torch.nn.ReLU(), (torch.ones(2, device=device),))
export("cpu")
export("cuda")
export(mystery())
"""
    found = line(tmp_path, 3, a=text)
    head, *rest = found.text()
    assert head == "an export, reached 3 times:"
    assert rest[:3] == [f"  {number}: a.py is run: called at a.py:{number + 3}" for number in (1, 2, 3)]
    (device,) = [said for said in rest if said.startswith("  device: ")]
    assert device.startswith("  device: cpu (1); cuda (2); not known: ")
    assert "  model: torch.nn.ReLU" in rest
    assert found.sites[0].knows("device")
    assert not found.complete


def test_the_defaults_of_options_are_no_way_of_their_own(tmp_path: Path) -> None:
    text = """\
import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cuda")
device = parser.parse_args().device
class Net(torch.nn.Module):
    def forward(self, x):
        return x if x.device.type == "cuda" else torch.relu(x)
torch.export.export(Net().to(device), (torch.ones(2, device=device),))
"""
    said = [*line(tmp_path, 9, a=text).text()]
    assert said[0] == "an export:"
    assert "  device: cuda by default, else not known: option --device" in said


def test_a_forward_that_is_not_all_followed(tmp_path: Path) -> None:
    text = """\
import torch
from elsewhere import mix
class Net(torch.nn.Module):
    def forward(self, x):
        return mix(x)
torch.export.export(Net(), (torch.ones(2),))
"""
    found = line(tmp_path, 6, a=text)
    said = list(found.text())
    assert "  model: Net" in said
    assert "  forward: not known: the result of elsewhere.mix() is not known (a.py:5)" in said
    assert not found.complete


def test_a_forward_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aoti_lint.models.export.tracing.OPEN_STEPS", 5)
    body = "        x = x + 1\n" * 20
    text = f"import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n{body}        return x\n"
    found = line(tmp_path, 25, a=f"{text}torch.export.export(Net(), (torch.ones(2),))\n")
    assert "  forward: not known: there is too much code to check to its end" in found.text()
    assert not found.complete


def test_a_function_that_nothing_reaches(tmp_path: Path) -> None:
    text = f"import torch\ndef outer():\n    def inner():\n        {EXPORT}\n    return 1\nouter()\n"
    found = line(tmp_path, 4, a=text)
    assert list(found.text()) == [
        "an export: not reached, as nothing that was followed calls outer.inner(); nothing is known of it"
    ]
    assert not found.complete


def test_a_root_that_took_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"import torch\ndef main():\n    {EXPORT}\n{indent(LONG, '    ')}"
    assert line(tmp_path, 3, a=text).complete
    monkeypatch.setattr(run, "WORK", 100)
    found = line(tmp_path, 3, a=text)
    assert "  device: cpu" in found.text()
    assert "a.py::main: too much code to check to its end" in found.text()
    assert not found.complete


def test_a_file_that_calls_it_took_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it would have called later, and with what, nobody knows."""
    (tmp_path / "a.py").write_text(f"import torch\ndef export():\n    {EXPORT}\n", encoding="utf-8")
    caller = f"import torch\nimport a\ndef main():\n    a.export()\n{indent(LONG, '    ')}"
    (tmp_path / "b.py").write_text(caller, encoding="utf-8")
    monkeypatch.setattr(run, "WORK", 100)
    facts = analysis.analyse(Project(tmp_path, ["a.py", "b.py"]), VersionSet(["2.13"]))
    found = Line(facts, "a.py", 3, str)
    assert found.doubts == ["b.py::main: too much code to check to its end"]
    assert not found.complete


def test_a_file_that_it_uses_took_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has bound so far may not be what it binds in the end."""
    text = "import torch\nfrom b import SIZE\ntorch.export.export(torch.nn.ReLU(), (torch.ones(SIZE),))\n"
    other = f"import torch\nSIZE = 2\n{LONG}SIZE = 3\n"
    assert line(tmp_path, 3, a=text, b=other).complete
    monkeypatch.setattr(imports, "WORK", 150)
    found = line(tmp_path, 3, a=text, b=other)
    assert "  inputs: 1 tensor (2,) float32" in found.text()
    assert found.doubts == ["b.py, outside of functions: too much code to check to its end"]
    assert not found.complete


def test_a_file_that_it_uses_cannot_be_read(tmp_path: Path) -> None:
    text = f"import torch\nimport b\n{EXPORT}\n"
    found = line(tmp_path, 3, a=text, b="import torch\ntorch.export.export(\n")
    assert [one.partition(":")[0] for one in found.doubts] == ["b.py could not be read"]
    assert not found.complete
    # One that has nothing to do with it is no reason.
    assert line(tmp_path, 2, a=f"import torch\n{EXPORT}\n").complete


def test_what_a_rule_left_out_is_said(tmp_path: Path) -> None:
    found = line(tmp_path, 2, a=f"import torch\n{EXPORT}\n")
    assert found.complete
    found._facts.notes.append("AOTI301 (a rule) was not finished: there is too much to compare")
    assert "AOTI301 (a rule) was not finished: there is too much to compare" in found.text()
    assert not found.complete
