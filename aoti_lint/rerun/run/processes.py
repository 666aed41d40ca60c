"""The processes that a run has started, with all that those have started: who they are, how much memory they take."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Process:
    """A process, as the system tells: its parent, its group, the bytes of memory it has in use."""

    pid: int
    parent: int
    group: int
    memory: int


def of_run(first: int, mark: str = "") -> list[Process]:
    """The process `first`, those below it, those of its group, and those with `mark` in their environment.

    Workers of torchrun and of Inductor make sessions of their own; the mark finds those whose parent is gone.
    """
    everyone = {process.pid: process for process in _everyone()}
    mine = {pid for pid, process in everyone.items() if first in (pid, process.group) or (mark and _marked(pid, mark))}
    grew = True
    while grew:
        below = {pid for pid, process in everyone.items() if process.parent in mine} - mine - {os.getpid()}
        mine |= below
        grew = bool(below)
    mine.discard(os.getpid())
    return [everyone[pid] for pid in mine]


def send(processes: Iterable[Process], what: signal.Signals) -> None:
    """Send a signal to each."""
    for process in processes:
        try:
            os.kill(process.pid, what)
        except OSError:
            # Gone meanwhile.
            continue


def exact(processes: Iterable[Process]) -> int:
    """The bytes they take together, memory that they share counted once."""
    total = 0
    for process in processes:
        try:
            with open(f"/proc/{process.pid}/smaps_rollup", encoding="ascii") as file:
                total += next(int(line.split()[1]) << 10 for line in file if line.startswith("Pss:"))
        except (OSError, StopIteration, ValueError):
            total += process.memory
    return total


def _everyone() -> Iterator[Process]:
    if sys.platform == "linux":
        page = os.sysconf("SC_PAGE_SIZE")
        for name in os.listdir("/proc"):
            if name.isdigit():
                try:
                    with open(f"/proc/{name}/stat", "rb") as file:
                        fields = file.read().rpartition(b")")[2].split()
                except OSError:
                    continue
                if fields[0] not in (b"Z", b"X"):
                    yield Process(int(name), int(fields[1]), int(fields[2]), int(fields[21]) * page)
        return
    try:
        told = subprocess.run(
            ["ps", "-A", "-o", "pid=,ppid=,pgid=,rss="], capture_output=True, text=True, check=False
        ).stdout
    except OSError:
        return
    for line in told.splitlines():
        numbers = [int(word) for word in line.split() if word.isdigit()]
        if len(numbers) == 4:
            yield Process(numbers[0], numbers[1], numbers[2], numbers[3] << 10)


def _marked(pid: int, mark: str) -> bool:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return os.fsencode(mark) in file.read()
    except OSError:
        return False
