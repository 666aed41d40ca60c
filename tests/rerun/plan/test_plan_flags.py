"""The linter has nothing to say against the flags of its own plans."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.rerun.plan.plan import Plan
from tests.judging import Found, lint_files
from tests.rerun.plans import EXPORT, SERVE, plan, stage, write

TRUTH = sorted((Path(__file__).parents[2] / "truth" / "scripts").glob("*.py"))
SOME = [path for number, path in enumerate(TRUTH) if number % 16 == 0 or path.name[0] == "5"]
"""Some of each kind, and all about flags."""
ADVICE = "AOTI509"
"""What it says about code that leaves a debugging aid on: these are not left on."""
LOWER = "torch._inductor.config.aot_inductor.check_lowerbound"


@pytest.mark.parametrize("symptom", [None, "segfault"])
def test_no_finding_about_the_flags_of_a_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, symptom: str | None
) -> None:
    """Each script with the variables of its plan set in its first line is found no worse about flags than without."""
    monkeypatch.chdir(tmp_path)
    for path in SOME:
        text = path.read_text(encoding="utf-8")
        tmp_path.joinpath(path.name).write_text(text, encoding="utf-8")
        made = plan(path.name, **({"symptom": symptom} if symptom else {}))
        settings: dict[str, str] = {}
        for step in (step for one in made.stages for step in one.steps):
            settings |= step.environment
        if "AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT" in settings:
            settings["AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"] = "2"
        first = "import os; " + "; ".join(f"os.environ[{name!r}] = {value!r}" for name, value in settings.items())
        known = {(one.code, one.row + 1) for one in _flags(tmp_path / "plain", path.name, text)}
        found = {(one.code, one.row) for one in _flags(tmp_path / "set", path.name, f"{first}\n{text}")}
        if _without_lower_bound(made):
            found = {one for one in found if one[0] != "AOTI508"}
        assert not {one for one in found - known if one[0] != ADVICE}, path.name


def test_both_processes_of_a_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, export=EXPORT, serve=SERVE)
    made = plan("serve.py", symptom="segfault")
    for number, name in enumerate(("sanity", "kernels", "values", "minifier", "logs")):
        files = {"export.py": EXPORT, "serve.py": SERVE}
        for step in stage(made, name).steps:
            if step.phase != "tool":
                lines = [f"os.environ[{key!r}] = {value!r}" for key, value in step.environment.items()]
                files[step.command[-1]] = "\n".join(["import os", *lines, files[step.command[-1]]])
        found = lint_files(tmp_path / str(number), files, None, "2.13", "--select", "AOTI5", "--ignore", ADVICE)
        assert not found, name


def _flags(folder: Path, name: str, text: str) -> list[Found]:
    return lint_files(folder / name, {name: text}, None, "2.13", "--select", "AOTI5", "--pedantic")


def _without_lower_bound(made: Plan) -> bool:
    return any(step.config.get(LOWER) is False for one in made.stages for step in one.steps)
