"""Lowering many sources in several processes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from aoti_lint.source.problem import SourceProblem

# Below this many bytes of source per process, starting the process costs more than it saves.
BYTES_PER_WORKER = 1_000_000

# One task is about this many bytes, so that no process is left with a long tail.
_BYTES_PER_TASK = 100_000

Lowered = tuple[str, str | SourceProblem]
"""A path, and the module as `codec.dumps` writes it, or what was wrong."""


def workers_for(size: int) -> int:
    """How many processes are worth starting for `size` bytes of source; 1 means none."""
    return max(1, min(_processors(), size // BYTES_PER_WORKER))


def lower_many(sources: Sequence[tuple[str, str]], workers: int) -> Iterator[Lowered]:
    """Lower pairs of path and text, in as many processes, and give the results in any order.

    Where no process can be started the work is done in this one.
    """
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    left = dict(sources)
    try:
        # Not `fork`: the caller may have threads.
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            pending = [pool.submit(lower_task, task) for task in _tasks(sources)]
            for done in as_completed(pending):
                for path, lowered in done.result():
                    del left[path]
                    yield path, lowered
    except (OSError, BrokenProcessPool):
        # No semaphores or no processes here, or one was killed.
        yield from lower_task(list(left.items()))


def lower_task(sources: Sequence[tuple[str, str]]) -> list[Lowered]:
    """Lower some sources, in a process of the pool."""
    from aoti_lint.ir import codec
    from aoti_lint.ir.lower import lower

    results: list[Lowered] = []
    for path, text in sources:
        try:
            results.append((path, codec.dumps(lower(text, path))))
        except SourceProblem as problem:
            results.append((path, problem))
    return results


def _tasks(sources: Sequence[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Sources in groups of about the same size, the largest first."""
    task: list[tuple[str, str]] = []
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
