"""Plans as scripts: they parse, run the right processes, and leave the files of the user as they were."""

from __future__ import annotations

import io
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from aoti_lint.cli.main import main
from aoti_lint.errors import CannotRun
from aoti_lint.rerun.formats import format_of, written
from aoti_lint.rerun.plan.plan import FOLDER, KERNEL, LAUNCHER, Plan, Stage, Step
from aoti_lint.rerun.plan.symptoms import SYMPTOMS
from aoti_lint.rerun.result import Result
from aoti_lint.rerun.run.children import Limits
from tests.rerun.plans import EXPORT, SERVE, TRACE, WHOLE, command, plan, write

BASH = shutil.which("bash")
needs_bash = pytest.mark.skipif(BASH is None or sys.platform == "win32", reason="there is no bash")

PROGRAM = """\
import os, sys

open("net.pt2", "w").write("instrumented")
print("[ before_launch: cpp_fused_0 ]")
print("[ after_launch: cpp_fused_0 ]")
print("[ before_launch: cpp_fused_1 ]")
print("asked for", os.environ.get("ASKED"), "in", os.environ.get("WHERE"), "it's", repr(sys.argv[1:]))
"""


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@needs_bash
@pytest.mark.parametrize("symptom", SYMPTOMS)
def test_shell_scripts_parse(tmp_path: Path, symptom: str) -> None:
    write(tmp_path, export=EXPORT, serve=SERVE, trace=TRACE)
    made = [plan("serve.py", symptom=symptom, device="cuda"), plan("trace.py", symptom=symptom),
            plan(command("./it's $HOME", "a b.pt2"), symptom=symptom)]  # fmt: skip
    checks = [[str(BASH), "-n"], *([["shellcheck"]] if shutil.which("shellcheck") else [])]
    for number, one in enumerate(made):
        path = tmp_path / f"{number}.sh"
        path.write_text(written(one, "sh"), encoding="utf-8")
        compile(written(one, "python"), "rerun.py", "exec")
        for words in checks:
            done = subprocess.run([*words, str(path)], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr


def _made_by_hand(arguments: tuple[str, ...] = ()) -> Plan:
    program = (sys.executable, "program.py", *arguments)
    return Plan(
        target=program, symptom="segfault", torch="2.13.0", device="cpu", runs=3, packages=("net.pt2",),
        stages=(
            Stage(name="kernels", title="What's it?", why="w", reads="r", steps=(
                Step(phase="whole", command=program, environment={"PYTHONUNBUFFERED": "1", "WHERE": FOLDER}),)),
            Stage(name="values", title="t", why="w", reads="r", repeats=True, steps=(
                Step(phase="whole", command=program, environment={"ASKED": KERNEL}),)),
            Stage(name="minifier", title="t", why="w", reads="r", steps=(
                Step(phase="tool", command=(sys.executable, LAUNCHER, "run"), inside=True),
                Step(phase="tool", command=(sys.executable, "-c", "import os; print('in', os.getcwd())"), inside=True),
                Step(phase="tool", command=("no-such-program",), needs=("no-such-program",)),)),
            Stage(name="sanitizer", title="t", why="w", reads="r", needs=("no-such-tool",), steps=(
                Step(phase="run", command=program),)),
        ),
    )  # fmt: skip


def _start(tmp_path: Path, kind: str, *words: str, arguments: tuple[str, ...] = ()) -> str:
    """Run the script of a plan; gives what it says."""
    tmp_path.joinpath("program.py").write_text(PROGRAM, encoding="utf-8")
    path = tmp_path / ("rerun.sh" if kind == "sh" else "rerun.py")
    path.write_text(written(_made_by_hand(arguments), kind), encoding="utf-8")
    first = str(BASH) if kind == "sh" else sys.executable
    done = subprocess.run(
        [first, str(path), *words], capture_output=True, text=True, cwd=tmp_path, check=False,
        env={**os.environ, "OUT": str(tmp_path / "out"), "LIMIT": "60"},
    )  # fmt: skip
    return done.stdout + done.stderr


@pytest.mark.parametrize("kind", [pytest.param("sh", marks=needs_bash), "python"])
def test_a_script_runs_its_stages(tmp_path: Path, kind: str) -> None:
    package = tmp_path / "net.pt2"
    package.write_text("mine", encoding="utf-8")
    said = _start(tmp_path, kind, arguments=("a b", "$HOME", "it's"))
    assert package.read_text(encoding="utf-8") == "mine"
    assert f"asked for None in {tmp_path / 'out' / 'kernels'} it's ['a b', '$HOME', \"it's\"]" in said
    assert "asked for cpp_fused_1 in None" in said
    assert f"in {tmp_path / 'out' / 'minifier'}" in said
    assert "there is no no-such-program" in said
    assert "there is no no-such-tool" in said
    assert "before_launch: cpp_fused_0" in (tmp_path / "out" / "kernels" / "1.log").read_text(encoding="utf-8")
    assert (tmp_path / "out" / "kernels" / "made" / "net.pt2").read_text(encoding="utf-8") == "instrumented"


@pytest.mark.parametrize("kind", [pytest.param("sh", marks=needs_bash), "python"])
def test_a_package_that_was_not_there_is_not_left_behind(tmp_path: Path, kind: str) -> None:
    said = _start(tmp_path, kind, "values:mine_0")
    assert "asked for mine_0" in said
    assert not (tmp_path / "net.pt2").exists()
    shutil.rmtree(tmp_path / "out")
    assert "there is no stage nope; there are: kernels values minifier sanitizer" in _start(tmp_path, kind, "nope")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", ["sh", "python"])
def test_a_script_speaks_of_stages_that_it_has(kind: str) -> None:
    whole = _made_by_hand()
    found = tuple(stage for stage in whole.stages if stage.name == "minifier")
    text = written(whole.model_copy(update={"stages": found}), kind)
    assert f"rerun.{'sh' if kind == 'sh' else 'py'} minifier    only these stages" in text
    assert "kernels" not in text.partition("OUT=folder")[0]


def test_settings_without_a_variable(tmp_path: Path) -> None:
    """The hook sets them where the module is imported, replaces functions, and hands on to the next sitecustomize."""
    hook = Path(__file__).parents[3] / "aoti_lint" / "rerun" / "formats" / "hook.py"
    for name, text in {
        "hook/sitecustomize.py": hook.read_text(encoding="utf-8"),
        "mine/sitecustomize.py": "print('mine too')\n",
        "mine/net/__init__.py": "def old():\n    return 'old'\n",
        "mine/net/config.py": "def other():\n    return 'other'\nwidth = 8\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    wanted = {"config": {"net.config.width": 1, "net.config.deep.width": 2}, "replace": {"net.old": "net.config.other"}}
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(tmp_path / "hook"), str(tmp_path / "mine")]),
        "AOTI_LINT_SETTINGS": json.dumps(wanted),
    }
    code = "from net import old, config; print(old(), config.width, getattr(config, 'deep.width'))"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split("\n")[:2] == ["mine too", "other 1 2"], done.stderr


def test_the_format_follows_the_name() -> None:
    assert format_of("a.sh", None, windows=False) == "sh"
    assert format_of("a.py", None, windows=False) == "python"
    assert format_of("a.json", None, windows=False) == "json"
    assert format_of(None, None, windows=False) == "sh"
    assert format_of(None, None, windows=True) == "python"
    with pytest.raises(CannotRun, match="does not run on Windows"):
        format_of("a.sh", None, windows=True)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, whole=WHOLE)
    options = ["--torch-version", "2.13", "--device", "cpu", "--symptom", "nan"]
    assert main(["rerun", "whole.py", *options]) == 0
    said = capsys.readouterr().out
    assert said.startswith("symptom: nan\n")
    assert "AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER=2" in said
    assert main(["rerun", "whole.py", *options, "-o", "rerun.json"]) == 0
    made = Plan.model_validate_json(Path("rerun.json").read_text(encoding="utf-8"))
    assert made.symptom == "nan"
    capsys.readouterr()
    assert main(["rerun", "whole.py", *options, "--output-format", "json", "--", "--fast"]) == 0
    plan = capsys.readouterr().out
    assert Plan.model_validate_json(plan).symptom == "nan"
    assert main(["rerun", "whole.py", *options, "--format", "json", "--", "--fast"]) == 0, "its former name"
    assert capsys.readouterr().out == plan
    assert main(["rerun", "whole.py", *options, "--output-format", "text"]) == 0
    assert capsys.readouterr().out == said
    assert main(["rerun", "whole.py", *options, "--output-format", "text", "-o", "plan.sh"]) == 2
    assert main(["rerun", "whole.py", *options, "--output-format", "sh", "--execute"]) == 2
    capsys.readouterr()
    assert main(["rerun", "whole.py", *options, "-o", "rerun.json"]) == 0, "a plan may be written anew"
    capsys.readouterr()
    assert main(["rerun", "whole.py", "--symptom", "nann"]) == 2
    assert "did you mean 'nan'?" in capsys.readouterr().err
    assert main(["rerun"]) == 2
    assert "what should be run?" in capsys.readouterr().err


def test_no_file_of_the_user_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, whole=WHOLE)
    (tmp_path / "net.pt2").write_bytes(b"PK\x03\x04")
    for name in ("whole.py", "net.pt2"):
        assert main(["rerun", "whole.py", "--symptom", "nan", "--device", "cpu", "-o", name]) == 2
        assert f"{name}: this file " in capsys.readouterr().err
    assert (tmp_path / "whole.py").read_text(encoding="utf-8") == WHOLE
    assert (tmp_path / "net.pt2").read_bytes() == b"PK\x03\x04"
    for name in ("a.sh", "a.py", "a.json"):
        for _ in range(2):
            assert main(["rerun", "whole.py", "--symptom", "nan", "--device", "cpu", "-o", name]) == 0


def test_what_is_printed_can_be_typed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, whole=WHOLE)
    given = ["--symptom", "export-error", "--torch-version", "2.13", "--device", "cpu", "--", "it's a b"]
    assert main(["rerun", "whole.py", *given]) == 0
    said = capsys.readouterr().out
    assert f" whole.py {shlex.quote(given[-1])}" in said
    assert "TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED={guard}" in said
    assert "with torch.export.draft_export in the place of torch.export.export" in said


def test_execute_asks_before_it_runs_anything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, whole="import torch\nopen('ran', 'w')\n" + WHOLE)
    options = ["rerun", "whole.py", "--torch-version", "2.13", "--device", "cpu", "--execute"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))
    assert main(options) == 2
    said = capsys.readouterr().err
    assert f"this runs, in a copy of {tmp_path} (1 files, " in said
    assert f"\n  {sys.executable} whole.py: up to 16 times (sanity, " in said
    assert "add --yes" in said
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(sys.stdin, "readline", lambda: "n\n")
    assert main(options) == 2
    assert "not run" in capsys.readouterr().err
    assert main([*options, "-o", "rerun.sh"]) == 2
    assert not (tmp_path / "ran").exists()
    capsys.readouterr()
    assert main(["rerun", "--device", "cpu", "--execute", "--yes", "--", "./serve", "net.pt2"]) == 2
    assert "./serve: there is no such program" in capsys.readouterr().err


@pytest.mark.parametrize(("found", "stopped", "code"), [(True, False, 0), (False, False, 1), (True, True, 130)])
def test_the_exit_code_says_what_came_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], found: bool, stopped: bool,
    code: int,
) -> None:  # fmt: skip
    def executed(plan: Plan, limits: Limits, keep: str | None, *others: object) -> Result:
        assert limits == Limits(seconds=5, memory=2 << 20)
        return Result(target=plan.target, symptom=plan.symptom, torch=None, folder=str(keep), found=found,
                      culprits=(), tried=(), stopped=stopped)  # fmt: skip

    monkeypatch.setattr("aoti_lint.rerun.execution.execute", executed)
    write(tmp_path, whole=WHOLE)
    words = ["rerun", "whole.py", "--execute", "--yes", "--timeout", "5", "--memory", "2", "--keep", "there"]
    assert main(words) == code
    assert f"the report is in {Path('there') / 'report.html'}" in capsys.readouterr().err
