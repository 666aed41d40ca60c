"""With helpers or without, and whatever becomes of these: what is found is the same."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.config import Config
from aoti_lint.engine import analysis
from aoti_lint.engine.check import check
from aoti_lint.machine.recorded.recording import Recording
from aoti_lint.options import Options
from aoti_lint.roots import side_by_side

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no copies of a process here")

TREES = sorted((Path(__file__).resolve().parents[1] / "projects" / "trees").iterdir())
ROWS = 6
REGISTRY = "STATE = {'rows': 2}\n\ndef prepare():\n    global MODEL\n    MODEL = 'model.pt2'\n\nMODEL = None\n"
EXPORTS = """\
import torch, registry

def export_{0}(path=registry.MODEL):
    program = torch.export.export(torch.nn.Linear(8, {0}), (torch.randn(2, 8),))
    torch._inductor.aoti_compile_and_package(program, package_path='{0}.pt2')
    return program.module()(torch.randn({0}, 8))

def serve_{0}():
    registry.prepare()
    return torch._inductor.aoti_load_package(registry.MODEL)
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files whose functions export, and find what a function of another file has left."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("")
    (folder / "registry.py").write_text(REGISTRY)
    for number in range(1, ROWS + 1):
        (folder / f"part{number}.py").write_text(EXPORTS.format(number))
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little is worth helpers, too."""
    monkeypatch.setattr(side_by_side, "AFTER", -1.0)
    monkeypatch.setattr(side_by_side, "FEW", 1)
    monkeypatch.setattr(analysis, "MANY", 1)


@pytest.fixture
def helpers(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The processes that were started; none of them is there any more in the end."""
    started: list[int] = []
    fork = os.fork

    def note() -> int:
        started.append(fork())
        return started[-1]

    monkeypatch.setattr(os, "fork", note)
    yield started
    for one in started:
        with pytest.raises(ChildProcessError):
            os.waitpid(one, 0)


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What this process has run itself."""
    units: list[tuple[Any, ...]] = []
    close = Recording._close

    def note(recording: Recording, one: Any) -> None:
        units.append(one.key)
        close(recording, one)

    monkeypatch.setattr(Recording, "_close", note)
    return units


def document(jobs: int, **more: Any) -> dict[str, Any]:
    return check(Options(["."], Config(), **{"cache": False, **more}, jobs=jobs)).document


def patiently(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first process begins when no helper has anything left to do."""
    watch = side_by_side.Board.watch

    def wait(board: side_by_side.Board) -> None:
        watch(board)
        while os.read(board._ended, 1):
            pass

    monkeypatch.setattr(side_by_side.Board, "watch", wait)


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.name)
def test_what_is_found(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, helpers: list[int]) -> None:
    folder = shutil.copytree(tree, tmp_path / "tree")
    monkeypatch.chdir(folder)
    assert document(3) == document(1)


def test_what_helpers_did_is_not_run_again(
    project: Path, monkeypatch: pytest.MonkeyPatch, helpers: list[int], ran: list[tuple[Any, ...]]
) -> None:
    alone = document(1)
    patiently(monkeypatch)
    assert document(2) == alone
    assert helpers
    assert {path for kind, path, _ in ran if kind == "functions"} == {"part1.py"}


def test_what_helpers_did_is_kept(
    project: Path, tmp_path: Path, helpers: list[int], ran: list[tuple[Any, ...]]
) -> None:
    first = document(3, cache=True, cache_dir=str(tmp_path / "cache"))
    (project / "other.py").write_text("import torch\ntorch.export.Dim('a b')\n")
    ran.clear()
    second = document(3, cache=True, cache_dir=str(tmp_path / "cache"))
    assert {key[1] for key in ran} <= {"other.py", ""} | {key[1] for key in ran if key[0] in ("join", "rules")}
    assert [one["filename"] for one in second["diagnostics"]] != [one["filename"] for one in first["diagnostics"]]


@pytest.mark.parametrize(
    "end", [lambda: os._exit(3), lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: 1 / 0, lambda: time.sleep(1_000)]
)
def test_helpers_that_end_early(
    project: Path, monkeypatch: pytest.MonkeyPatch, helpers: list[int], end: Callable[[], object]
) -> None:
    alone = document(1)
    take = side_by_side.Board.take

    def ends(board: side_by_side.Board) -> Iterable[str]:
        for place, path in enumerate(take(board)):
            if place:
                end()
            yield path

    monkeypatch.setattr(side_by_side, "PATIENCE", 0.2)
    monkeypatch.setattr(side_by_side.Board, "take", ends)
    assert document(3) == alone
    assert len(helpers) >= 2


def test_the_first_process_is_interrupted(project: Path, monkeypatch: pytest.MonkeyPatch, helpers: list[int]) -> None:
    def interrupt(board: side_by_side.Board, place: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(side_by_side.Board, "reach", interrupt)
    with pytest.raises(KeyboardInterrupt):
        document(3)
    assert helpers


@pytest.mark.parametrize("more", [0, 1])
def test_no_more_processes_can_be_started(more: int, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone, fork, left = document(1), os.fork, [more]

    def refuse() -> int:
        if not left[0]:
            raise BlockingIOError("Resource temporarily unavailable")
        left[0] -= 1
        return fork()

    monkeypatch.setattr(os, "fork", refuse)
    assert document(4) == alone


def test_nowhere_to_write(project: Path, monkeypatch: pytest.MonkeyPatch, helpers: list[int]) -> None:
    alone = document(1)
    monkeypatch.setattr(tempfile, "tempdir", str(project / "is not there"))
    assert document(3) == alone
    assert not helpers


def test_nothing_stays_open(project: Path, helpers: list[int]) -> None:
    document(3)
    before = len(os.listdir("/dev/fd"))
    document(3)
    assert len(os.listdir("/dev/fd")) == before
    assert len(helpers) >= 4


def test_more_paths_than_a_pipe_holds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    out = os.open(tmp_path / "out", os.O_RDWR | os.O_CREAT | os.O_APPEND)
    paths = [str(number) for number in range(40_000)]
    mine: list[str] = []
    own = os.getpid()

    def run(path: str) -> None:
        if os.getpid() == own:
            mine.append(path)
        else:
            os.write(out, b".")

    side_by_side.with_helpers(paths, run, 1)
    os.close(out)
    assert mine == paths
    assert os.path.getsize(tmp_path / "out") <= 16_384
