"""What a run says in which a part of the compiler is switched off."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from aoti_lint.rerun.judge.compiler_bisect import switched
from aoti_lint.rerun.plan.plan import Stage, Step
from aoti_lint.rerun.plan.playbook.compiling import BACKENDS, COMPILER
from aoti_lint.rerun.read.evidence import Evidence
from aoti_lint.rerun.result import Ran

INDUCTOR = "torch._inductor.config."


@dataclass
class Known:
    failures: list[bool] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def seen(step: Step, *, code: int) -> Evidence:
    ran = Ran(command=step.command, environment={}, code=code, how="ended", seconds=1.0, log="log")
    return Evidence(Stage(name="compile-path", title="t", why="w", reads="r", steps=(step,)), step, ran, (), ())


@pytest.mark.parametrize(("code", "how"), [(0, "works"), (1, "fails too")])
def test_a_backend_says_what_was_left(code: int, how: str) -> None:
    known = Known([True, True])
    step = Step(phase="whole", command=("p",), replace={COMPILER: BACKENDS["aot_eager"]})
    says = f"with the backend aot_eager in the place of Inductor (Dynamo and AOTAutograd) it {how}"
    assert switched(known, seen(step, code=code), None) == (None, [says])
    assert known.notes == [says]


def test_what_is_meant_is_no_fault_of_the_compiler() -> None:
    fixes = {}
    for name, value in (("emulate_precision_casts", True), ("pattern_matcher", False)):
        step = Step(phase="whole", command=("p",), config={INDUCTOR + name: value})
        culprit, _ = switched(Known([True, True, True]), seen(step, code=0), None)
        assert culprit is not None
        assert (culprit.name, culprit.sure) == (name, True)
        fixes[name] = culprit.fix
    assert "rounds less often than eager does" in fixes["emulate_precision_casts"]
    assert "report it to PyTorch" in fixes["pattern_matcher"]
