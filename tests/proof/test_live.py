"""Programs in memory: they give the facts of the files they are saved to, and tests can ask the rules about them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.proof.test_proof import TORCH_PYTHON

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(TORCH_PYTHON is None, reason="torch is not installed (or set AOTI_LINT_TORCH_PYTHON)"),
]

MODELS = """
import torch
from torch import nn
from torch.export import Dim, export

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.front = nn.Linear(8, 8)
        self.back = nn.Linear(8, 8)
        self.back.weight = self.front.weight
        self.norm = nn.BatchNorm1d(8)
        self.drop = nn.Dropout(0.5)
        self.register_buffer("steps", torch.zeros(8))
        self.register_buffer("mask", torch.ones(8), persistent=False)
        self.plain = torch.ones(3)
    def forward(self, x, pair=None, *, scale=2, name="relu"):
        self.steps.add_(1)
        y = self.drop(self.norm(self.back(self.front(x)))) * scale * self.mask + self.steps
        if pair is not None:
            y = y + pair["a"] + pair["b"][0]
        return {"y": y, "n": (x.shape[0], self.plain + torch.tensor([1.0, 2.0, 3.0]))}

class View(nn.Module):
    def forward(self, x):
        return x.view(x.shape[0] // 2, 2, -1).sum(1)

class Branch(nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))

class Counted(nn.Module):
    def forward(self, x):
        n = x.sum().to(torch.int64).item()
        torch._check(n >= 0)
        torch._check(n < 100)
        return torch.ones(n)

class Half(nn.Module):
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return x @ x.t()

batch = Dim("batch", min=1, max=64)
x = torch.ones(4, 8)
pair = {"a": torch.ones(4, 8), "b": (torch.ones(8),)}
shapes = {"x": {0: batch}, "pair": {"a": {0: batch}, "b": (None,)}, "scale": None}
PROGRAMS = {
    "static": export(Net().eval(), (x,)),
    "training": export(Net().train(), (x,)),
    "nested": export(Net().eval(), (x, pair), {"scale": 3}, dynamic_shapes=shapes),
    "strict": export(Net().eval(), (x,), dynamic_shapes={"x": {0: batch}}, strict=True),
    "decomposed": export(Net().eval(), (x,)).run_decompositions(),
    "view": export(View(), (x,), dynamic_shapes={"x": {0: Dim.DYNAMIC}}),
    "channels": export(nn.Conv2d(3, 4, 3).eval(), (torch.ones(2, 3, 8, 8).to(memory_format=torch.channels_last),)),
    "branch": export(Branch(), (x,)),
    "counted": export(Counted(), (x,)),
    "half": export(Half(), (x,)),
    "doubles": export(nn.Linear(8, 8).double(), (x.double(),)),
}
"""

SAME = """
import sys
import aoti_lint
from models import PROGRAMS, torch

for name, program in PROGRAMS.items():
    torch.export.save(program, f"{name}.pt2")
    (saved,) = aoti_lint.inspect_file(f"{name}.pt2").programs
    live = aoti_lint.inspect_program(program)
    # A program that is no file has no member of one.
    assert (saved.member is None, live.member) == (False, None)
    for field in type(saved).model_fields.keys() - {"member"}:
        if getattr(saved, field) != getattr(live, field):
            print(name, field, getattr(saved, field), getattr(live, field))
for wrong in (PROGRAMS["static"].module(), "static.pt2"):
    try:
        aoti_lint.inspect_program(wrong)
        print("taken:", type(wrong))
    except TypeError:
        pass
found = {name: sorted({f.code for f in aoti_lint.check_program(p, name=name)}) for name, p in PROGRAMS.items()}
assert found.pop("training") == ["AOTI601"], found
assert not any(found.values()), found
half = aoti_lint.check_program(PROGRAMS["half"], pedantic=True)
assert [f.code for f in half] == ["AOTI605"], half
assert half[0].filename == "<model>"
assert aoti_lint.check_program(PROGRAMS["training"], ignore=["training-mode"]) == []
assert aoti_lint.check_program(PROGRAMS["training"], select=["AOTI602"]) == []
print("compared", len(PROGRAMS))
"""

TESTS = """
from models import PROGRAMS

def test_right(assert_program_clean):
    assert_program_clean(PROGRAMS["static"])

def test_meant(assert_program_clean):
    assert_program_clean(PROGRAMS["training"], ignore=("training-mode",))

def test_wrong(assert_program_clean):
    assert_program_clean(PROGRAMS["training"])
"""


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    (folder / "models.py").write_text(MODELS)
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=600, check=False)


def test_live_is_what_is_saved(tmp_path: Path) -> None:
    assert TORCH_PYTHON is not None
    (tmp_path / "same.py").write_text(f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n{SAME}")
    done = run([TORCH_PYTHON, "same.py"], tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.splitlines() == ["compared 11"]


@pytest.mark.skipif(sys.executable != TORCH_PYTHON, reason="torch is in an environment without aoti-lint")
def test_fixture(tmp_path: Path) -> None:
    """The plugin comes with the installation; nobody has to name it."""
    (tmp_path / "test_programs.py").write_text(TESTS)
    done = run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], tmp_path)
    assert "1 failed, 2 passed" in done.stdout, done.stdout + done.stderr
    assert "AOTI601 training-mode: " in done.stdout
    assert "call model.eval() before torch.export.export" in done.stdout
