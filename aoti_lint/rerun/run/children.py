"""Runs a step: one process and all that it starts, watched, limited, and gone afterwards."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from aoti_lint.errors import CannotRun
from aoti_lint.rerun.inside import INSIDE
from aoti_lint.rerun.plan.commands import prepared
from aoti_lint.rerun.plan.plan import PRELOAD, Step
from aoti_lint.rerun.result import Ran
from aoti_lint.rerun.run import processes
from aoti_lint.rerun.run.folder import Run, Workplace
from aoti_lint.triage.log import clean

MARK = "AOTI_LINT_RERUN"
"""The variable that names the task of a process, by which every process of a run is known."""
_LOOK = 0.2
"""Seconds between looks at a run."""
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a process may take: seconds, bytes of memory, bytes of output that are kept.

    `grace` are the seconds in which it may say where it was stopped.
    """

    seconds: float = 600.0
    memory: int | None = None
    output: int = 512 << 20
    grace: float = 5.0


def run(step: Step, workplace: Workplace, limits: Limits, tell: Tell, name: str = "", cwd: str | None = None) -> Ran:
    """Run the process of `step` and wait for it; `tell` gets what it printed last, now and then.

    `name` is what it is run for, part of the name of its folder; `cwd` is where, if not where the others are.
    Afterwards no process of it is left, tensors that it saved and files of the user are where they belong. Ctrl-C, or
    SIGTERM, ends it and gives `how="stopped"`. Raises `CannotRun` if it cannot be started.
    """
    place = workplace.begin(step, name)
    environment = _environment(step, workplace, place)
    copy, packages = workplace.copy, workplace.packages() if step.phase == "run" else {}
    words = step.command if copy is None else tuple(map(copy.inside, step.command))
    command = prepared(words, INSIDE, packages, cwd or place.cwd)
    try:
        with _stoppable(), open(place.log, "wb", buffering=0) as log:
            said = Said(log, *(("", "") if copy is None else (copy.base, copy.drive)))
            child = _Child(command, environment, said, limits, tell, cwd or place.cwd)
            try:
                how = child.wait()
            finally:
                # Whatever `tell` raises.
                code = child.end()
            if child.failed is not None:
                raise CannotRun(f"{place.log}: {child.failed.strerror or child.failed}")
    finally:
        try:
            workplace.restore()
        except KeyboardInterrupt:
            # Pressed once more: files of the user come first.
            workplace.restore()
            raise
        workplace.collect(place)
    signalled = how == "ended" and code is not None and code < 0
    return Ran(
        command=step.command, environment=step.environment, config=step.config, replace=step.replace, code=code,
        how="signal" if signalled else how, seconds=round(time.time() - place.started, 3),
        log=os.path.relpath(place.log, workplace.root),
    )  # fmt: skip


def _environment(step: Step, workplace: Workplace, run: Run) -> dict[str, str]:
    task = os.path.join(run.folder, "task.json")
    with open(task, "w", encoding="utf-8") as file:
        json.dump({
            "root": workplace.root, "folder": run.folder, "run": run.name, "phase": step.phase,
            "config": step.config, "beside": step.beside, "replace": step.replace, "started": run.started,
            "copy": None if workplace.copy is None else workplace.copy.task(),
        }, file)  # fmt: skip
    cache = workplace.cache(step)
    theirs = dict(os.environ)
    if workplace.copy is not None:
        theirs = {**workplace.copy.environment(theirs), "PWD": run.cwd}
    paths = [os.path.join(INSIDE, "site"), step.environment.get("PYTHONPATH", theirs.get("PYTHONPATH", ""))]
    return {
        **theirs,
        "PYTHONFAULTHANDLER": "1",
        # Packages then say which lines of the user each launch was made from (2.13; others do not know it).
        "INDUCTOR_PROVENANCE": "1",
        "TORCHINDUCTOR_CACHE_DIR": cache,
        "TRITON_CACHE_DIR": os.path.join(cache, "triton"),
        "TORCH_COMPILE_DEBUG_DIR": os.path.join(run.folder, "debug"),
        **step.environment,
        **_preloaded(step, workplace, theirs.get(PRELOAD)),
        "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        MARK: task,
    }


def _preloaded(step: Step, workplace: Workplace, theirs: str | None) -> dict[str, str]:
    """What is preloaded: what the caller does (an allocator, OpenMP) stays, after ours."""
    ours = step.environment.get(PRELOAD)
    if not ours:
        return {}
    return {PRELOAD: " ".join(filter(None, [ours.replace(workplace.root, workplace.plain), theirs]))}


@contextlib.contextmanager
def _stoppable() -> Iterator[None]:
    """A CI service that cancels, or a terminal that is closed, is as good as Ctrl-C."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = {}
    if threading.current_thread() is threading.main_thread():
        names = ("SIGTERM", "SIGHUP")
        before = {each: signal.signal(each, stop) for each in (getattr(signal, n, None) for n in names) if each}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


class Said:
    """The log of a process, in which `asked`, as the user knows it, stands for `made`, which may come in parts."""

    def __init__(self, file: io.FileIO, made: str, asked: str) -> None:
        self._file, self._made, self._asked, self._open = file, os.fsencode(made), os.fsencode(asked), b""

    def asked(self, data: bytes) -> bytes:
        """What was said, as the user knows it, where it came whole."""
        return data.replace(self._made, self._asked) if self._made else data

    def write(self, data: bytes) -> None:
        """Write what was said next."""
        if self._made:
            data = (self._open + data).replace(self._made, self._asked)
            most = min(len(self._made) - 1, len(data))
            kept = next((size for size in range(most, 0, -1) if self._made.startswith(data[-size:])), 0)
            data, self._open = data[: len(data) - kept], data[len(data) - kept :]
        self._put(data)

    def end(self) -> None:
        """Write what was held back."""
        self._put(self._open)

    def _put(self, data: bytes) -> None:
        while data:
            data = data[self._file.write(data) :]


class _Child:
    """The process, with a thread that copies what it prints to the log."""

    def __init__(self, command: tuple[str, ...], environment: dict[str, str], log: Said, limits: Limits,
                 tell: Tell, cwd: str) -> None:  # fmt: skip
        self._limits, self._tell, self._log = limits, tell, log
        self._started = time.monotonic()
        self._mark = f"{MARK}={environment[MARK]}"
        self._last, self._written = "", 0
        self.failed: OSError | None = None
        """Why its log could not be written."""
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
                cwd=cwd,
                start_new_session=os.name == "posix",
            )  # fmt: skip
        except OSError as error:
            raise CannotRun(f"{command[0]}: {error.strerror or error}") from None
        _no_core(self._process.pid)
        self._pump = threading.Thread(target=self._copy, daemon=True)
        self._pump.start()

    def wait(self) -> Literal["ended", "time", "memory", "stopped"]:
        """Until the process ends, or is to be ended."""
        told, said = self._started, ""
        try:
            while True:
                try:
                    self._process.wait(_LOOK)
                    return "ended"
                except subprocess.TimeoutExpired:
                    pass
                now = time.monotonic()
                if self.failed is not None:
                    return "stopped"
                if now - self._started > self._limits.seconds:
                    self._ask_where()
                    return "time"
                if self._limits.memory is not None and self._memory() > self._limits.memory:
                    return "memory"
                if now - told >= 1 and self._last != said:
                    told, said = now, self._last
                    self._tell(f"{now - self._started:.0f} s: {said}")
        except KeyboardInterrupt:
            return "stopped"

    def end(self) -> int | None:
        """End what is left of it; gives its exit code, minus the number of the signal that ended it."""
        try:
            return self._end()
        except KeyboardInterrupt:
            # Pressed twice.
            return self._end()

    def _end(self) -> int | None:
        for _ in range(20):
            left = self._alive()
            if os.name == "posix":
                processes.send(left, signal.SIGKILL)
            self._process.poll()
            if self._process.returncode is None:
                self._process.kill()
            try:
                self._process.wait(1)
            except subprocess.TimeoutExpired:
                continue
            if not left:
                break
            time.sleep(0.02)
        self._pump.join(5)
        return self._process.returncode

    def _alive(self) -> list[processes.Process]:
        return processes.of_run(self._process.pid, self._mark)

    def _memory(self) -> int:
        mine = processes.of_run(self._process.pid)
        total = sum(process.memory for process in mine)
        return total if total <= (self._limits.memory or 0) else processes.exact(mine)

    def _ask_where(self) -> None:
        """Have Python write its stacks: faulthandler does on SIGABRT."""
        if os.name != "posix":
            return
        processes.send(self._alive(), signal.SIGABRT)
        try:
            self._process.wait(self._limits.grace)
        except subprocess.TimeoutExpired:
            pass

    def _copy(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None
        try:
            self._follow(pipe.fileno())
            self._log.end()
        except OSError as error:
            self.failed = error
        pipe.close()

    def _follow(self, descriptor: int) -> None:
        while chunk := os.read(descriptor, 1 << 16):
            room = self._limits.output - self._written
            if room > 0:
                self._log.write(chunk[:room])
                if room <= len(chunk):
                    self._log.write(f"\n[aoti-lint: the log ends here, at {self._limits.output} bytes]\n".encode())
            self._written += len(chunk)
            end = self._log.asked(chunk[-4096:]).decode("utf-8", "replace")
            lines = [clean(line).strip() for line in end.splitlines()]
            said = next((line for line in reversed(lines) if line), self._last)
            self._last = "".join(letter for letter in said if letter.isprintable()).strip()[:200]


def _no_core(pid: int) -> None:
    """No core dumps: crashes are what is looked for, and they are large."""
    if sys.platform == "linux":
        import resource

        try:
            _, most = resource.prlimit(pid, resource.RLIMIT_CORE)
            resource.prlimit(pid, resource.RLIMIT_CORE, (0, most))
        except (OSError, ValueError):
            return
