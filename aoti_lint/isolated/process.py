"""A child process as its parent sees it: asked, waited for, and replaced when it dies."""

from __future__ import annotations

import glob
import json
import os
import platform
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from typing import IO, Any, Literal

from pydantic import BaseModel, ConfigDict

from aoti_lint.errors import CannotRun
from aoti_lint.isolated.boot import opening

START_TIMEOUT = 600.0
"""Seconds for importing torch and loading what the user named."""

_DULL = re.compile(r"frame #|File \"|\^+$|.*Warning:|Extension modules|cpu = _conversion_method_template")


class Died(BaseModel):
    """The child did not answer. `stage` is what it was doing."""

    model_config = ConfigDict(frozen=True)

    how: Literal["crash", "hang"]
    stage: str
    text: str


class Process:
    """Answers requests in a process that keeps what it was told to open, and opens it again after it died.

    Use it as a context manager. `serves` is the module whose `main` runs there (it calls `serving.serve`). What the
    code of others prints goes to a file, for its last words.
    """

    def __init__(
        self, serves: str, opens: Mapping[str, Any], python: str = sys.executable, timeout: float = 120.0
    ) -> None:
        self._serves, self._opens, self._python, self._timeout = serves, opens, python, timeout
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._errors: IO[bytes] | None = None
        self._worker: int | None = None
        self._loaded = False
        self._read = 0
        self.ran = 0
        """Requests since it was opened."""

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self) -> Any:
        """Load everything in a new process; gives what was loaded. Raises `CannotRun` when that fails."""
        answer = self.try_open()
        if isinstance(answer, Died):
            verb = "died" if answer.how == "crash" else "did not come back"
            raise CannotRun(f"the child process {verb} while {answer.stage or 'starting'}: {answer.text}")
        return answer

    def try_open(self) -> Any | Died:
        """The same, but its death is an answer."""
        self.ran = 0
        if self._process is None:
            self._start()
        answer = self._ask({"do": "open", **self._opens}, START_TIMEOUT)
        if isinstance(answer, Died):
            return answer
        if "failed" in answer:
            raise CannotRun(str(answer["failed"]))
        self._loaded = True
        return answer["done"]

    def run(self, **request: Any) -> Any | Died:
        """Run one request. Raises `CannotRun` when the child says that it cannot."""
        if not self._loaded:
            self.open()
        self.ran += 1
        answer = self._ask({"do": "run", **request}, self._timeout)
        if isinstance(answer, Died):
            return answer
        if "failed" in answer:
            raise CannotRun(f"a case could not be run: {answer['failed']}")
        return answer["done"]

    def _start(self) -> None:
        self._read = 0
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        variables = environment(os.environ)
        try:
            self._process = subprocess.Popen(
                opening(self._python, self._serves, variables),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                text=True, encoding="utf-8", env=variables,
            )  # fmt: skip
        except OSError as error:
            raise CannotRun(f"{self._python}: {error.strerror or error}") from None
        self._lines = queue.SimpleQueue()
        threading.Thread(target=_pump, args=(self._process.stdout, self._lines), daemon=True).start()

    def close(self) -> None:
        """End the process, whatever it does."""
        self._kill()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    try:
                        pipe.close()
                    except OSError:
                        pass
            self._process = None
        if self._errors is not None:
            self._errors.close()
            self._errors = None

    def _kill(self) -> None:
        """End the worker. It is known by its number while it is there: nobody has waited for it."""
        if self._worker is not None:
            try:
                os.kill(self._worker, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
            except OSError:
                pass
        self._worker, self._loaded = None, False

    def _ask(self, question: Mapping[str, Any], timeout: float) -> dict[str, Any] | Died:
        assert self._process is not None
        assert self._process.stdin is not None
        stage = ""
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
            until = time.monotonic() + timeout
            while (answer := self._next(until)) is not None:
                if "stage" in answer:
                    stage = answer["stage"]
                elif "worker" in answer:
                    self._worker = answer["worker"]
                elif "died" in answer:
                    self._worker, self._loaded = None, False
                    return self._died(stage, int(answer["died"]))
                else:
                    return answer
        except queue.Empty:
            return self._hangs(stage, timeout)
        except (BrokenPipeError, ValueError):
            pass
        code = self._process.wait()
        died = self._died(stage, code)
        self.close()
        return died

    def _next(self, until: float) -> dict[str, Any] | None:
        line = self._lines.get(timeout=max(until - time.monotonic(), 0.01))
        answer: dict[str, Any] | None = None if line is None else json.loads(line)
        return answer

    def _hangs(self, stage: str, timeout: float) -> Died:
        self._kill()
        try:
            # The process above the worker says that it is gone, and is ready for the next.
            while (answer := self._next(time.monotonic() + 10)) is not None and "died" not in answer:
                pass
        except queue.Empty:
            answer = None
        if answer is None:
            self.close()
        return Died(how="hang", stage=stage, text=f"no answer within {timeout:g} seconds")

    def _died(self, stage: str, code: int) -> Died:
        words, name = self.last_words(), f"exit code {code}"
        if code < 0:
            try:
                name = signal.Signals(-code).name
            except ValueError:
                name = f"signal {-code}"
        return Died(how="crash", stage=stage, text=f"{name}: {words}" if words else name)

    def last_words(self) -> str:
        """The last line that says something, of those written to standard error since it was asked last."""
        if self._errors is None:
            return ""
        # The process writes through the same file description: reading to the end leaves it where it was.
        self._errors.seek(max(self._errors.seek(0, os.SEEK_END) - 8000, self._read))
        lines = [line.strip() for line in self._errors.read().decode("utf-8", "replace").splitlines()]
        self._read = self._errors.tell()
        telling = [line for line in lines if line and not _DULL.match(line)]
        return telling[-1][:300] if telling else ""


def environment(outer: Mapping[str, str]) -> dict[str, str]:
    """That of the child: with an allocator that notices overwritten memory, where glibc has one.

    Source: mallopt(3); since glibc 2.34 the checks are in a library of their own.
    """
    made = {**outer, "MALLOC_PERTURB_": "165", "PYTHONUNBUFFERED": "1", "TORCHINDUCTOR_COMPILE_THREADS": "1"}
    machine = platform.machine()
    folders = (f"/lib/{machine}-linux-gnu", f"/usr/lib/{machine}-linux-gnu", "/lib64", "/usr/lib64")
    found = [path for folder in folders for path in glob.glob(f"{folder}/libc_malloc_debug.so.0")]
    if found:
        made["LD_PRELOAD"] = " ".join(filter(None, [outer.get("LD_PRELOAD"), found[0]]))
        made["MALLOC_CHECK_"] = "3"
    return made


def _pump(stream: IO[str] | None, lines: queue.SimpleQueue[str | None]) -> None:
    assert stream is not None
    try:
        for line in stream:
            lines.put(line)
    except ValueError:
        # Closed under the reader.
        pass
    lines.put(None)
