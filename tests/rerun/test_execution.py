"""What is run after what: plans whose processes are played, with the logs that real ones leave."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import pytest

from aoti_lint.diagnostics import Symptom
from aoti_lint.rerun.execution import Execution
from aoti_lint.rerun.plan.plan import FOLDER, KERNEL, PROGRAM, Plan, Stage, Step
from aoti_lint.rerun.result import Ran, Result
from aoti_lint.rerun.run import children
from aoti_lint.rerun.run.children import Limits
from aoti_lint.rerun.run.folder import Workplace
from aoti_lint.rerun.wrapper import launches
from tests.rerun.wrapper.test_launches import chain, printed

PRINTER = "AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"
FILTER = "AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT"
Play = Callable[[str, Step], tuple[str, int]]
"""Gives the log and the exit code of the process that a stage runs."""
Played = Callable[[Symptom, tuple[Stage, ...], Play], tuple[Result, list[tuple[str, Step]]]]


def stage(
    name: str, variables: dict[str, str] | None = None, *, repeats: bool = False, needs: tuple[str, ...] = ()
) -> Stage:
    step = Step(phase="whole", command=("python", "serve.py"), environment=variables or {})
    return Stage(name=name, title=name, why="", reads="", steps=(step,), needs=needs, repeats=repeats)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Played:
    """Runs a plan of stages whose processes are played."""

    def run(symptom: Symptom, stages: tuple[Stage, ...], play: Play) -> tuple[Result, list[tuple[str, Step]]]:
        ran: list[tuple[str, Step]] = []

        def once(
            step: Step, workplace: Workplace, limits: Limits, tell: object, name: str = "", cwd: object = None
        ) -> Ran:
            place = workplace.begin(step, name)
            log, code = play(name, step)
            Path(place.log).write_text(log, encoding="utf-8")
            ran.append((name, step))
            environment: Mapping[str, str] = step.environment
            return Ran(
                command=step.command, environment=dict(environment), code=code, how="signal" if code < 0 else "ended",
                seconds=1.0, log=os.path.relpath(place.log, workplace.root),
            )  # fmt: skip

        monkeypatch.setattr(children, "run", once)
        monkeypatch.setattr(launches, "read", lambda path: chain())
        plan = Plan(target=("python", "serve.py"), symptom=symptom, stages=stages, runs=9)
        made = Execution(plan, Workplace(str(tmp_path / "work")), Limits(), lambda text: None)
        made.reading.program = chain()
        return made.run(), ran

    return run


def only(kernels: str) -> str:
    """The printed values of some kernels, as the filter leaves them."""
    kept, on = [], True
    for line in printed():
        if "_launch - " in line:
            on = line.split(" - ")[1] in kernels.split(",")
        if on:
            kept.append(line)
    return "\n".join(kept)


def test_a_message_that_names_the_cause_ends_the_hunt(played: Played) -> None:
    log = (
        'Traceback (most recent call last):\n  File "/app/serve.py", line 5, in <module>\n    run(x)\n'
        "RuntimeError: input_handles[1]: unmatched dim value at 0, expected: 2, but got: 5\n"
    )
    result, ran = played("wrong-result", (stage("sanity"), stage("kernels")), lambda name, step: (log, 1))
    assert [name for name, _ in ran] == ["sanity"]
    assert result.found
    (culprit,) = result.culprits
    assert (culprit.kind, culprit.name, culprit.place and culprit.place.line) == ("input", "input 1", 5)


def test_a_false_alarm_of_the_check_is_not_blamed(played: Played) -> None:
    log = "RuntimeError: input_handles[0]: dim value is too small at 0, expected it to be >= 2, but got: 1\n"
    result, ran = played("segfault", (stage("sanity"), stage("kernels")), lambda name, step: (log, 1))
    assert (result.found, result.culprits) == (False, ())
    assert [name for name, _ in ran] == ["sanity", "kernels"]
    assert any("not blamed" in note for note in result.notes)


def test_bad_values_are_walked_back_kernel_by_kernel(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run prints the kernels that the filter names; the suspect is where it crashed, the culprit is upstream."""
    from aoti_lint.rerun.judge import by_stage, reading

    for module in (by_stage, reading):
        monkeypatch.setattr(module, "REACH", 1)

    def play(name: str, step: Step) -> tuple[str, int]:
        if name == "kernels":
            return "[ before_launch: cpp_fused__softmax_2 ]\n", -11
        return only(step.environment[FILTER]), -11

    stages = (stage("kernels", {PRINTER: "3"}), stage("values", {PRINTER: "2", FILTER: KERNEL}, repeats=True))
    result, ran = played("segfault", stages, play)
    asked = [step.environment[FILTER].split(",") for name, step in ran if name.startswith("values")]
    assert asked[0] == ["cpp_fused__softmax_2", "aoti_torch_cpu_addmm_out"]
    assert "cpp_fused_log_pad2_relu_sub_0" in asked[-1]
    assert result.culprits[0].name == "cpp_fused_log_pad2_relu_sub_0"
    assert [one.number for one in result.culprits[0].chain] == [5, 6]


def test_what_is_not_found_is_said(played: Played) -> None:
    result, _ = played("segfault", (stage("sanity"), stage("kernels")), lambda name, step: ("fine\n", 0))
    assert (result.found, result.culprits) == (False, ())
    assert [one.shows for one in result.tried] == [("it ended well with these flags",)] * 2


def test_a_stage_whose_tool_is_not_there_is_left_out(played: Played) -> None:
    result, ran = played("segfault", (stage("sanitizer", needs=("no-such-sanitizer",)),), lambda name, step: ("", 0))
    assert ran == []
    assert result.tried[0].shows == ("left out: no-such-sanitizer is not installed here",)


def test_a_step_that_needs_what_is_not_there_is_left_out(played: Played) -> None:
    verify = Step(phase="tool", command=("aoti-lint", "verify", FOLDER, "--program", PROGRAM))
    one = Stage(name="compare", title="", why="", reads="", steps=(verify,))
    _, ran = played("wrong-result", (one,), lambda name, step: ("", 0))
    assert ran == []


def test_ctrl_c_leaves_what_is_known(played: Played) -> None:
    def play(name: str, step: Step) -> tuple[str, int]:
        if name == "kernels":
            raise KeyboardInterrupt
        return "fine\n", 0

    result, _ = played("segfault", (stage("sanity"), stage("kernels")), play)
    assert result.stopped
    assert [one.stage for one in result.tried] == ["sanity"]


@pytest.mark.parametrize("runner", ["", "E       "])
def test_the_check_of_sizes_names_an_operator(played: Played, runner: str) -> None:
    """Under pytest, too."""
    log = (
        f"{runner}RuntimeError: expected size 8==8, stride 8==512 at dim=0; "
        "expected size 8==512, stride 1==1 at dim=1\n"
        f"{runner}Error in op: torch.ops.fault.crop.default\n"
    )
    result, _ = played("segfault", (stage("sanity"),), lambda name, step: (log, 1))
    (culprit,) = result.culprits
    assert (culprit.kind, culprit.name) == ("op", "fault::crop")
    assert culprit.what.endswith("than its fake promised: 8 in dimension 1, and not 512")


def test_the_check_of_sizes_names_inputs(played: Played) -> None:
    log = "RuntimeError: expected size 2==8, stride 3==3 at dim=0\nError in op: input\n"
    result, _ = played("wrong-result", (stage("sanity"),), lambda name, step: (log, 1))
    assert [(one.kind, one.name) for one in result.culprits] == [("input", "inputs of one Dim")]


def path_stage(*changes: dict[str, object]) -> Stage:
    steps = tuple(Step(phase="whole", command=("python", "serve.py"), config=change) for change in changes)
    return Stage(name="compile-path", title="", why="", reads="", steps=steps)


PATTERNS: dict[str, object] = {"torch._inductor.config.pattern_matcher": False}
FUSION: dict[str, object] = {"torch._inductor.config.epilogue_fusion": False}


def test_the_setting_without_which_it_works(played: Played) -> None:
    stages = (stage("sanity"), stage("kernels"), stage("fakes"), path_stage(FUSION, PATTERNS))
    result, _ = played("wrong-result", stages, lambda name, step: ("bad\n", 0 if step.config == PATTERNS else 1))
    (culprit,) = result.culprits
    assert (culprit.kind, culprit.name, culprit.sure) == ("setting", "pattern_matcher", True)
    assert result.tried[-1].shows[0] == "with epilogue_fusion = False it fails too"


def test_a_failure_that_comes_and_goes_blames_no_setting(played: Played) -> None:
    stages = (stage("sanity"), stage("kernels"), stage("fakes"), path_stage(PATTERNS))
    result, _ = played("segfault", stages, lambda name, step: ("", 1 if name == "kernels" else 0))
    assert (result.found, result.culprits) == (False, ())
    assert "did not fail each time" in result.tried[-1].shows[0]


def test_a_program_that_turns_out_to_compile_is_planned_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A test whose fixture compiles, in a file that nobody named."""
    ran: list[tuple[str, str]] = []

    def once(step: Step, workplace: Workplace, limits: Limits, tell: object, name: str = "", cwd: object = None) -> Ran:
        place = workplace.begin(step, name)
        Path(place.log).write_text("", encoding="utf-8")
        events = Path(place.folder, "events", "1.jsonl")
        events.write_text(json.dumps({"event": "compile", "number": 1, "time": 1.0, "pid": 3}) + "\n", encoding="utf-8")
        ran.append((name, step.phase))
        log = os.path.relpath(place.log, workplace.root)
        return Ran(command=step.command, environment={}, code=1, how="ended", seconds=1.0, log=log)

    def plan(phase: Literal["run", "whole"], *names: str) -> Plan:
        step = Step(phase=phase, command=("pytest",))
        stages = tuple(Stage(name=name, title=name, why="", reads="", steps=(step,)) for name in names)
        return Plan(target=("pytest",), symptom="nan", stages=stages, runs=9)

    monkeypatch.setattr(children, "run", once)
    work = Workplace(str(tmp_path / "work"))
    before, after = plan("run", "sanity", "logs"), plan("whole", "sanity", "values", "logs")
    made = Execution(before, work, Limits(), lambda text: None, compiling=lambda: after).run()
    assert ran == [("sanity", "run"), ("values", "whole"), ("logs", "whole")]
    assert any("planned anew" in note for note in made.notes)


COMPARED = {"event": "compared", "number": 2, "time": 2.0, "pid": 3, "same": True}
ORIGIN = {
    "event": "origin", "number": 2, "time": 2.0, "pid": 3, "of": 1, "kind": "weight", "name": "norm.scale",
    "bad": "float32[4] from 1 to 1, 1 NaN",
}  # fmt: skip


@pytest.mark.parametrize(
    ("first", "later", "beside", "named"),
    [([COMPARED], [COMPARED], [True, False], []), ([], [ORIGIN], [True, True], ["weight norm.scale"])],
    ids=["in the first run", "once the program is saved"],
)
def test_the_program_runs_beside_its_package_as_soon_as_it_can(
    first: list[object], later: list[object], beside: list[bool], named: list[str],
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
) -> None:  # fmt: skip
    """Nobody saved the program of a package that was there already: it is saved when the package is compiled anew."""
    call = {"event": "call", "number": 1, "time": 1.0, "pid": 3, "package": "net.pt2"}
    given = {"kind": "tensor", "shape": [4], "dtype": "float32", "device": "cpu", "nan": 4, "inf": 0}
    back = {"event": "returned", "number": 3, "time": 3.0, "pid": 3, "of": 1, "what": "call", "outputs": [given]}
    ran: list[bool] = []

    def once(step: Step, workplace: Workplace, limits: Limits, tell: object, name: str = "", cwd: object = None) -> Ran:
        place = workplace.begin(step, name)
        Path(place.log).write_text("", encoding="utf-8")
        lines = [json.dumps(one) for one in (call, *(first if name == "sanity" else later), back)]
        Path(place.folder, "events", "1.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        ran.append(step.beside)
        log = os.path.relpath(place.log, workplace.root)
        return Ran(command=step.command, environment={}, code=0, how="ended", seconds=1.0, log=log)

    monkeypatch.setattr(children, "run", once)
    step = Step(phase="run", command=("python", "serve.py"))
    stages = tuple(Stage(name=name, title=name, why="", reads="", steps=(step,)) for name in ("sanity", "values"))
    plan = Plan(target=("python", "serve.py"), symptom="nan", stages=stages, runs=2)
    made = Execution(plan, Workplace(str(tmp_path / "work")), Limits(), lambda text: None).run()
    assert ran == beside
    assert [one.name for one in made.culprits] == named
