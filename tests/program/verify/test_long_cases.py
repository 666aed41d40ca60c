"""A case is left out only if it would take too long, which a small case that was held up does not show."""

from __future__ import annotations

from typing import cast

from aoti_lint.program.verify.process import Child
from aoti_lint.program.verify.protocol import CallResult, Open, Opened, Result
from aoti_lint.program.verify.report import Report
from aoti_lint.program.verify.session import Options, Session
from tests.program.verify.spaces import space, tensor

BATCH = space(tensor("x", "s0", 16), ranges={"s0": (4, None)}, base={"s0": 4})


class Timed:
    """A child in which every model returns, after so many seconds for each run in turn; then each takes the last."""

    def __init__(self, *seconds: float) -> None:
        self.seconds = list(seconds)

    def run_case(self, calls: list[list[str]], **options: object) -> Result:
        seconds = self.seconds.pop(0) if len(self.seconds) > 1 else self.seconds[0]
        returned = tuple(CallResult() for _ in calls)
        return Result(calls={"program": returned, "package": returned}, seconds=seconds)


def run(*seconds: float) -> Report:
    options = Options(Open(program="ep.pt2", package="net.pt2"), kinds=("example", "size", "values"))
    opened = Opened(roles=("program", "package"))
    return Session(options, cast(Child, Timed(*seconds)), opened, None, BATCH).report()


def test_a_busy_machine_makes_no_case_long() -> None:
    found = run(5.0, 1.5, 0.001)
    assert "x.shape[0] = 4096" in [ran.case.name for ran in found.cases]
    assert not found.notes


def test_what_would_take_too_long_is_left_out_and_says_by_what() -> None:
    found = run(1.5)
    assert "x.shape[0] = 4096" not in [ran.case.name for ran in found.cases]
    assert found.notes == (
        "1 case was left out, as it may take longer than 20 seconds (--case-seconds), "
        "going by the 1.5 seconds of 'x.shape[0] = 17': x.shape[0] = 4096",
    )
