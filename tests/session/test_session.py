"""A session: files are opened, edited and closed, and the check of an older text is ended."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from aoti_lint.cli.check.watch import stamps
from aoti_lint.config import Config
from aoti_lint.machine.recorded import recording, unit, units
from aoti_lint.machine.recorded.open_unit import Open
from aoti_lint.options import Options
from aoti_lint.session import Cancelled, Session

GOOD = """\
import torch
import helper

path = torch._inductor.aoti_compile_and_package(helper.build(2))
torch._inductor.aoti_load_package(path)(torch.randn(2, 8))
"""
BAD = GOOD.replace("torch.randn(2, 8)", "torch.randn(3, 8)")
HELPER = """\
import torch

def build(rows):
    return torch.export.export(torch.nn.Linear(8, 8), (torch.randn(rows, 8),))
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "serve.py").write_text(GOOD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def session(*paths: str) -> Session:
    return Session(Options(list(paths), Config(), cache=False))


def codes(checked: Session) -> list[tuple[str, str]]:
    return [(one["filename"], one["code"]) for one in checked.diagnostics().document["diagnostics"]]


def test_nothing_is_open(project: Path) -> None:
    assert codes(session()) == []


def test_what_is_open_is_checked_as_it_is_there(project: Path) -> None:
    checked = session()
    checked.open("serve.py", BAD)
    assert codes(checked) == [("serve.py", "AOTI301")]
    checked.edit("serve.py", GOOD)
    assert codes(checked) == []
    checked.edit("serve.py", BAD)
    checked.close("serve.py")
    assert codes(checked) == []


def test_a_file_that_is_not_saved_yet(project: Path) -> None:
    checked = session()
    checked.open("new.py", BAD)
    assert codes(checked) == [("new.py", "AOTI301")]


def test_what_lies_beside_is_read_from_disk(project: Path) -> None:
    checked = session()
    checked.open("serve.py", GOOD)
    assert codes(checked) == []
    (project / "helper.py").write_text(HELPER.replace("(rows, 8)", "(5, 8)"))
    assert codes(checked) == [("serve.py", "AOTI301")]


def test_what_has_settled_is_read_again_when_it_changes(project: Path) -> None:
    """A file that was not written for a while is kept, until its time or its size says that it was."""
    os.utime(project / "helper.py", (1e9, 1e9))
    checked = session()
    checked.open("serve.py", GOOD)
    assert codes(checked) == []
    (project / "helper.py").write_text(HELPER.replace("(rows, 8)", "(5, 8)"))
    os.utime(project / "helper.py", (1.1e9, 1.1e9))
    assert codes(checked) == [("serve.py", "AOTI301")]
    assert codes(checked) == [("serve.py", "AOTI301")]


def test_only_what_an_edit_touches_is_done_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module that is imported is not run again, nor is anything when nothing changes."""
    ran: list[unit.Key] = []
    close = recording.Recording._close

    def note(self: recording.Recording, one: Open) -> None:
        ran.append(one.key)
        close(self, one)

    monkeypatch.setattr(recording.Recording, "_close", note)
    checked = session()
    checked.open("serve.py", GOOD)
    checked.diagnostics()
    assert ("import", "helper.py", 0) in ran
    ran.clear()
    checked.diagnostics()
    assert ran == []
    checked.edit("serve.py", BAD)
    checked.diagnostics()
    assert {path for kind, path, _ in ran if kind not in ("join", "rules")} == {"serve.py"}


OPS = """\
import torch

@torch.library.custom_op("lib::op", mutates_args=())
def op(x: torch.Tensor) -> torch.Tensor:
    return x * 2

@op.register_fake
def _(x):
    return x.new_empty(x.shape[0])
"""
USE = """\
import torch
import ops

class Net(torch.nn.Module):
    def forward(self, x):
        return ops.op(x)

torch.export.export(Net(), (torch.zeros({sizes}),))
"""


def test_a_call_elsewhere_says_of_a_fake_that_it_is_wrong(project: Path) -> None:
    (project / "ops.py").write_text(OPS)
    flat, wide = (USE.format(sizes=sizes) for sizes in ("4", "4, 8"))
    (project / "use.py").write_text(flat)
    checked = session("ops.py", "use.py")
    assert codes(checked) == []
    checked.open("use.py", wide)
    assert codes(checked) == [("ops.py", "AOTI404")]
    checked.open("use.py", flat)
    assert codes(checked) == []


def test_what_was_read_for_context_is_counted(project: Path) -> None:
    """It counts as read whether it is run or not."""
    checked = session()
    counts = []
    for text in (GOOD, BAD, GOOD):
        checked.open("serve.py", text)
        counts.append(checked.diagnostics().document["summary"]["context"])
    assert counts == [1, 1, 1]


def test_what_is_not_needed_is_forgotten(project: Path) -> None:
    """However often a file is edited, what is kept of its older texts does not grow."""
    checked = session(".")
    sizes = []
    for edit in range(6):
        checked.open("serve.py", f"{GOOD}\nkept = {edit}\n")
        checked.diagnostics()
        known = checked._kept.units(checked._kept._call, units.Units)._known
        sizes.append((len(checked._contents._before), len(known)))
    assert sizes[2:] == sizes[1:-1]


def test_a_check_is_ended(project: Path) -> None:
    """From another thread, while it runs; the next one is whole."""
    lines = "\n".join(f"x{i} = torch.randn({i + 1}, 8).relu()" for i in range(3000))
    checked = session()
    checked.open("serve.py", f"import torch\nfor i in range(3):\n    pass\n{lines}\n{BAD}")
    begun = threading.Event()
    close = recording.Recording.perform

    def perform(*given: object) -> None:
        begun.set()
        close(*given)  # type: ignore[arg-type]

    def end() -> None:
        begun.wait()
        checked.cancel()

    recording.Recording.perform = perform  # type: ignore[method-assign, assignment]
    try:
        stop = threading.Thread(target=end)
        stop.start()
        with pytest.raises(Cancelled):
            checked.diagnostics()
        stop.join()
    finally:
        recording.Recording.perform = close  # type: ignore[method-assign]
    checked.edit("serve.py", BAD)
    assert codes(checked) == [("serve.py", "AOTI301")]


def test_watch_heeds_the_baseline_too(project: Path) -> None:
    options = Options(["serve.py"], Config(), baseline="base.txt")
    before = stamps(options)
    (project / "base.txt").touch()
    assert stamps(options).keys() - before.keys() == {str(project / "base.txt")}


def test_watch_heeds_what_decides_and_nothing_that_is_written(project: Path) -> None:
    (project / "sub").mkdir()
    options = Options([str(project), "sub/here.pt2"], Config())
    before = stamps(options)
    names = ["aoti-lint.toml", "requirements-gpu.txt", ".gitignore", "sub/here.pt2", "sub/new.py", "uv.lock", "a.yaml"]
    for name in [*names, "notes.txt", "log.out", "report.json"]:
        (project / name).touch()
    after = stamps(options, {str(project / "report.json")})
    assert after.keys() - before.keys() == {str(project / name) for name in names}


def test_watch(project: Path) -> None:
    """`--watch` says what there is after every change, until it is interrupted."""

    def put(name: str, text: str) -> None:
        (project / "whole").write_text(text)  # at once, so that it is one change
        (project / "whole").replace(project / name)

    words = ["--watch", "--no-cache", "--output-format", "json=out.json", "--output-format", "concise", "."]
    command = [sys.executable, "-m", "aoti_lint", *words]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(Path(recording.__file__).parents[2])}
    put("serve.py", BAD)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as watching:
        ends = threading.Timer(120, watching.kill)
        ends.start()
        try:
            assert watching.stdout is not None
            line = watching.stdout.readline

            def changed() -> str:
                """What is said before the next report, below a line of its own."""
                assert line() == "\n"
                assert line().startswith("-----")
                return line()

            assert line() == "aoti-lint: watching this folder, with what is used there; Ctrl+C ends it\n"
            assert line().startswith("serve.py:5")
            put("serve.py", f"# one line more\n{BAD}")
            assert changed().endswith("as this changed: serve.py\n")
            assert line().startswith("serve.py:6")
            put("aoti-lint.toml", "ignor = ['AOTI301']\n")
            assert changed().endswith("as this changed: aoti-lint.toml\n")
            assert "there is no setting 'ignor'" in line()
            put("aoti-lint.toml", "severity = {AOTI301 = 'warning'}\n")
            assert changed().endswith("as this changed: aoti-lint.toml\n")
            assert line().startswith("serve.py:6:41: warning")
            put("helper.py", "def (")
            assert changed().endswith("as this changed: helper.py\n")
            assert line().startswith("helper.py:1:5: error AOTI002")
            (project / "helper.py").unlink()
            assert changed().endswith("as this changed: helper.py\n")
        finally:
            watching.kill()
            ends.cancel()
