"""What the debug printer saved, put beside the launches of the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.errors import CannotRun
from aoti_lint.rerun.read import package_tensors
from aoti_lint.rerun.read.tool_reports import saved
from tests.rerun.wrapper.test_launches import chain

torch = pytest.importorskip("torch")

from aoti_lint.rerun.report.saved_tensors import document, text  # noqa: E402
from aoti_lint.tensors.dumps import read  # noqa: E402
from aoti_lint.tensors.judge import first_bad  # noqa: E402


def save(folder: Path) -> None:
    """One operator is launched twice, a buffer lives on under another name, and a custom op saves nothing."""
    nan = torch.full((4, 16), float("nan"))
    folder = folder / "tmp"
    folder.mkdir()
    for kernel, name, before, after in (
        ("aoti_torch_cpu_addmm_out", "buf0", nan, torch.ones(4, 16)),
        ("aoti_torch_cpu_addmm_out", "buf3", nan, nan),
        ("aoti_torch_cpu_addmm_out", "buf5", torch.zeros(4, 4), torch.full((4, 4), float("nan"))),
        ("cpp_fused_log_pad2_relu_sub_0", "buf1", torch.ones(4, 16), nan),
    ):
        torch.save(before, folder / f"aoti_torchbefore_launch_{kernel}_{name}_cpu.pt")
        torch.save(after, folder / f"aoti_torchafter_launch_{kernel}_{name}_cpu.pt")


def test_saved_tensors_are_of_the_launches_of_the_source(tmp_path: Path) -> None:
    save(tmp_path)
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


def test_two_launches_of_a_kernel_are_told_apart_by_the_package(tmp_path: Path) -> None:
    save(tmp_path)
    ordered = package_tensors.launches(read(str(tmp_path)), chain())
    assert [(one.number, one.kernel, one.silent) for one in ordered] == [
        (1, "aoti_torch_cpu_addmm_out", False),
        (2, "cpp_fused_log_pad2_relu_sub_0", False),
        (3, "lab::pad2", True),
        (5, "aoti_torch_cpu_addmm_out", False),
    ]
    first = first_bad(ordered)
    assert first is not None
    assert (first.launch.number, [dump.name.argument for dump in first.made]) == (2, ["buf1"])
    assert document(ordered, first)["first_bad"]["number"] == 2
    assert package_tensors.maker(first, chain()) is None


def test_an_operator_that_saves_nothing_is_named_by_the_package(tmp_path: Path) -> None:
    """What it made is bad, and what it was given is not."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    source = chain()
    op = next(one for one in source.launches if one.kind == "op")
    after = next(one for one in source.launches if set(one.reads) & set(op.writes) and one.kind != "op")
    given = next(iter(set(after.reads) & set(op.writes)))
    kernel = source.launches[op.number - 2]
    for name, argument, when, value in (
        (kernel.name, kernel.writes[0], "after", 1.0),
        (after.name, given, "before", float("nan")),
        (after.name, after.writes[0], "after", float("nan")),
    ):
        torch.save(torch.full((4,), value), folder / f"aoti_torch{when}_launch_{name}_{argument}_cpu.pt")
    ordered = package_tensors.launches(read(str(tmp_path)), source)
    first = first_bad(ordered)
    assert first is not None
    found = package_tensors.maker(first, source)
    assert found is not None
    assert found.name == op.name
    said = "\n".join(part for line in text(ordered, first, found) for part, _ in line)
    assert f"made by the operator {op.name}" in said


def test_a_package_of_other_kernels(tmp_path: Path) -> None:
    folder = tmp_path / "tmp"
    folder.mkdir()
    torch.save(torch.ones(2), folder / "aoti_torchafter_launch_cpp_fused_other_9_buf0_cpu.pt")
    with pytest.raises(CannotRun, match="none of the saved tensors"):
        package_tensors.launches(read(str(tmp_path)), chain())
    with pytest.raises(CannotRun, match="no package"):
        package_tensors.program_of(str(folder))
