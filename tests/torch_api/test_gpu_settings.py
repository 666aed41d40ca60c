"""What the reference says of settings on a GPU is what was recorded on one (`tests/torch_api/gpu/recorded.json`)."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.torch_api.guide.lookup import find

HERE = Path(__file__).parent / "gpu"
PRINTER = "AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"


@cache
def recorded() -> dict[str, Any]:
    """The groups of results by name."""
    found = json.loads((HERE / "recorded.json").read_text(encoding="utf-8"))
    script = found["scripts"]["settings.py"]
    assert found["torch"].startswith("2.11.")
    assert script["rc"] == 0
    sha = hashlib.sha256((HERE / "settings.py").read_bytes()).hexdigest()[:16]
    assert script["sha"] == sha, "changed since; run its `how` on a GPU machine again"
    return {name: group for line in script["printed"] for name, group in json.loads(line).items()}


@pytest.mark.parametrize("value", ["0", "1", "", "true"])
def test_only_1_turns_caching_off(value: str) -> None:
    caches = recorded()["caches"]
    assert caches["unset"] == "True"
    assert caches[f"PYTORCH_NO_CUDA_MEMORY_CACHING={value}"] == str(value != "1")


@pytest.mark.parametrize("value", ["0", "1", "", "true"])
def test_only_1_makes_launches_wait(value: str) -> None:
    assert recorded()["waits"][f"CUDA_LAUNCH_BLOCKING={value}"] == str(value == "1")
    (row,) = find("CUDA_LAUNCH_BLOCKING")
    assert row.values[value].startswith("every") == (value == "1")


def test_launches_wait_when_it_is_set_before_the_first_use_of_the_gpu() -> None:
    waits = recorded()["waits"]
    assert [waits[moment] for moment in ("unset", "before", "after")] == ["False", "True", "False"]


def test_which_variable_turns_cuda_graphs_on() -> None:
    compiled = recorded()["graphs, checks, files"]
    assert compiled["TORCHINDUCTOR_CUDAGRAPHS=1"].startswith("[True")
    assert compiled["TORCHINDUCTOR_TRITON_CUDAGRAPHS=1"].startswith("[False")


def test_nan_asserts_check_kernels() -> None:
    compiled = recorded()["graphs, checks, files"]
    assert compiled["TORCHINDUCTOR_NAN_ASSERTS=1"] == "[False, True, False]"
    assert compiled[f"{PRINTER}=3"] == "[False, False, False]"


def test_the_debug_printer_under_torch_compile() -> None:
    compiled = recorded()["graphs, checks, files"]
    assert [compiled[f"{PRINTER}={mode}"].endswith("True]") for mode in "123"] == [True, False, False]
    assert recorded()["prints"] == {"2": True, "3": False}
