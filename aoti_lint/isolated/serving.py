"""In the child process: requests come in, answers go out, and what the code of others prints goes elsewhere.

It reads JSON lines from standard input and writes JSON lines to where standard output went. Nothing here needs more
than torch and the standard library.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import itertools
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

Stage = Callable[[str], None]
"""Says what is being done, for the case that the process dies of it."""


class Worker(Protocol):
    """What serves requests once it is made."""

    def describe(self) -> dict[str, Any]:
        """What was opened."""

    def run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one request."""


Make = Callable[[Mapping[str, Any], Stage], Worker]


def serve(make: Make, warm: Callable[[], None]) -> int:
    """Serve until standard input ends. `make` opens what a request names; `warm` is run once, before, for speed.

    On Linux torch is imported once, and each request to open makes a worker of its own by fork: one that dies
    costs no second import. Elsewhere, and with a torch for accelerators, a process serves one: CUDA cannot be used in a
    fork of a process that has looked at it, which importing what loading needs does (run with 2.11+cu130).
    """
    asked = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)

    def answer(**fields: Any) -> None:
        answers.write(json.dumps(fields) + "\n")
        answers.flush()

    answer(stage="importing torch")
    try:
        forks = may_fork(_torch())
    except ImportError as error:
        lacks = isinstance(error, ModuleNotFoundError) and error.name == "torch"
        answer(failed=f"{sys.executable} has no torch: name one that has with --python" if lacks else says(error))
        return 1
    if forks:
        warm()
    _see_what_the_user_sees()
    for line in asked:
        if not forks:
            return _serve(make, line, asked, answer)
        worker = os.fork()
        if worker == 0:
            os._exit(_serve(make, line, asked, answer))
        answer(died=os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1]))
    return 0


def _torch() -> Any:
    """The torch of the environment; where there is none, one in a folder of the user's."""
    try:
        return importlib.import_module("torch")
    except ModuleNotFoundError:
        _see_what_the_user_sees()
        return importlib.import_module("torch")


def _see_what_the_user_sees() -> None:
    """Make the import path that of `python -c` where the user is. What is imported before comes from no file of theirs.

    Our last argument is what their PYTHONPATH says. From here on no `__pycache__` is left in their folders.
    """
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    given = sys.argv[3]
    first = [] if getattr(sys.flags, "safe_path", False) else [""]
    if given:
        first += [os.path.abspath(entry) for entry in given.split(os.pathsep)]
        # For the processes that torch starts.
        os.environ["PYTHONPATH"] = given
    sys.path[:] = [*first, *(entry for entry in sys.path if entry not in first)]


def may_fork(torch: Any) -> bool:
    """Whether a process that has imported this torch may fork and use it in both.

    `AOTI_LINT_NO_FORK` in the environment says no, for tests.
    """
    version = torch.version
    built_for = [getattr(version, name, None) for name in ("cuda", "hip", "xpu")]
    return sys.platform == "linux" and not any(built_for) and "AOTI_LINT_NO_FORK" not in os.environ


def _serve(make: Make, first: str, asked: Iterable[str], answer: Callable[..., None]) -> int:
    """Answer `first` and what follows, until there is no more."""
    answer(worker=os.getpid())
    worker: Worker | None = None
    for line in itertools.chain([first], asked):
        request = json.loads(line)
        try:
            if request["do"] == "open":
                worker = make(request, lambda text: answer(stage=text))
                answer(done=worker.describe())
            elif worker is not None:
                answer(done=worker.run(request))
        except Exception as error:
            import traceback

            traceback.print_exc()
            answer(failed=says(error))
    return 0


def check_heap() -> None:
    """Let the allocator look at what it freed: where memory was overwritten, glibc ends the process here."""
    gc.collect()
    if sys.platform == "linux":
        try:
            ctypes.CDLL(None).malloc_trim(0)
        except (OSError, AttributeError):
            return


def message(error: BaseException) -> str:
    """The part of a message people want: torch appends stacks of C++ to some."""
    text = str(error).partition("\nException raised from")[0].strip()
    return text[:1000]


def says(error: BaseException) -> str:
    return message(error) if type(error).__name__ == "Unreadable" else f"{type(error).__name__}: {message(error)}"
