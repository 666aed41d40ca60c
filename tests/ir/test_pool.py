from __future__ import annotations

import concurrent.futures

import pytest

from aoti_lint.ir import codec, pool
from aoti_lint.ir.lower import lower
from aoti_lint.source.problem import SourceProblem

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
    check(dict(pool.lower_many(SOURCES, 2)))


def test_without_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("no semaphores here")

    monkeypatch.setattr(concurrent.futures, "ProcessPoolExecutor", refuse)
    check(dict(pool.lower_many(SOURCES, 2)))


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
