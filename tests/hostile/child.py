"""Work in a process of its own, with a bound for its memory and its time."""

from __future__ import annotations

import os
import resource
import sys
import traceback
from collections.abc import Callable

MEMORY = 1 << 30
"""Bytes that the work may take, besides what this process has."""
SECONDS = 20
"""Of processor time: far more than any of this takes, far less than what has no end."""


def within_bounds(work: Callable[[], object]) -> str:
    """The text of what `work` gives. Fails if it raises, or does not end within the bounds."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        told, code = "", 1
        try:
            with open("/proc/self/statm", encoding="ascii") as size:
                used = int(size.read().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
            told, code = str(work()), 0
        except BaseException:
            told = traceback.format_exc()[-3000:]
        finally:
            with open(writing, "w", encoding="utf-8", errors="backslashreplace") as out:
                out.write(told)
            sys.stdout.flush()
            os._exit(code)
    os.close(writing)
    with open(reading, encoding="utf-8") as said:
        told = said.read()
    _, status = os.waitpid(child, 0)
    assert not os.WIFSIGNALED(status), f"it did not end within {SECONDS} seconds (signal {os.WTERMSIG(status)})"
    assert os.WEXITSTATUS(status) == 0, told
    return told
