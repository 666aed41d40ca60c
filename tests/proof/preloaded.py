"""Runs scripts one after another in children of a process that has imported torch: torch takes seconds to import.

Reads a request a line on standard input, `{"script", "cwd", "stdout", "stderr"}` (paths), and answers each with the
exit code, as `subprocess` counts them. A script that sets variables for torch before it imports it cannot run here.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
import time

import torch._inductor.compile_fx  # what torch.export and AOTInductor import when they are first used
import torch.export._trace  # noqa: F401

SECONDS = 600
"""The time a script has."""


def enter(request: dict[str, str]) -> None:
    """Make this process one that was started for the script."""
    os.setsid()
    os.chdir(request["cwd"])
    for number, name in ((1, "stdout"), (2, "stderr")):
        opened = os.open(request[name], os.O_WRONLY | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    sys.argv = [request["script"]]
    sys.path[0] = os.path.dirname(request["script"])


def ended(child: int) -> int:
    """The exit code of a child, which is killed when its time is over."""
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    """Serve until standard input ends; in a child, run the script and end as it ends."""
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if not child:
            enter(request)
            runpy.run_path(request["script"], run_name="__main__")
            return
        print(ended(child), flush=True)


if __name__ == "__main__":
    main()
