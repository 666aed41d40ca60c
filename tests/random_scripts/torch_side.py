"""Runs scripts in torch, each in a child of a process that has imported it, and tells how they ended.

As a program it reads the path of a script a line on standard input, and answers each with a line of JSON.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

SECONDS = 60.0
"""The time that a script has."""
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ended:
    """How a script ended: the class of the error (empty: none), its text, and the rows of the traceback."""

    error: str
    message: str
    rows: tuple[int, ...]
    seconds: float

    @property
    def works(self) -> bool:
        return not self.error


class Torch:
    """Such a process, seen from outside. `ask` and `answer` come in turn."""

    def __init__(self) -> None:
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "OMP_NUM_THREADS": "1",
            "TORCHINDUCTOR_COMPILE_THREADS": "1",
            "PYTHONWARNINGS": "ignore",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.random_scripts.torch_side"],
            env=environment,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )

    def ask(self, script: Path) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{script}\n")
        self._process.stdin.flush()

    def answer(self) -> Ended:
        assert self._process.stdout is not None
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return Ended(found["error"], found["message"], tuple(found["rows"]), found["seconds"])

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def warm() -> None:
    """Have what the first export, save, load and compile of a process do only once done."""
    import torch

    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()).eval()
    shapes = ({0: torch.export.Dim("b")},)
    for strict in (False, True):
        program = torch.export.export(model, (torch.randn(3, 4),), dynamic_shapes=shapes, strict=strict)
    program.module()(torch.randn(5, 4))
    program.run_decompositions()
    with tempfile.TemporaryDirectory() as folder:
        torch.export.save(program, f"{folder}/m.pt2")
        torch.export.load(f"{folder}/m.pt2")
    for backend in ("eager", "aot_eager"):
        torch.compile(model, backend=backend)(torch.randn(3, 4))
    torch._dynamo.reset()
    # Children that collect what was there before them copy all of it.
    gc.collect()
    gc.freeze()


def run(script: str, answers: int) -> NoReturn:
    """Be the process of a script."""
    os.setsid()
    # Nor does one collect that lives for a second.
    gc.disable()
    os.chdir(os.path.dirname(script))
    os.environ["TMPDIR"] = os.getcwd()
    tempfile.tempdir = None
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    sys.argv = [script]
    sys.path[0] = os.path.dirname(script)
    module = types.ModuleType("__main__")
    module.__file__ = script
    sys.modules["__main__"] = module
    found: dict[str, Any] = {"error": "", "message": "", "rows": []}
    start = time.process_time()
    try:
        with open(script, encoding="utf-8") as file:
            code = compile(file.read(), script, "exec")
        exec(code, module.__dict__)
    except BaseException as error:
        if not (isinstance(error, SystemExit) and not error.code):
            frames = traceback.extract_tb(error.__traceback__)
            rows = [frame.lineno for frame in frames if frame.filename == script]
            found = {"error": type(error).__name__, "message": str(error)[:2000], "rows": rows}
    found["seconds"] = time.process_time() - start
    os.write(answers, json.dumps(found).encode())
    os._exit(0)


def answer(script: str) -> str:
    """Run a script in a child, and give the answer of it as a line."""
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.close(reads)
        run(script, writes)
    os.close(writes)
    data, until = b"", time.monotonic() + SECONDS
    while select.select([reads], [], [], max(until - time.monotonic(), 0))[0]:
        part = os.read(reads, 1 << 16)
        if not part:
            break
        data += part
    else:
        os.killpg(child, signal.SIGKILL)
    os.close(reads)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if not data:
        data = json.dumps({"error": f"Died{status}", "message": "", "rows": [], "seconds": 0.0}).encode()
    return data.decode()


def main() -> None:
    """Serve until standard input ends."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    warm()
    for line in sys.stdin:
        print(answer(line.rstrip("\n")), file=out, flush=True)


if __name__ == "__main__":
    main()
