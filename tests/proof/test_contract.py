"""The contract of models that are compiled here: what the recordings say still holds for the torch at hand."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from aoti_lint.program import facts
from aoti_lint.program.contract.build import build
from aoti_lint.program.contract.cpp_source import cpp_source
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
