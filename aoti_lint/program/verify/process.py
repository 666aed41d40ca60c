"""The child process as the parent sees it: asked, waited for, and replaced when it dies."""

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
from typing import IO, Any

import aoti_lint
from aoti_lint.errors import CannotRun
from aoti_lint.program.verify.protocol import Died, Open, Opened, Result, request

START_TIMEOUT = 600.0
"""Seconds for importing torch and loading the models."""

_BOOT = """\
import importlib.util, sys
spec = importlib.util.spec_from_file_location("aoti_lint", sys.argv[1])
sys.modules["aoti_lint"] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from aoti_lint.program.verify.child import main
sys.exit(main())
"""
"""Makes this very aoti_lint known to any interpreter, and nothing that is installed beside it."""


_DULL = re.compile(r"frame #|File \"|\^+$|.*Warning:|Extension modules|cpu = _conversion_method_template")


class Child:
    """Runs cases in a process that loads the models once, and again after it died.

    Use it as a context manager. `stderr` of the last process is a file, for its last words.
    """

    def __init__(self, asked: Open, python: str = sys.executable, timeout: float = 120.0) -> None:
        self._asked, self._python, self._timeout = asked, python, timeout
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._errors: IO[bytes] | None = None
        self.opened = Opened()
        self.ran = 0
        """Cases of the process that runs, or that died last."""

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self) -> Opened:
        """Start a process and load the models. Raises `CannotRun` when that fails."""
        self.close()
        self.ran = 0
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115
        assert aoti_lint.__file__ is not None
        try:
            self._process = subprocess.Popen(
                [self._python, "-c", _BOOT, aoti_lint.__file__],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                text=True, encoding="utf-8", env=environment(os.environ),
            )  # fmt: skip
        except OSError as error:
            raise CannotRun(f"{self._python}: {error.strerror or error}") from None
        self._lines = queue.SimpleQueue()
        threading.Thread(target=_pump, args=(self._process.stdout, self._lines), daemon=True).start()
        answer = self._ask({**request("open"), **self._asked.model_dump()}, START_TIMEOUT)
        if isinstance(answer, Died):
            text = f": {answer.text}" if answer.text else ""
            verb = "died" if answer.how == "crash" else "did not come back"
            raise CannotRun(f"the child process {verb} while {answer.stage or 'starting'}{text}")
        if "failed" in answer:
            raise CannotRun(str(answer["failed"]))
        self.opened = Opened.model_validate(answer["done"])
        return self.opened

    def run(self, calls: list[list[str]], **options: Any) -> Result | Died:
        """Run a case; `calls` are the texts of its arguments."""
        if self._process is None:
            self.open()
        self.ran += 1
        answer = self._ask(request("run", calls=calls, **options), self._timeout)
        if isinstance(answer, Died):
            return answer
        if "failed" in answer:
            raise CannotRun(f"the inputs could not be made: {answer['failed']}")
        return Result.model_validate(answer["done"])

    def close(self) -> None:
        """End the process, whatever it does."""
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

    def _ask(self, question: Mapping[str, Any], timeout: float) -> dict[str, Any] | Died:
        assert self._process is not None
        assert self._process.stdin is not None
        stage, until = "", time.monotonic() + timeout
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
            while True:
                line = self._lines.get(timeout=max(until - time.monotonic(), 0.01))
                if line is None:
                    break
                answer: dict[str, Any] = json.loads(line)
                if "stage" not in answer:
                    return answer
                stage = answer["stage"]
        except queue.Empty:
            self.close()
            return Died(how="hang", stage=stage, text=f"no answer within {timeout:g} seconds")
        except (BrokenPipeError, ValueError):
            pass
        return self._died(stage)

    def _died(self, stage: str) -> Died:
        assert self._process is not None
        code = self._process.wait()
        words = self.last_words()
        self.close()
        name = f"exit code {code}"
        if code < 0:
            try:
                name = signal.Signals(-code).name
            except ValueError:
                name = f"signal {-code}"
        return Died(how="crash", stage=stage, text=f"{name}: {words}" if words else name)

    def last_words(self) -> str:
        """The last line the process wrote to standard error that says something."""
        if self._errors is None:
            return ""
        self._errors.seek(max(self._errors.seek(0, os.SEEK_END) - 8000, 0))
        lines = [line.strip() for line in self._errors.read().decode("utf-8", "replace").splitlines()]
        telling = [line for line in lines if line and not _DULL.match(line)]
        return telling[-1][:300] if telling else ""


def environment(outer: Mapping[str, str]) -> dict[str, str]:
    """That of the child: with an allocator that notices overwritten memory, where glibc has one.

    Source: mallopt(3); since glibc 2.34 the checks are in a library of their own.
    """
    made = {**outer, "MALLOC_PERTURB_": "165", "PYTHONUNBUFFERED": "1"}
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
