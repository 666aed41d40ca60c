"""What the debug printer saved, put beside the launches of the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.rerun.tools import saved
from tests.rerun.test_launches import chain

torch = pytest.importorskip("torch")


def test_saved_tensors_are_of_the_launches_of_the_source(tmp_path: Path) -> None:
    """One operator is launched twice, a buffer lives on under another name, and a custom op saves nothing."""
    nan = torch.full((4, 16), float("nan"))
    folder = tmp_path / "tmp"
    folder.mkdir()
    for kernel, name, before, after in (
        ("aoti_torch_cpu_addmm_out", "buf0", nan, torch.ones(4, 16)),
        ("aoti_torch_cpu_addmm_out", "buf3", nan, nan),
        ("aoti_torch_cpu_addmm_out", "buf5", torch.zeros(4, 4), torch.full((4, 4), float("nan"))),
        ("cpp_fused_log_pad2_relu_sub_0", "buf1", torch.ones(4, 16), nan),
    ):
        torch.save(before, folder / f"aoti_torchbefore_launch_{kernel}_{name}_cpu.pt")
        torch.save(after, folder / f"aoti_torchafter_launch_{kernel}_{name}_cpu.pt")
    seen = saved(str(tmp_path), chain())
    assert [(one.launch.number, sorted({value.argument for value in one.values})) for one in seen] == [
        (1, ["buf0"]),
        (2, ["buf1"]),
        (5, ["buf3", "buf5"]),
    ]
    assert [(value.argument, value.fresh, value.bad) for one in seen for value in one.before] == [
        ("buf0", True, False),
        ("buf1", False, False),
        ("buf3", False, True),
        ("buf5", True, False),
    ]
    assert seen[1].left()[0].nan == 64
