"""Lowering many sources in several processes.

The processes are sealed: they import nothing from the folder they are started in. A task goes to them as a line of JSON
and comes back as one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence

from aoti_lint.text.problem import SourceProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from queue import SimpleQueue
    from typing import Any

# Below this many bytes of source per process, starting the process costs more than it saves.
BYTES_PER_WORKER = 1_000_000

# One task is about this many bytes, so that no process is left with a long tail.
_BYTES_PER_TASK = 100_000

Task = list[tuple[str, str]]
Lowered = tuple[str, str | SourceProblem]
"""A path, and the module as `codec.dumps` writes it, or what was wrong."""


def workers_for(size: int) -> int:
    """How many processes are worth starting for `size` bytes of source; 1 means none."""
    return max(1, min(_processors(), size // BYTES_PER_WORKER))


def lower_many(sources: Sequence[tuple[str, str]], workers: int) -> Iterator[Lowered]:
    """Lower pairs of path and text, in as many processes, and give the results in any order.

    Where no process can be started, and for what one leaves undone because it dies, the work is done in this one.
    """
    from queue import SimpleQueue
    from threading import Thread

    left = dict(sources)
    waiting: SimpleQueue[Task] = SimpleQueue()
    for task in _tasks(sources):
        waiting.put(task)
    answers: SimpleQueue[list[Lowered] | None] = SimpleQueue()
    started = _start(workers)
    try:
        for worker in started:
            Thread(target=_feed, args=(worker, waiting, answers), daemon=True).start()
        busy = len(started)
        while busy:
            answer = answers.get()
            if answer is None:
                busy -= 1
            for path, lowered in answer or ():
                del left[path]
                yield path, lowered
    finally:
        for worker in started:
            worker.kill()
            worker.wait()
    yield from lower_task(list(left.items()))


def lower_task(sources: Sequence[tuple[str, str]]) -> list[Lowered]:
    """Lower some sources."""
    from aoti_lint.ir import codec
    from aoti_lint.ir.lower import lower

    results: list[Lowered] = []
    for path, text in sources:
        try:
            results.append((path, codec.dumps(lower(text, path))))
        except SourceProblem as problem:
            results.append((path, problem))
    return results


def main() -> int:
    """In a process of the pool: answer tasks until there are no more."""
    import json

    for line in sys.stdin.buffer:
        answer: list[list[Any]] = []
        for path, lowered in lower_task(json.loads(line)):
            if isinstance(lowered, SourceProblem):
                answer.append([path, None, lowered.message, lowered.offset])
            else:
                answer.append([path, lowered])
        sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
        sys.stdout.buffer.flush()
    return 0


def _start(workers: int) -> list[subprocess.Popen[bytes]]:
    """As many processes as can be started, up to `workers`. They end when their input does, as when this one dies."""
    # A frozen program is no interpreter.
    if not sys.executable or getattr(sys, "frozen", False):
        return []
    import subprocess

    from aoti_lint.isolated.boot import sealed

    started: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(workers):
            # In a session of their own, as Ctrl-C is for us alone: we end them.
            started.append(subprocess.Popen(
                sealed("aoti_lint.ir.pool"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True, creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            ))  # fmt: skip
    except OSError:
        # No more processes here.
        pass
    return started


def _feed(
    worker: subprocess.Popen[bytes], waiting: SimpleQueue[Task], answers: SimpleQueue[list[Lowered] | None]
) -> None:
    """Give a process one task after the other, in a thread of its own, until there are none or it dies."""
    import json
    from queue import Empty

    assert worker.stdin is not None
    assert worker.stdout is not None
    try:
        while True:
            worker.stdin.write(json.dumps(waiting.get_nowait()).encode() + b"\n")
            worker.stdin.flush()
            answers.put([
                (path, module if module is not None else SourceProblem(path, *problem))
                for path, module, *problem in json.loads(worker.stdout.readline())
            ])  # fmt: skip
    except (Empty, OSError, ValueError):
        # ValueError: half an answer, or none, or the pipe is closed.
        pass
    finally:
        answers.put(None)


def _tasks(sources: Sequence[tuple[str, str]]) -> Iterator[Task]:
    """Sources in groups of about the same size, the largest first."""
    task: Task = []
    size = 0
    for source in sorted(sources, key=lambda source: len(source[1]), reverse=True):
        task.append(source)
        size += len(source[1])
        if size >= _BYTES_PER_TASK:
            yield task
            task, size = [], 0
    if task:
        yield task


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        # Not on this system.
        return os.cpu_count() or 1
