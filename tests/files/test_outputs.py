"""Every file that a command writes: nothing of the user's is lost, whatever is in its place and whatever happens."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from aoti_lint.cli.main import main
from aoti_lint.report.check.formats import FORMATS
from tests.cli.scripts import CLEAN, DEPRECATED

Run = Callable[..., tuple[int, str]]
PROJECT = Path(__file__).parents[2]
PACKAGE = PROJECT / "tests" / "program" / "contract" / "archives" / "guards.aoti.pt2"
PROGRAM = """\
import os, resource, signal, sys
from aoti_lint.files import writer
how, *words = sys.argv[1:]
if how == "full":
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
elif how:
    # Where the shell of the tests ignores it, as nohup does, nobody would hear of it.
    heard = signal.default_int_handler if int(how) == signal.SIGINT else signal.SIG_DFL
    signal.signal(int(how), heard)
    writer._to_disk = lambda opened: os.kill(os.getpid(), int(how))
from aoti_lint.cli.main import main
from aoti_lint.report.check.formats import FORMATS
sys.exit(main(words))
"""
COMMANDS = {
    "check": ("check", "--no-cache", "script.py", "--output-file"),
    "rerun": ("rerun", "script.py", "--symptom", "nan", "--device", "cpu", "-o"),
    "contract": ("contract", "net.pt2", "-o"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["torch==2.13.*"]\n', encoding="utf-8")
    (tmp_path / "script.py").write_text(DEPRECATED, encoding="utf-8")
    (tmp_path / "clean.py").write_text(CLEAN, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("mine\n", encoding="utf-8")
    (tmp_path / "broken.py").write_text("import torch\ntorch.export.export(\n", encoding="utf-8")
    shutil.copy(PACKAGE, tmp_path / "net.pt2")
    return tmp_path


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in the folder; gives its exit code and what it told."""
    monkeypatch.chdir(folder)

    def run(*words: str) -> tuple[int, str]:
        code = main(words)
        return code, capsys.readouterr().err

    return run


def child(folder: Path, *words: str, how: str = "", stdout: int = subprocess.PIPE) -> tuple[int, str]:
    """The same in a process of its own, to which something happens."""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, "-c", PROGRAM, how, *words]
    done = subprocess.run(
        command, cwd=folder, env=environment, stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=300
    )
    assert not done.stdout
    return done.returncode, done.stderr


def state(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def refused(run: Run, folder: Path, *words: str) -> str:
    """One line says why; every file is as it was."""
    before = state(folder)
    code, told = run(*words)
    assert (code, len(told.splitlines())) == (2, 1)
    assert state(folder) == before
    return told


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_is_written_over_what_the_user_has(folder: Path, run: Run, command: str) -> None:
    words = COMMANDS[command]
    read = "net.pt2" if command == "contract" else "script.py"
    (folder / "link").symlink_to(read)
    for name in (read, "link"):
        assert "this file is read by this run" in refused(run, folder, *words, name)
        assert "this file is read by this run" in refused(run, folder, *words, name, "--force")
    for name in ("notes.txt", "broken.py", "pyproject.toml"):
        assert "--force writes over it" in refused(run, folder, *words, name)
    assert run(*words, "notes.txt", "--force")[0] in (0, 1)
    assert b"mine" not in (folder / "notes.txt").read_bytes()


@pytest.mark.parametrize("command", COMMANDS)
def test_what_the_command_wrote_it_writes_anew(folder: Path, run: Run, command: str) -> None:
    (folder / "out").mkdir()
    (folder / "link.py").symlink_to("out/real.py")
    for _ in range(2):
        assert run(*COMMANDS[command], "link.py")[0] in (0, 1)
    assert (folder / "link.py").is_symlink()
    assert os.listdir(folder / "out") == ["real.py"]


def test_a_report_takes_the_place_of_one_in_any_format(run: Run) -> None:
    concise, as_json = ("--output-format", "concise"), ("--output-format", "json")
    others = [("--output-format", name) for name in FORMATS]
    for options in ((), *others, ("--statistics",), (*concise, "--statistics"), (*concise, "--coverage")):
        for name in ("script.py", "clean.py", "broken.py"):
            said = run("--no-cache", name, "--output-file", "report", *options)[1]
            assert said == (
                "" if name != "broken.py" else "aoti-lint: error: broken.py:2: invalid syntax: '(' was never closed\n"
            )
            assert run("--no-cache", "clean.py", "--output-file", "report", *as_json) == (0, "")


@pytest.mark.parametrize("form", FORMATS)
def test_no_format_is_written_over_what_the_user_has(folder: Path, run: Run, form: str) -> None:
    words = ("script.py", "--no-cache", "--output-format", "text=new", "--output-format")
    for name in ("notes.txt", "broken.py", "pyproject.toml"):
        assert "--force writes over it" in refused(run, folder, *words, f"{form}={name}")
    assert "this file is read by this run" in refused(run, folder, *words, f"{form}=script.py", "--force")
    assert "No such file" in refused(run, folder, *words, f"{form}=no/such/folder")


def test_the_file_of_a_folder_that_is_checked_is_read_too(folder: Path, run: Run) -> None:
    words = (".", "--no-cache", "--output-file", "clean.py", "--force")
    assert "this file is read by this run" in refused(run, folder, *words)


@pytest.mark.parametrize("command", ["check", "contract"])
def test_a_full_disk_leaves_all_as_it_was(folder: Path, run: Run, command: str) -> None:
    words = COMMANDS[command]
    assert run(*words, "old")[0] in (0, 1)
    before = state(folder)
    for name in ("new", "old"):
        assert child(folder, *words, name, how="full") == (2, f"aoti-lint: error: {name}: File too large\n")
    assert state(folder) == before
    (folder / "link").symlink_to("/dev/full")
    assert run(*words, "link") == (2, "aoti-lint: error: link: No space left on device\n")


@pytest.mark.parametrize("words", [("script.py", "--no-cache"), ("schema",)])
def test_standard_output_that_is_full(folder: Path, words: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        code, told = child(folder, *words, stdout=full.fileno())
    assert (code, told) == (2, "aoti-lint: error: standard output: No space left on device\n")


@pytest.mark.parametrize(
    ("command", "number", "code", "told"),
    [
        ("check", signal.SIGINT, 130, "aoti-lint: interrupted\n"),
        ("check", signal.SIGTERM, -signal.SIGTERM, ""),
        ("contract", signal.SIGHUP, -signal.SIGHUP, ""),
        ("rerun", signal.SIGTERM, -signal.SIGTERM, ""),
    ],
)
def test_signals_at_the_moment_of_writing_leave_all_as_it_was(
    folder: Path, command: str, number: int, code: int, told: str
) -> None:
    before = state(folder)
    assert child(folder, *COMMANDS[command], "new", how=str(int(number))) == (code, told)
    assert state(folder) == before


def test_names_that_are_no_utf_8(folder: Path, run: Run) -> None:
    name, out = os.fsdecode(b"caf\xe9.py"), os.fsdecode(b"\xff.txt")
    (folder / name).write_text(DEPRECATED, encoding="utf-8")
    for words in (("check", "--no-cache", name, "--output-file"), ("rerun", name, "--symptom", "nan", "-o")):
        for _ in range(2):
            code, told = run(*words, out)
            assert (code in (0, 1), told) == (True, "")
        assert (folder / out).stat().st_size > 0
        (folder / out).unlink()
