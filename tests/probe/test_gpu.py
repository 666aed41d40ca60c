"""What `probe` said of operators with kernels for CUDA alone, on a GPU (`gpu/record.py`), and how it gets there."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from aoti_lint.probe import gpu, made  # noqa: E402

GPU = Path(__file__).parent / "gpu"
RECORDED: dict[str, Any] = json.loads((GPU / "recorded.json").read_text(encoding="utf-8"))
RULES = {
    "after": [], "right": [], "columns": ["AOTI422"], "kept": ["AOTI404"],
    # Half of a half tensor is itself; a dense CPU tensor has other strides than what `sin` keeps.
    "halved": ["AOTI405", "AOTI412"], "hosted": ["AOTI406", "AOTI422"],
}  # fmt: skip


def test_the_record_is_of_these_operators() -> None:
    assert RECORDED["sha"] == hashlib.sha256((GPU / "ops.py").read_bytes()).hexdigest()[:16], "record it again"


@pytest.mark.parametrize("name", sorted(RULES))
def test_kernels_on_a_gpu_are_compared_with(name: str) -> None:
    op = RECORDED["ops"][f"on_gpu::{name}"]
    assert op["status"] == "probed"
    assert op["compared"] >= 10
    assert op["rules"] == RULES[name]


def test_a_kernel_that_breaks_the_gpu_is_named_and_the_rest_goes_on() -> None:
    op = RECORDED["ops"]["on_gpu::beyond"]
    assert op["compared"] == 0
    assert op["kernel"].startswith("it crashed with inputs made up, while running the kernel: SIGABRT: CUDA error")


def test_which_kernels_are_for_a_gpu_alone() -> None:
    library = torch.library.Library("gpu_alone", "DEF")
    for name, key in (("there", "CUDA"), ("here", "CPU"), ("anywhere", "CompositeExplicitAutograd")):
        library.define(f"{name}(Tensor x) -> Tensor")
        library.impl(name, lambda x: x.clone(), key)
    library.impl("here", lambda x: x.clone(), "CUDA")
    ops = torch.ops.gpu_alone
    assert [gpu.only_on_gpu(op.default) for op in (ops.there, ops.here, ops.anywhere)] == [True, False, False]


def test_inputs_for_them_are_on_the_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there was one: what is made is marked, not moved."""
    library = torch.library.Library("gpu_inputs", "DEF")
    library.define("there(Tensor x) -> Tensor")
    library.impl("there", lambda x: x.clone(), "CUDA")
    candidates = made._candidates(torch.ops.gpu_inputs.there.default)
    assert next(candidates).device is None
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(made, "on_cuda", lambda example: replace(example, device="cuda"))
    assert next(made._candidates(torch.ops.gpu_inputs.there.default)).device == "cuda"


def test_a_process_whose_gpu_is_broken_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("CUDA error: an illegal memory access was encountered")

    error = RuntimeError("CUDA error: an illegal memory access was encountered\nand more")
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.cuda, "synchronize", broken)
    with pytest.raises(gpu.DeviceLost, match=r"illegal memory access was encountered$"):
        gpu.raise_if_lost(error)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: None)
    gpu.raise_if_lost(error)
