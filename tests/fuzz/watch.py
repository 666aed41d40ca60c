"""The process of `subject`, watched from outside: started, asked, and replaced when it dies."""

from __future__ import annotations

import os
import pickle
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from types import TracebackType

from tests.fuzz.case import Case, Fault, Outcome
from tests.fuzz.subject import HERE, place

AHEAD = 40
"""Cases that a process is told ahead."""
SECONDS = 20.0
"""CPU seconds for a case."""
WAITING = 30.0
"""Seconds that it may do nothing."""


class Subject:
    """Runs cases in a process. Use it as a context manager.

    With `forks` each case has a process of its own, and `seed` orders its sets otherwise. `runs` is the module whose
    `main` takes the commands.
    """

    def __init__(
        self, *, forks: bool = False, seed: int = 0, seconds: float = SECONDS, waiting: float = WAITING,
        runs: str = "aoti_lint.cli.main",
    ) -> None:  # fmt: skip
        self._forks, self._seed, self._seconds, self._waiting, self._runs = forks, seed, seconds, waiting, runs
        self._scratch = ""
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Subject:
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        self._scratch = tempfile.mkdtemp(prefix="aoti-fuzz-", dir=memory)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def run(self, case: Case, *, twice: bool = False) -> Outcome:
        """What came of the case, in words where the process died or did not answer."""
        self._ask(case, twice)
        return self._outcome(case)

    def run_all(self, group: str, seed: int, numbers: Iterable[int], twice: int) -> Iterator[tuple[int, Outcome]]:
        """What came of each case of these numbers; one in `twice` is run twice.

        The process makes them itself, and is told ahead of time: it never waits for this one.
        """
        left, asked = iter(numbers), deque[int]()
        while True:
            for number in islice(left, AHEAD - len(asked)):
                asked.append(number)
                self._ask((group, seed, number), number % twice == 0)
            if not asked:
                return
            number = asked.popleft()
            yield number, self._outcome(None)
            if self._process is None:
                for other in asked:
                    self._ask((group, seed, other), other % twice == 0)

    def _ask(self, what: Case | tuple[str, int, int], twice: bool) -> None:
        if self._process is None:
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        data = pickle.dumps((what, twice))
        try:
            self._process.stdin.write(struct.pack("<I", len(data)) + data)
            self._process.stdin.flush()
        except BrokenPipeError:
            # No answer will come.
            return

    def _outcome(self, case: Case | None) -> Outcome:
        answer = self._answer()
        if not answer:
            return self._died(case)
        outcome: Outcome = pickle.loads(answer)
        return outcome

    def _start(self) -> None:
        self._end()
        words = [
            sys.executable,
            "-m",
            "tests.fuzz.subject",
            self._scratch,
            self._runs,
            str(self._seconds),
            str(self._waiting),
        ]
        environment = {"PYTHONHASHSEED": str(self._seed), "PYTHONDONTWRITEBYTECODE": "1", "PATH": os.defpath}
        with open(f"{self._scratch}/errors", "wb") as errors:
            self._process = subprocess.Popen(
                words + ["--fork"] * self._forks, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                cwd=HERE, env=environment,
            )  # fmt: skip

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _answer(self) -> bytes:
        """The next answer; nothing if the process ended, or waits for what does not come."""
        assert self._process is not None
        assert self._process.stdout is not None
        stream = self._process.stdout
        used = -1.0
        while not select.select([stream], [], [], self._waiting)[0]:
            # What is busy ends itself; that takes long on a machine that others use.
            before, used = used, _used(self._process.pid)
            if used - before < self._waiting / 100:
                self._process.send_signal(signal.SIGUSR1)
                break
        head = stream.read(4)
        return stream.read(struct.unpack("<I", head)[0]) if len(head) == 4 else b""

    def _died(self, case: Case | None) -> Outcome:
        """What can be said of a case whose process died of it."""
        assert self._process is not None
        code = 0
        if not self._forks:
            try:
                code = self._process.wait(10)
            except subprocess.TimeoutExpired:
                pass
        self._end()
        with open(f"{self._scratch}/errors", "rb") as file:
            said = file.read().decode("utf-8", "replace")
        expired = code in (-signal.SIGPROF, -signal.SIGUSR1, 0)
        # The last call comes first in it.
        frames = re.findall(r'File "[^"]*?(?:aoti_lint|rules)/[^"]*", line \d+ in \S+', said)
        ordered = "\n".join(frame.replace(" in ", ", in ") for frame in reversed(frames[:100]))
        kind = "hang" if expired else "crash"
        where = place(ordered).rpartition(" in ")[2] if frames else said[-100:]
        fault = Fault(kind, where, f"ended by signal {-code}\n{said[:3000]}", tuple(case.commands[0] if case else ()))
        return Outcome([fault], [], 0.0, 0)


def _used(process: int) -> float:
    """The CPU seconds of a process and of its children so far."""
    ticks = 0
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
            processes = [process, *map(int, file.read().split())]
        for one in processes:
            with open(f"/proc/{one}/stat", encoding="utf-8", errors="replace") as file:
                ticks += sum(map(int, file.read().rpartition(")")[2].split()[11:15]))
    except OSError:
        return 0.0
    return ticks / os.sysconf("SC_CLK_TCK")
