"""The contract of models that are compiled here: what the recordings say still holds for the torch at hand."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from aoti_lint.program import facts
from aoti_lint.program.contract.build import build
from aoti_lint.program.contract.cpp_source import cpp_source
from aoti_lint.program.contract.python_source import python_source
from tests.program.contract.test_recorded import held_against, load
from tests.proof.test_proof import TORCH_PYTHON

ROOT = Path(__file__).parents[2]
MODELS = ("range", "halves", "frozen")

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(TORCH_PYTHON is None, reason="torch is not installed (or set AOTI_LINT_TORCH_PYTHON)"),
]

HOST = """
#include "check_inputs.hpp"
#include <ATen/ATen.h>
#include <iostream>

int main() {
  std::cout << aoti_contract::violations(std::vector<at::Tensor>{at::ones({4, 8})}).size();
  for (const auto& wrong : {at::ones({65, 8}), at::ones({4, 8}, at::kLong), at::ones({8, 4}).t(), at::Tensor()}) {
    std::cout << aoti_contract::violations(std::vector<at::Tensor>{wrong}).size();
  }
}
"""

BUILD = """
import pathlib, subprocess, sys, torch
from torch.utils.cpp_extension import include_paths
libraries = pathlib.Path(torch.__file__).parent / "lib"
flags = [f"-I{path}" for path in include_paths()] + [f"-L{libraries}", f"-Wl,-rpath,{libraries}"]
flags += ["-std=c++20", "-O0", "-ltorch", "-ltorch_cpu", "-lc10"]
flags += [f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.compiled_with_cxx11_abi())}"]
subprocess.run(["g++", "host.cpp", "-o", "host", *flags], check=True)
"""


CALLS = """
import torch
from check_inputs import check_inputs, violations
x = torch.ones(4, 8)
check_inputs(x)
assert violations(torch.ones(1, 8)) == []
assert violations(x.t().contiguous().t()) and violations(x.expand(4, 8).double()) and violations(x.to("meta"))
assert violations(x.to_sparse()) == ["x has the layout sparse_coo; this model takes dense tensors"]
assert violations(torch.ones(8, 1).expand(8, 8)) and not violations(torch.ones(8).expand(1, 8))
assert violations(torch.nn.Parameter(x)) == []
try:
    check_inputs(torch.ones(65, 9))
except ValueError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def recordings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Recordings made now."""
    folder = tmp_path_factory.mktemp("contract")
    command = [str(TORCH_PYTHON), "-m", "tests.program.contract.record", str(folder / "models"), *MODELS]
    subprocess.run([*command, "--into", str(folder), "--count", "200"], cwd=ROOT, check=True)
    return folder


@pytest.mark.parametrize("name", MODELS)
def test_calls_made_now(recordings: Path, name: str) -> None:
    recording = load(recordings / f"{name}.json")
    assert recording["counts"]["right"] > 10
    held_against(recording)


def test_the_header_takes_tensors(recordings: Path, tmp_path: Path) -> None:
    recording = load(recordings / "range.json")
    contract = build(facts.Package(**recording["package"]), facts.Program(**recording["program"]))
    (tmp_path / "check_inputs.hpp").write_text(cpp_source(contract, "model.pt2"), encoding="utf-8")
    (tmp_path / "host.cpp").write_text(HOST, encoding="utf-8")
    subprocess.run([str(TORCH_PYTHON), "-c", BUILD], cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "host"], capture_output=True, text=True, check=True)
    assert done.stdout[:4] == "0111"
    assert int(done.stdout[4:]) > 0


def test_the_validator_takes_tensors(recordings: Path, tmp_path: Path) -> None:
    recording = load(recordings / "range.json")
    contract = build(facts.Package(**recording["package"]), facts.Program(**recording["program"]))
    (tmp_path / "check_inputs.py").write_text(python_source(contract, "model.pt2"), encoding="utf-8")
    done = subprocess.run([str(TORCH_PYTHON), "-c", CALLS], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        "not what this model was compiled for:",
        "  x: dim 1 is 9; it was fixed to 8 when the model was exported",
        "  x: dim 0 is 65; this model takes 64 at most (s77)",
    ]
