"""One vocabulary for how a run fails: rules, causes of logs and plans have the same twelve words."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from aoti_lint.diagnostics import Outcome, symptom_of
from aoti_lint.rerun.plan.playbook.stages import PLAYBOOK
from aoti_lint.rerun.plan.symptoms import SYMPTOMS, of_diagnostics, of_log
from aoti_lint.triage.cause import Level
from aoti_lint.triage.causes import CAUSES

RULES = Path(__file__).parents[3] / "rules"
NO_FAILURE = {Outcome.NO_EFFECT, Outcome.DEPRECATED, Outcome.STYLE}


def said(path: Path) -> set[str]:
    """The texts that may be given as `symptom` in a file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.keyword) and node.arg == "symptom":
            tests = {id(inner) for one in ast.walk(node) if isinstance(one, ast.IfExp) for inner in ast.walk(one.test)}
            found |= {
                one.value
                for one in ast.walk(node.value)
                if isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in tests
            }
    return found


def test_rules_say_nothing_else() -> None:
    words = {path.name: said(path) - set(SYMPTOMS) for path in RULES.rglob("*.py")}
    assert {name: others for name, others in words.items() if others} == {}
    assert any(said(path) for path in RULES.rglob("*.py"))


def test_every_outcome_that_fails_has_one() -> None:
    assert {outcome for outcome in Outcome if symptom_of(outcome) is None} == NO_FAILURE


def test_causes_of_logs_say_nothing_else() -> None:
    assert {cause.symptom for cause in CAUSES} - {None, *SYMPTOMS} == set()


def test_causes_without_one_are_those_that_no_rerun_explains() -> None:
    causes = {cause.name for cause in CAUSES if cause.symptom is None and cause.level is not Level.NOTE}
    assert causes == {
        "cuda-after-fork", "torch-logs", "variable-not-a-number", "minifier-found-nothing", "out-of-memory", "killed",
        "torch-not-installed",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "symptom", "stages"),
    [
        ("RuntimeError: run_func_(container_handle_, input_handles.data(), 1) API call failed at runner.cpp, line 147",
         "shape-mismatch", ("sanity", "kernels", "fakes")),
        ("Error: input_handles[0]: unmatched dtype, expected: 6(at::kFloat), but got: 7", "wrong-result", ("sanity",)),
        ("RuntimeError: expected size 12==12, stride 1==6 at dim=1; expected size 6==6, stride 12==1 at dim=2",
         "shape-mismatch", ("sanity", "fakes")),
    ],
)  # fmt: skip
def test_what_a_package_raises_has_a_plan(line: str, symptom: str, stages: tuple[str, ...]) -> None:
    """Also what an operator in it raises, whatever that says."""
    chosen = of_log("run.log", [line])
    assert not isinstance(chosen, str), chosen
    assert chosen.symptom == symptom
    assert set(stages) <= set(PLAYBOOK[chosen.symptom])


@pytest.mark.parametrize(
    ("lines", "symptom"),
    [
        (["    assert torch.isfinite(y).all()", "AssertionError"], "nan"),
        (["    assert good(y)", "AssertionError: NaN in the answer"], "nan"),
        (["    torch.testing.assert_close(y, want)", "AssertionError: Tensor-likes are not close!"], "wrong-result"),
        (["    assert y.shape == want", "AssertionError", "make: *** [run] Error 1"], "wrong-result"),
    ],
)
def test_a_check_of_its_own_says_what_it_looked_at(lines: list[str], symptom: str) -> None:
    chosen = of_log("run.log", ["Traceback (most recent call last):", *lines])
    assert not isinstance(chosen, str), chosen
    assert chosen.symptom == symptom
    assert isinstance(of_log("run.log", ["it was an AssertionError once"]), str)


def test_a_finding_is_seen_as_it_says() -> None:
    found = {
        "severity": "error", "confidence": "certain", "symptom": "segfault", "filename": "a.py", "code": "AOTI404",
        "location": {"row": 3}, "message": "The fake promises another size.",
    }  # fmt: skip
    on_gpu, on_cpu = of_diagnostics([found], "cuda"), of_diagnostics([found], "cpu")
    assert on_gpu is not None
    assert on_cpu is not None
    assert (on_gpu.symptom, on_cpu.symptom) == ("illegal-memory-access", "segfault")
    assert of_diagnostics([{**found, "symptom": None}], "cpu") is None
