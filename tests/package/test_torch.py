"""What the rules on programs say torch does, done by torch: `pytest -m proof`, where it is installed.

Each claim is a script with its exit code and what must stand in its output.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.proof.test_proof import TORCH_PYTHON

HEAD = """\
import os, sys, torch
import torch._inductor.package
class Wave(torch.nn.Module):
    def forward(self, x):
        return x.sin() + 1
class Times(torch.nn.Module):
    def forward(self, x, k):
        return x * k
class Drop(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = torch.nn.Dropout(0.5)
        self.norm = torch.nn.BatchNorm1d(8)
    def forward(self, x):
        return self.norm(self.drop(x))
class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 16)
    def forward(self, x):
        return self.fc(x)
def export(model, *args, dims=None):
    return torch.export.export(model, args or (torch.ones(4, 8),), dynamic_shapes=dims)
def compiled(program, **options):
    options = {f"aot_inductor.{k}": v for k, v in options.items()}
    path = torch._inductor.aoti_compile_and_package(program, package_path="m.pt2", inductor_configs=options)
    return torch._inductor.aoti_load_package(path)
def told(call):
    try:
        print("gave", call())
    except Exception as error:
        print(type(error).__name__, error)
BATCH = ({0: torch.export.Dim("batch", min=1, max=64)},)
"""

OPS = """\
import torch
@torch.library.custom_op("shop::scale", mutates_args=())
def scale(x: torch.Tensor) -> torch.Tensor:
    return x * 2
@scale.register_fake
def _(x):
    return torch.empty_like(x)
"""

CLAIMS = {
    "AOTI616: a package is no program, and a program no package": (
        "program = export(Wave())\ncompiled(program)\ntorch.export.save(program, 'ep.pt2')\n"
        "told(lambda: torch.export.load('m.pt2'))\ntold(lambda: torch._inductor.aoti_load_package('ep.pt2'))",
        0,
        r"RuntimeError We ran into an error when deserializing the saved file(.|\n)*"
        r"RuntimeError Failed to find a generated cpp file or so file for model 'model'",
    ),
    "AOTI601: a program in training mode gives another result at every call": (
        "x = torch.rand(4, 8)\nrun = compiled(export(Drop().train()))\nprint(torch.equal(run(x), run(x)))\n"
        "run = compiled(export(Drop().eval()))\nprint(torch.equal(run(x), run(x)))\n"
        "told(lambda: export(Drop().train()).module().eval())",
        0,
        r"False\nTrue\nNotImplementedError Calling eval\(\) is not supported yet",
    ),
    "AOTI601: without running statistics and with p=0, both modes are one": (
        "class Net(torch.nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n"
        "        self.norm = torch.nn.BatchNorm1d(8, track_running_stats=False)\n"
        "        self.drop = torch.nn.Dropout(0.0)\n"
        "    def forward(self, x):\n        return self.drop(self.norm(x))\n"
        "x = torch.rand(4, 8)\nprint(torch.equal(export(Net().train()).module()(x), export(Net().eval()).module()(x)))",
        0,
        "True",
    ),
    "AOTI602: a fake that hard-codes a size": (
        '@torch.library.custom_op("shop::pad", mutates_args=())\n'
        "def pad(x: torch.Tensor) -> torch.Tensor:\n    return torch.nn.functional.pad(x, (0, 2))\n"
        "@pad.register_fake\ndef _(x):\n    return x.new_empty(4, 10)\n"
        "class Net(torch.nn.Module):\n    def forward(self, x):\n        return pad(x) + 1\n"
        "program = export(Net(), dims=BATCH)\nprint(program.graph_signature.user_outputs, program.range_constraints)\n"
        "run = compiled(program)\nx = torch.ones(16, 8)\nright = pad(x) + 1\n"
        "print(torch.equal(run(x), right), flush=True)\nos._exit(0)",
        0,
        r"VR\[1, 64\].*\nFalse",
    ),
    "AOTI604: a frozen number": (
        "program = export(Times(), torch.ones(4, 8), 3)\ntold(lambda: program.module()(torch.ones(4, 8), 5))\n"
        "run = compiled(program)\nprint(run(torch.ones(4, 8), 5)[0, 0].item())",
        0,
        r"AssertionError Guard failed: k == 3\n3\.0",
    ),
    "AOTI606: a package whose operator nobody registered": (
        "exec(open('ops.py').read())\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return scale(x)\n"
        "compiled(export(Net()))\ntorch.export.save(export(Net()), 'p.pt2')\nimport subprocess\n"
        "for load in ('torch._inductor.aoti_load_package(\"m.pt2\")', 'torch.export.load(\"p.pt2\")'):\n"
        "    for first in ('', 'import ops; '):\n"
        "        code = f'{first}import torch, torch._inductor.package; {load}'\n"
        "        done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)\n"
        "        print(done.returncode, 'Could not find schema for shop::scale' in done.stderr,"
        " 'We ran into an error when deserializing' in done.stderr)",
        0,
        r"1 True False\n0 False False\n1 False True\n0 False False",
    ),
    "AOTI607: a program without example inputs": (
        "program = export(Wave())\nprogram.example_inputs = None\ntorch.export.save(program, 'e.pt2')\n"
        "again = torch.export.load('e.pt2')\ntold(lambda: compiled(again))\n"
        "again.example_inputs = ((torch.ones(4, 8),), {})\nprint(compiled(again)(torch.ones(4, 8)).shape)",
        0,
        r"RuntimeError exported_program.example_inputs is required to be set.*\n.*\[4, 8\]",
    ),
    "AOTI612: a package takes what it was not made for": (
        "run = compiled(export(Wave()))\ntold(lambda: tuple(run(torch.ones(16, 8)).shape))\n"
        "x = torch.arange(32).reshape(4, 8)\nprint(torch.allclose(run(x), x.float().sin() + 1))\n"
        "told(lambda: export(Wave()).module()(torch.ones(5, 8)))\n"
        "told(lambda: export(Wave()).module()(torch.ones(4, 8).double()).dtype)",
        0,
        r"gave \(4, 8\)\nFalse\nAssertionError Guard failed: x.size\(\)\[0\] == 4\ngave torch.float64",
    ),
    "AOTI612: keywords and tensors are counted, numbers are not looked at": (
        "class Masked(torch.nn.Module):\n    def forward(self, x, *, factor):\n        return x * factor\n"
        "program = torch.export.export(Masked(), (torch.ones(4, 8),), {'factor': 3.0})\nrun = compiled(program)\n"
        "x = torch.ones(4, 8)\ntold(lambda: run(x, factor=5.0).max().item())\ntold(lambda: run(x))\n"
        "told(lambda: run(x, 3.0))\ntold(lambda: run(x, factor=torch.tensor(3.0)))\ntold(lambda: run(3.0, factor=3.0))",
        0,
        r"gave 3.0\nValueError .*Got the following keywords \[\] but expected \['factor'\]\nValueError .*"
        r"\nRuntimeError expected inputs vector size to be 1, but got 2\nRuntimeError .* be 1, but got 0",
    ),
    "AOTI612: with the check it says so": (
        "os.environ['AOTI_RUNTIME_CHECK_INPUTS'] = '1'\nrun = compiled(export(Wave()))\n"
        "told(lambda: run(torch.ones(16, 8)))\ntold(lambda: run(torch.ones(4, 8).double()))",
        0,
        r"unmatched dim value at 0, expected: 4, but got: 16[\s\S]*unmatched dtype",
    ),
    "AOTI613: weights that lie outside": (
        "run = compiled(export(Head()), package_constants_in_so=False)\nprint('loaded', flush=True)\n"
        "run(torch.ones(4, 8))\nprint('lived')",
        -11,
        "^loaded\n$",
    ),
    "AOTI613: and are loaded": (
        "model = Head()\nrun = compiled(export(model), package_constants_in_so=False)\n"
        "run.load_constants(model.state_dict(), check_full_update=True)\n"
        "print(torch.allclose(run(torch.ones(4, 8)), model(torch.ones(4, 8))))",
        0,
        "True",
    ),
    "AOTI614: Dim.AUTO gives way": (
        "class Twofold(torch.nn.Module):\n    def forward(self, x):\n        return x.reshape(4, 2, 4).sum(-1)\n"
        "print(export(Twofold(), dims=({0: torch.export.Dim.AUTO},)).range_constraints)\n"
        "told(lambda: export(Twofold(), dims=({0: torch.export.Dim.DYNAMIC},)))\n"
        "print(export(Wave(), dims=({0: torch.export.Dim.AUTO},)).range_constraints)",
        0,
        r"\{\}\n[\s\S]*Error[\s\S]*VR\[2",
    ),
    "AOTI615: the check begins at 2": (
        "os.environ['AOTI_RUNTIME_CHECK_INPUTS'] = '1'\ntold(lambda: compiled(export(Wave(), dims=BATCH))"
        "(torch.ones(1, 8)))\ntold(lambda: tuple(compiled(export(Wave(), dims=BATCH), check_lowerbound=False)"
        "(torch.ones(1, 8)).shape))",
        0,
        r"too small at 0, expected it to be >= 2, but got: 1[\s\S]*gave \(1, 8\)",
    ),
}


@pytest.fixture(scope="session")
def inductor_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all scripts: most of them compile the same model."""
    return tmp_path_factory.mktemp("inductor_cache")


@pytest.mark.proof
@pytest.mark.skipif(TORCH_PYTHON is None, reason="torch is not installed, and AOTI_LINT_TORCH_PYTHON is not set")
@pytest.mark.parametrize("claim", CLAIMS)
def test_claim(claim: str, tmp_path: Path, inductor_cache: Path) -> None:
    script, code, printed = CLAIMS[claim]
    (tmp_path / "script.py").write_text(HEAD + script + "\n", encoding="utf-8")
    (tmp_path / "ops.py").write_text(OPS, encoding="utf-8")
    done = subprocess.run(
        [str(TORCH_PYTHON), "-W", "ignore", "script.py"],
        cwd=tmp_path,
        env={**os.environ, "TORCHINDUCTOR_CACHE_DIR": str(inductor_cache), "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    story = f"exit code {done.returncode}\n{done.stdout[-1500:]}\n{done.stderr[-3000:]}"
    assert done.returncode == code, story
    assert re.search(printed, done.stdout), story
