"""`queue.Queue`, worked off by the thread that fills it, and by another."""

from __future__ import annotations

from pathlib import Path

from tests.judging import lint_files

FILLED = """import queue
import threading

import torch

run = torch.export.export(torch.nn.Linear(8, 8), (torch.randn(2, 8),)).module()
todo = queue.Queue()
todo.put(torch.randn(2, 8))
todo.put(torch.randn(3, 8))
"""
WORK = """
def work():
    while not todo.empty():
        run(todo.get())
"""


def said(folder: Path, script: str) -> list[tuple[str, str]]:
    return [(item.code, item.severity) for item in lint_files(folder, {"run.py": FILLED + script})]


def test_what_is_worked_off_is_known_item_by_item(tmp_path: Path) -> None:
    assert said(tmp_path / "empty", WORK + "work()\n") == [("AOTI301", "error")]
    until_none = "todo.put(None)\nwhile True:\n    one = todo.get()\n    if one is None:\n        break\n    run(one)\n"
    assert said(tmp_path / "none", until_none) == [("AOTI301", "error")]
    assert not said(tmp_path / "first", "run(todo.get())\n")


def test_what_another_thread_fills_or_empties_is_not_known(tmp_path: Path) -> None:
    assert not said(tmp_path / "worker", WORK + "threading.Thread(target=work).start()\n")
    own = "class Worker(threading.Thread):\n    def run(self):\n        work()\n"
    assert not said(tmp_path / "own", WORK + own + "Worker().start()\nwork()\n")
    taken = "threading.Thread(target=todo.get).start()\nwhile not todo.empty():\n    run(todo.get())\n"
    assert not said(tmp_path / "taken", taken)
    given = "threading.Thread(target=print, args=(todo,)).start()\nmore(todo)\nrun(todo.get())\nrun(todo.get())\n"
    assert not said(tmp_path / "given", "from other import more\n" + given)
