from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aoti_lint.ir import codec, pool
from aoti_lint.ir.lower import lower
from aoti_lint.text.problem import SourceProblem

PROJECT = Path(__file__).parents[2]
SOURCES = [("a.py", "x = 1\n"), ("b.py", "y = = 2\n"), ("c/d.py", "def f(): return 'é'\n")]


def expected() -> dict[str, str]:
    return {path: codec.dumps(lower(text, path)) for path, text in SOURCES if path != "b.py"}


def check(results: dict[str, str | SourceProblem]) -> None:
    problem = results.pop("b.py")
    assert isinstance(problem, SourceProblem)
    assert (problem.path, problem.offset) == ("b.py", 4)
    assert results == expected()


def test_in_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_BYTES_PER_TASK", 1)
    here: list[object] = []

    def lower_task(left: list[object]) -> list[object]:
        here.extend(left)
        return []

    monkeypatch.setattr(pool, "lower_task", lower_task)
    check(dict(pool.lower_many(SOURCES, 2)))
    assert not here


def test_text_that_is_no_unicode_goes_there_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [("\udcff.py", "x = '\u2028'\n")]
    assert dict(pool.lower_many(sources, 1)) == {"\udcff.py": codec.dumps(lower(sources[0][1], "\udcff.py"))}


def test_without_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("no processes here")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    check(dict(pool.lower_many(SOURCES, 2)))


@pytest.mark.parametrize("does", ["sys.exit(3)", "sys.stdin.readline(); print('[[', flush=True)"])
def test_processes_that_die_or_talk_nonsense(monkeypatch: pytest.MonkeyPatch, does: str) -> None:
    monkeypatch.setattr("aoti_lint.isolated.boot.sealed", lambda _: [sys.executable, "-c", f"import sys; {does}"])
    check(dict(pool.lower_many(SOURCES, 2)))


def test_a_process_that_is_killed_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    killing = "import os, signal, sys\nfor line in sys.stdin:\n    os.kill(os.getpid(), signal.SIGTERM)"
    monkeypatch.setattr("aoti_lint.isolated.boot.sealed", lambda _: [sys.executable, "-c", killing])
    check(dict(pool.lower_many(SOURCES, 2)))


def test_no_process_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    started = pool._start(2)
    monkeypatch.setattr(pool, "_start", lambda _: started)
    monkeypatch.setattr(pool, "_BYTES_PER_TASK", 1)
    for _ in pool.lower_many(SOURCES, 2):
        break
    assert [process.poll() is not None for process in started] == [True, True]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_ctrl_c_prints_one_line_and_nobody_outlives_us(tmp_path: Path, sent: signal.Signals) -> None:
    """Ctrl-C goes to all processes of the terminal."""
    line = "torch.export.export(model, (torch.ones(2),))\n"
    for number in range(8):
        (tmp_path / f"m{number}.py").write_text(f"import torch  # {number}\n" + line * 8_000, encoding="utf-8")
    # The shell that runs the tests may ignore Ctrl-C, and what it starts then does, too.
    hearing = (
        "import signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from aoti_lint.cli.main import main\nsys.exit(main())"
    )
    command = [sys.executable, "-c", hearing, "--no-cache", str(tmp_path)]
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True, cwd=PROJECT
    )
    try:
        until = time.monotonic() + 60
        while not (workers := below(process.pid)):
            assert process.poll() is None
            assert time.monotonic() < until
            time.sleep(0.01)
        os.killpg(process.pid, sent)
        assert process.stderr is not None
        errors = process.stderr.read()
        if sent == signal.SIGINT:
            assert (process.wait(), errors) == (130, "aoti-lint: interrupted\n")
        while any(map(runs, workers)):
            assert time.monotonic() < until
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()


def runs(pid: int) -> bool:
    try:
        return Path("/proc", str(pid), "stat").read_text("ascii").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def below(pid: int) -> set[int]:
    """The children of a process."""
    try:
        threads = list(Path("/proc", str(pid), "task").iterdir())
        return {int(child) for thread in threads for child in (thread / "children").read_text("ascii").split()}
    except OSError:
        return set()


def test_tasks_hold_everything_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_BYTES_PER_TASK", 10)
    tasks = list(pool._tasks(SOURCES))
    assert sorted(source for task in tasks for source in task) == SOURCES
    assert tasks[0][0][0] == "c/d.py"
    assert len(tasks) > 1


def test_small_work_starts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_processors", lambda: 8)
    assert pool.workers_for(1000) == 1
    assert pool.workers_for(2 * pool.BYTES_PER_WORKER) == 2
    assert pool.workers_for(1000 * pool.BYTES_PER_WORKER) == 8
