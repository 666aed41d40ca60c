"""Runs programs one after another in children of a process that has imported what takes seconds to import.

As a program, `python preloaded.py NAME…` imports those modules (`module:function` is called as well), then reads a
request a line on standard input and answers each with the exit code, as `subprocess` counts them. A script that sets
variables for torch before it imports it cannot run here.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

SECONDS = 600
"""The time a program has."""


class Request(TypedDict):
    """A script, or `-m` and a module, with its arguments; where it runs, and the files it prints to."""

    argv: list[str]
    cwd: str
    stdout: str
    stderr: str


class Preloaded:
    """Such a process."""

    def __init__(self, names: Sequence[str], environment: Mapping[str, str], python: str = sys.executable) -> None:
        self._process = subprocess.Popen(
            [python, __file__, *names], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, argv: Sequence[str], cwd: Path, logs: Path) -> subprocess.CompletedProcess[str]:
        """Run a script, or `-m` and a module, to its end; `logs` is the folder for what it prints."""
        printed, errors = logs / "stdout.txt", logs / "stderr.txt"
        request = Request(argv=list(argv), cwd=str(cwd), stdout=str(printed), stderr=str(errors))
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        rc = int(self._process.stdout.readline())
        return subprocess.CompletedProcess(list(argv), rc, printed.read_text("utf-8"), errors.read_text("utf-8"))

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def enter(request: Request) -> None:
    """Make this process one that was started for the program, and run it."""
    os.setsid()
    os.chdir(request["cwd"])
    for number, name in ((1, request["stdout"]), (2, request["stderr"])):
        opened = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(opened, number)
        os.close(opened)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    first, *rest = request["argv"]
    if first == "-m":
        sys.path[0] = request["cwd"]
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = os.path.dirname(first)
        sys.argv = [first, *rest]
        runpy.run_path(first, run_name="__main__")


def ended(child: int) -> int:
    """The exit code of a child, which is killed when its time is over."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    """Serve until standard input ends; in a child, run the program and end as it ends."""
    # Beside this file lie folders that are named as packages are.
    sys.path[0] = __file__
    for name in sys.argv[1:]:
        module, _, function = name.partition(":")
        imported = importlib.import_module(module)
        if function:
            getattr(imported, function)()
    # What is there now stays: children share it as long as nobody writes to it, which a collection does.
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        request: Request = json.loads(line)
        child = os.fork()
        if not child:
            enter(request)
            return
        print(ended(child), flush=True)


if __name__ == "__main__":
    main()
