"""Where gdb and NaN asserts stop, and whom that speaks against."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from aoti_lint.rerun.judge.by_stage import READERS
from aoti_lint.rerun.judge.debuggers import debugger, nan_asserts
from aoti_lint.rerun.judge.reading import Reading
from aoti_lint.rerun.plan.plan import Stage, Step
from aoti_lint.rerun.read.evidence import Evidence, evidence
from aoti_lint.rerun.read.gdb_stack import blamed
from aoti_lint.rerun.read.printed_values import Seen
from aoti_lint.rerun.result import Launch, Ran, Values
from aoti_lint.rerun.wrapper.launches import Program

STACKS = Path(__file__).parents[1] / "data" / "stacks"
"""What gdb 13 printed of packages of torch 2.13 (CPU) whose custom operator is in C++ and writes out of bounds."""


def evidence_of(name: str, lines: list[str]) -> Evidence:
    step = Step(phase="whole", command=("python", "serve.py"))
    stage = Stage(name=name, title=name, why="", reads="", steps=(step,))
    ran = Ran(command=step.command, environment={}, code=1, how="ended", seconds=1.0, log="log.txt")
    return evidence(stage, step, ran, lines, [], None)


def stack(name: str) -> list[str]:
    return (STACKS / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def test_the_operator_that_writes_beyond_its_tensor() -> None:
    found = blamed(stack("op_writes_beyond"))
    assert found is not None
    assert (found.kind, found.name, found.after) == ("library", "shift_right", False)
    assert (found.frame.path, found.frame.line) == ("shift_op.cpp", 13)
    reading = Reading(program=Program(launches=[Launch(number=1, name="shifty::shift_right", kind="op")]))
    debugger(reading, evidence_of("debugger", stack("op_writes_beyond")), "segfault")
    (culprit,) = reading.culprits
    assert (culprit.kind, culprit.name, culprit.sure) == ("op", "shifty::shift_right", True)
    assert culprit.place is not None
    assert culprit.place.line == 13


def test_memory_that_was_broken_before_names_nobody() -> None:
    found = blamed(stack("heap_broken_before"))
    assert found is not None
    assert (found.kind, found.after) == ("wrapper", True)
    reading = Reading()
    (says,) = debugger(reading, evidence_of("debugger", stack("heap_broken_before")), "segfault")
    assert not reading.culprits
    assert "overwritten before" in says


@pytest.mark.parametrize(
    ("frame", "kind", "name"),
    [
        ("#0  0x00007f in cpp_fused_relu_0._omp_fn.0 () at /tmp/x/y.kernel.cpp:9", "kernel", "cpp_fused_relu_0"),
        ("#0  cpp_fused_add_1 (in_ptr0=0x7f, out_ptr0=0x8) at /tmp/x/y.kernel.cpp:12", "kernel", "cpp_fused_add_1"),
        ("#0  0x00007f in ops::(anonymous namespace)::pad(at::Tensor) () from /home/me/libpad.so", "library",
         "ops::(anonymous namespace)::pad(at::Tensor)"),
        ("#0  0x00007f in aoti_torch_cpu_addmm_out () from /v/torch/lib/libtorch_cpu.so", "extern",
         "aoti_torch_cpu_addmm_out"),
    ],
)  # fmt: skip
def test_frames(frame: str, kind: str, name: str) -> None:
    found = blamed(["Thread 1 received signal SIGSEGV, Segmentation fault.", "#0 of nothing", frame])
    assert found is not None
    assert (found.kind, found.name) == (kind, name)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["aoti-lint: error: ops.py: no custom operator was registered"],
         "aoti-lint probe could not tell: ops.py: no custom operator was registered"),
        (['{"ops": []}'], "the fakes promise what the kernels give"),
    ],
)  # fmt: skip
def test_a_tool_that_looked_at_nothing_says_nothing(lines: list[str], says: str) -> None:
    step = Step(phase="tool", command=("aoti-lint", "probe", "ops.py"))
    seen = dataclasses.replace(evidence_of("fakes", lines), step=step)
    assert READERS["fakes"](Reading(), seen, "segfault") == [says]


def test_no_stack() -> None:
    assert blamed(["[Inferior 1 exited normally]", "No stack."]) is None


def asserted(after: Values | None, line: str) -> tuple[Reading, list[str]]:
    maker = Launch(number=1, name="triton_poi_log_0", kind="kernel", reads=("arg0_1",), writes=("buf0",))
    reading = Reading(program=Program(launches=[maker]))
    if after is not None:
        reading.printed = [[Seen(maker, [], [after])]]
    return reading, nan_asserts(reading, evidence_of("nan-asserts", [line]), "nan")


def test_an_assert_that_the_values_confirm() -> None:
    bad = Values(argument="buf0", when="after", dtype="float32", shape=(4,), nan=None, inf=0, bad=True)
    reading, _ = asserted(bad, "RuntimeError: At least one NaN in buf0")
    assert [(one.name, one.sure) for one in reading.culprits] == [("triton_poi_log_0", False)]


@pytest.mark.parametrize("line", ["RuntimeError: At least one INF in buf0", "    assert not buf0.isinf().any().item()"])
def test_an_assert_that_stops_where_nothing_is_wrong(line: str) -> None:
    """At memory that was not written yet, or whose values nobody printed."""
    good = Values(argument="buf0", when="after", dtype="float32", shape=(4,), nan=0, inf=0)
    for after in (good, None):
        reading, says = asserted(after, line)
        assert reading.culprits == []
        assert "not blamed" in says[0]
