"""What results mean, without torch."""

from __future__ import annotations

import pytest

from aoti_lint.isolated.process import Died
from aoti_lint.program.verify.cases import Call, Case, Change, Kind
from aoti_lint.program.verify.judge import judge
from aoti_lint.program.verify.protocol import CallResult, Difference, Result
from aoti_lint.program.verify.session import beyond

FINE = CallResult()
GUARD = CallResult(error="AssertionError", text="Guard failed: x.size()[0] <= 16")
BROKEN = CallResult(error="RuntimeError", text="no such index\nand more")


def case(kind: Kind = "size") -> Case:
    return Case(name="it", kind=kind, calls=(Call(),), change=Change(input=0, scalar=3) if kind == "scalar" else None)


def result(program: CallResult, package: CallResult, *differences: Difference) -> Result:
    return Result(calls={"program": (program,), "package": (package,)}, differences=differences)


@pytest.mark.parametrize(
    ("program", "package", "kind", "verdict"),
    [
        (FINE, FINE, "size", "agrees"),
        (FINE, BROKEN, "size", "raises"),
        (BROKEN, FINE, "size", "accepts"),
        (BROKEN, BROKEN, "size", "both raise"),
        (GUARD, FINE, "size", "rejected"),
        (GUARD, FINE, "scalar", "accepts"),
    ],
)
def test_verdicts(program: CallResult, package: CallResult, kind: Kind, verdict: str) -> None:
    assert judge(case(kind), result(program, package)).verdict == verdict


def test_a_difference_says_where() -> None:
    found = judge(
        case(),
        result(
            FINE, FINE, Difference(left="program", right="package", call=1, what="shape", path="out['y']", text="(4,)")
        ),
    )
    assert (found.verdict, found.subject, found.call) == ("shape differs", "package", 1)
    assert found.text == "out['y'] is (4,)"


def test_a_dead_child_is_a_verdict() -> None:
    found = judge(case(), Died(how="crash", stage="running the package", text="SIGSEGV"))
    assert (found.verdict, found.subject) == ("crash", "package")
    assert not found.good


def test_beyond_the_contract_silence_is_told_from_refusal() -> None:
    outside = case("outside")
    for program, package, silent in ((GUARD, FINE, True), (GUARD, BROKEN, False), (FINE, FINE, False)):
        ran = result(program, package)
        assert beyond(judge(outside, ran), ran)[1] is silent
