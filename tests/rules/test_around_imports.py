"""What stands around a module: the packages that are imported with it, and what picks a loader."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

OUTPUTS = "from dataclasses import dataclass\nimport torch\n\n@dataclass\nclass Pose:\n    points: torch.Tensor\n"
NET = """import torch
from {of} import Pose

class Net(torch.nn.Module):
    def forward(self, x):
        return Pose(x * 2)
"""
REGISTER = "from torch.export import register_dataclass\nfrom .outputs import Pose\nregister_dataclass(Pose)\n"
EXPORT = "import torch\n{line}\ntorch.export.export(Net().eval(), (torch.randn(2, 8),))\n"


@pytest.mark.parametrize(
    ("line", "of"),
    [
        ("from pose.net import Net", ".outputs"),
        ("from pose.net import Net", "pose.outputs"),
        ("from pose import net\nNet = net.Net", ".outputs"),
        ("import pose.net\nNet = pose.net.Net", ".outputs"),
    ],
)
@pytest.mark.parametrize("registered", [True, False])
def test_the_packages_around_a_module_are_imported(line: str, of: str, registered: bool, tmp_path: Path) -> None:
    files = {
        "pose/__init__.py": REGISTER if registered else "",
        "pose/outputs.py": OUTPUTS,
        "pose/net.py": NET.format(of=of),
        "export.py": EXPORT.format(line=line),
    }
    said = [one.code for one in lint_files(tmp_path / "run", files, torch="2.13") if one.severity != "info"]
    assert said == ([] if registered else ["AOTI712"])


LOADERS = """import json
import torch

def write(folder):
    program = torch.export.export(torch.nn.Linear(2, 2).eval(), (torch.randn(2, 2),))
    torch.export.save(program, "program.pt2")
    torch._inductor.aoti_compile_and_package(program, package_path="package.pt2")
    json.dump({"program.pt2": "export", "package.pt2": "aoti"}, open("kinds.json", "w"))

def load(name):
    if json.load(open("kinds.json"))[name] == "aoti":
        return torch._inductor.aoti_load_package(name)
    return torch.export.load(name).module()

write(".")
"""


def test_what_a_file_says_picks_the_loader(tmp_path: Path) -> None:
    right = LOADERS + 'load("program.pt2")\nload("package.pt2")\n'
    assert lint_files(tmp_path / "right", {"run.py": right}, torch="2.13") == []
    wrong = LOADERS + 'torch._inductor.aoti_load_package("program.pt2")\n'
    assert [one.code for one in lint_files(tmp_path / "wrong", {"run.py": wrong}, torch="2.13")] == ["AOTI616"]
