"""What one script does to its process is not there in the next one's."""

from __future__ import annotations

from pathlib import Path

from aoti_lint.linking.analysis import analyse
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.events.packages import CompileEvent
from aoti_lint.values.torch_values import Device, Package

SETS = """
import os
os.environ["DEVICE"] = "cuda"
import torch
torch.export.export
"""
READS = """
import os
import torch

def build():
    place = os.environ.get("DEVICE", "cpu")
    so = torch._export.aot_compile(torch.nn.Linear(2, 2).to(place), (torch.ones(2, 2, device=place),))

build()
"""


def test_a_variable_stays_with_its_script(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SETS)
    (tmp_path / "b.py").write_text(READS)
    facts = analyse(Project(tmp_path, ["a.py", "b.py"]), VersionSet(["2.13"]))
    (event,) = facts.of(CompileEvent)
    assert isinstance(event.package, Package)
    assert event.package.device != Device("cuda")


def test_it_is_seen_by_those_who_import_the_module(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SETS)
    (tmp_path / "b.py").write_text(f"import a\n{READS}")
    facts = analyse(Project(tmp_path, ["b.py"]), VersionSet(["2.13"]))
    (event,) = facts.of(CompileEvent)
    assert isinstance(event.package, Package)
    assert event.package.device == Device("cuda")
