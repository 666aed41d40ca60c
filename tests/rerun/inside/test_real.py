"""The same with real torch: the hooks sit where its functions are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from aoti_lint.rerun.plan.plan import Step
from aoti_lint.rerun.read import events
from aoti_lint.rerun.result import Ran
from aoti_lint.rerun.run import children
from aoti_lint.rerun.run.children import Limits
from aoti_lint.rerun.run.folder import Workplace
from tests.proof.test_proof import TORCH_PYTHON

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(TORCH_PYTHON is None, reason="torch is not installed (or set AOTI_LINT_TORCH_PYTHON)"),
]

OP = """
import os, sys
import torch

@torch.library.custom_op("lab::pad2", mutates_args=())
def pad2(x: torch.Tensor) -> torch.Tensor:
    if len(sys.argv) > 1:
        os.abort()
    return x * 2

@pad2.register_fake
def _(x):
    return torch.empty_like(x)
"""

BUILD = """
import os
import torch
from op import pad2
from torch._inductor import aoti_compile_and_package

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.front = torch.nn.Linear(4, 4)
    def forward(self, x):
        return torch.log(pad2(self.front(x)) - 1e9)

program = torch.export.export(Net(), (torch.randn(2, 4),))
whole = program.module()
whole(torch.ones(2, 4))
torch.compile(whole, backend="eager", fullgraph=True)(torch.ones(2, 4))
path = os.path.abspath("model.pt2")
made = aoti_compile_and_package(program, package_path=path, inductor_configs={"max_autotune": False})
assert made == path, made
"""

RUN = """
import op
import torch
from torch._inductor import aoti_load_package

torch._C._aoti.AOTIModelPackageLoader("model.pt2", "model", False, 1, -1).boxed_run([torch.ones(2, 4)])
model = aoti_load_package("model.pt2")
print(model(torch.ones(2, 4)).shape)
try:
    model(torch.ones(3, 4))
except RuntimeError as error:
    print("refused")
"""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    (tmp_path / "user").mkdir()
    monkeypatch.chdir(tmp_path / "user")
    for name, source in (("op", OP), ("build", BUILD), ("run", RUN)):
        Path(f"{name}.py").write_text(source)
    return Workplace(str(tmp_path / "work"))


def run(work: Workplace, phase: str, *command: str, **fields: object) -> Ran:
    step = Step.model_validate({"phase": phase, "command": (TORCH_PYTHON, *command), **fields})
    return children.run(step, work, Limits(seconds=600), lambda text: None)


def of(found: list[events.Event], name: str) -> list[events.Event]:
    return [event for event in found if event.event == name]


def test_build_and_run(work: Workplace) -> None:
    package = Path("model.pt2")
    package.write_text("theirs")
    os.utime(package, (1e9, 1e9))
    before = package.stat()
    # Both are read when the package is compiled.
    built = run(
        work, "build", "build.py",
        environment={"AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER": "1", "AOTI_RUNTIME_CHECK_INPUTS": "1"},
        config={"torch._inductor.config.aot_inductor.debug_compile": True},
    )  # fmt: skip
    assert built.code == 0, work.log(built)
    found = work.events(built)
    assert of(found, "note") == []
    assert events.unfinished(found) == []
    (compiled,), (saved,), (called,) = of(found, "compile"), of(found, "saved"), of(found, "program")
    (given,) = (event for event in of(found, "returned") if event.of == called.number)
    assert given.outputs[0].nan == 8
    assert compiled.asked == str(package.absolute())
    assert compiled.made is not None
    assert Path(saved.path).stat().st_size > 0
    assert "model.pt2" in os.listdir(os.path.dirname(compiled.made))

    ran = run(work, "run", "run.py", environment={"AOTI_RUNTIME_CHECK_INPUTS": "1"})
    assert ran.code == 0, work.log(ran)
    assert "torch.Size([2, 4])" in work.log(ran)
    assert "refused" in work.log(ran)
    found = work.events(ran)
    assert of(found, "note") == []
    (opened, loaded), (direct, first, second), (_, op), (raised,) = (
        of(found, name) for name in ("load", "call", "op", "raised")
    )
    assert (opened.used, direct.package) == (compiled.made, compiled.made)
    assert (direct.load, direct.inputs[0].shape) == (opened.number, (2, 4))
    assert (loaded.used, loaded.rerun) == (compiled.made, True)
    assert (first.inputs[0].shape, first.inputs[0].dtype, first.inputs[0].device) == ((2, 4), "float32", "cpu")
    assert first.place is not None
    assert first.place.text == "print(model(torch.ones(2, 4)).shape)"
    assert (op.name, op.inputs[0].shape) == ("lab::pad2", (2, 4))
    (returned,) = (event for event in of(found, "returned") if event.of == first.number)
    assert (returned.outputs[0].nan, returned.outputs[0].inf) == (8, 0)
    assert (raised.of, raised.type) == (second.number, "RuntimeError")
    assert "unmatched dim value" in raised.message
    folder = work.tensors(ran, loaded.used)
    assert folder is not None
    assert any("before_launch" in name for name in os.listdir(os.path.join(folder, "tmp")))
    assert not os.path.exists("tmp")

    crashed = run(work, "run", "run.py", "crash")
    assert crashed.how == "signal"
    call, op = events.unfinished(work.events(crashed))
    assert (call.event, op.event, op.name) == ("call", "op", "lab::pad2")

    now = package.stat()
    assert (now.st_ino, now.st_mtime, now.st_ctime_ns) == (before.st_ino, before.st_mtime, before.st_ctime_ns)
    assert package.read_text() == "theirs"


def test_a_library(work: Workplace) -> None:
    Path("library.py").write_text(
        "import torch\n"
        "class Net(torch.nn.Module):\n"
        "    def forward(self, x):\n"
        "        return x.relu() * 2\n"
        "path = torch._export.aot_compile(Net(), (torch.ones(2, 4),), options={'aot_inductor.output_path': 'net.so'})\n"
        "print(path, torch._export.aot_load(path, 'cpu')(torch.ones(2, 4)).sum())\n"
        "torch.compile(Net())(torch.ones(2))\n"
    )
    ran = run(work, "whole", "library.py", config={"torch._inductor.config.pattern_matcher": False})
    assert ran.code == 0, work.log(ran)
    assert "net.so tensor(16.)" in work.log(ran)
    assert of(work.events(ran), "note") == []
    assert sorted(os.listdir()) == ["build.py", "library.py", "op.py", "run.py"]
