"""Scripts that compile only where there is no package, with the package of the run that failed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from aoti_lint.rerun.execution import Execution
from aoti_lint.rerun.plan.plan import Plan, Stage, Step
from aoti_lint.rerun.result import Result
from aoti_lint.rerun.run.children import Limits
from aoti_lint.rerun.run.folder import Workplace
from tests.rerun.inside.test_inside import FAKE

LOADS = 'print(torch._inductor.aoti_load_package("model.pt2")(1))\n'
COMPILES = 'torch._inductor.aoti_compile_and_package(None, package_path="model.pt2")\n'


def hunted(
    source: str, folder: Path, monkeypatch: pytest.MonkeyPatch, written: tuple[str, ...] = ("model.pt2",)
) -> tuple[Result, list[str]]:
    """The report of three stages that run a script, and what each printed. `written` are the packages that its code
    says that it writes."""
    user = folder / "user"
    user.mkdir()
    (user / "model.pt2").write_text("theirs")
    os.utime(user / "model.pt2", (1e9, 1e9))
    (user / "script.py").write_text(f"import os, sys, torch._inductor\n{source}")
    monkeypatch.chdir(user)
    monkeypatch.setenv("PYTHONPATH", FAKE)
    step = Step(phase="whole", command=(sys.executable, "script.py"))
    stages = tuple(
        Stage(name=name, title=name, why="", reads="", steps=(step,)) for name in ("sanity", "logs", "fakes")
    )
    plan = Plan(target=step.command, symptom="nan", stages=stages, runs=3, packages=written)
    work = Workplace(str(folder / "work"))
    result = Execution(plan, work, Limits(seconds=60), lambda text: None).run()
    assert (user / "model.pt2").read_text() == "theirs"
    return result, [work.log(ran) for tried in result.tried for ran in tried.ran]


def test_it_is_compiled_anew_from_the_second_run_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result, logs = hunted(f'if not os.path.exists("model.pt2"):\n    {COMPILES}{LOADS}', tmp_path, monkeypatch)
    assert ["theirs" in log for log in logs] == [True, False, False]
    assert ["pattern_matcher" in log for log in logs] == [False, True, True]
    assert result.notes[0] == (
        "model.pt2 was there, and so nothing was compiled: the runs after the first compile it anew, elsewhere"
    )


def test_a_script_that_only_loads_gets_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result, logs = hunted(LOADS, tmp_path, monkeypatch)
    assert ["theirs" in log for log in logs] == [True] * 3
    assert not any("anew" in note for note in result.notes)


def test_what_it_cannot_do_without_is_shown_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = f'if "--compile" in sys.argv and os.path.exists("data"):\n    {COMPILES}{LOADS}'
    result, logs = hunted(source, tmp_path, monkeypatch)
    assert ["theirs" in log for log in logs] == [True, False, True]
    assert result.culprits == ()
    assert result.tried[1].shows == ("nothing that explains the failure",)


STALE = f'if not os.path.exists("model.pt2"):\n    {COMPILES}{LOADS}assert open("model.pt2").read() != "theirs"\n'


@pytest.mark.parametrize("written", [("model.pt2",), ()])
def test_a_package_that_is_older_than_its_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: tuple[str, ...]
) -> None:
    """Also where the code does not tell what it writes."""
    result, _ = hunted(STALE, tmp_path, monkeypatch, written)
    assert [tried.ran[0].code for tried in result.tried] == [1, 0]
    (one,) = result.culprits
    assert (one.kind, one.name, one.sure) == ("package", "model.pt2", True)
    assert "compiled anew" in one.what


def test_it_is_not_to_blame_where_the_new_one_fails_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = f'if not os.path.exists("model.pt2"):\n    {COMPILES}{LOADS}sys.exit(3)\n'
    result, _ = hunted(source, tmp_path, monkeypatch, ())
    assert result.culprits == ()
    assert len(result.tried) == 3
