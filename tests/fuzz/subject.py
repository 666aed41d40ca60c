"""The process in which cases run: it gets them, or their numbers, on its standard input, and answers with what they
came to.

Its arguments are a folder, the module whose `main` is run, the CPU seconds that a case may take, and `--fork` to run
each case in a process of its own that has run no other.
"""

from __future__ import annotations

import faulthandler
import gc
import importlib
import io
import json
import os
import pickle
import re
import resource
import shutil
import signal
import struct
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import BinaryIO

from tests.fuzz.case import OUT, Case, Fault, Outcome
from tests.fuzz.guard import Guard, state
from tests.fuzz.kinds import made
from tests.fuzz.schema import wrong

MEMORY = 3 << 30
"""Bytes of address space."""
PEAK = 1 << 30
"""Bytes of memory that a case may take."""
BUG = "this is a bug in aoti-lint"
HERE = Path(__file__).parents[2]

Answer = tuple[int, str, str]


def main() -> None:
    """Run the cases of standard input, each a pickled pair of the case and whether to run it twice, until it ends."""
    scratch, module, seconds, forks = sys.argv[1], sys.argv[2], float(sys.argv[3]), "--fork" in sys.argv[4:]
    given, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(null, standard)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.enable()
    for expiry in (signal.SIGPROF, signal.SIGUSR1):
        # It writes where it stands, also out of C, and dies of it.
        faulthandler.register(expiry, chain=True)
    if forks and module.startswith("aoti_lint."):
        _import_everything()
    trial = Trial(scratch, importlib.import_module(module).main, seconds)
    while (data := _received(given)) is not None:
        asked, twice = pickle.loads(data)
        case = asked if isinstance(asked, Case) else made(*asked)
        _send(answers, _forked(trial, case) if forks else pickle.dumps(trial.of(case, twice)))


def _received(stream: BinaryIO) -> bytes | None:
    head = stream.read(4)
    return stream.read(struct.unpack("<I", head)[0]) if len(head) == 4 else None


def _send(stream: BinaryIO, data: bytes) -> None:
    stream.write(struct.pack("<I", len(data)) + data)
    stream.flush()


def _import_everything() -> None:
    """What any command imports, and nothing that a case could have left behind."""
    for path in sorted((HERE / "aoti_lint").rglob("*.py")):
        name = ".".join(path.relative_to(HERE).with_suffix("").parts).removesuffix(".__init__")
        if not re.search(r"\.(child|serving|found|loading|inside|rerun\.formats\.hook|pytest_plugin|__main__)\b", name):
            try:
                importlib.import_module(name)
            except ImportError:
                continue
    from aoti_lint.catalogue.registry import load

    load()
    # A child that collects what was there before it copies all of it.
    gc.freeze()


def _forked(trial: Trial, case: Case) -> bytes:
    """The pickled outcome of the case in a process of its own; nothing if that died."""
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.close(reads)
        with os.fdopen(writes, "wb") as stream:
            stream.write(pickle.dumps(trial.of(case, False)))
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as stream:
        data = stream.read()
    os.waitpid(child, 0)
    return data


class Trial:
    """Runs `main` with the commands of cases, and looks what they did."""

    def __init__(self, scratch: str, main: Callable[[list[str]], int], seconds: float) -> None:
        self._scratch, self._main, self._seconds = scratch, main, seconds
        self._guard = Guard(f"{scratch}/tree", [f"{scratch}/out", f"{scratch}/home"])

    def of(self, case: Case, twice: bool) -> Outcome:
        """What a case comes to, in a fresh folder."""
        _lay_out(case, self._scratch)
        signal.setitimer(signal.ITIMER_PROF, self._seconds)
        _forget_peak()
        start = time.process_time()
        outcome = Outcome([], [], 0.0, 0)
        for command in case.commands:
            words = [word.replace(OUT, f"{self._scratch}/out") for word in command]
            answer = self._answer(words, case.stdin, outcome.faults)
            outcome.answers.append(answer)
            again = self._answer(words, case.stdin, outcome.faults) if twice else answer
            if again != answer:
                text = difference(answer, again)
                outcome.faults.append(Fault("differs", f"{case.kind}: in one process", text, tuple(command)))
        outcome.seconds = time.process_time() - start
        signal.setitimer(signal.ITIMER_PROF, 0)
        outcome.peak = _peak()
        if outcome.peak > PEAK:
            outcome.faults.append(Fault("memory", case.kind, f"{outcome.peak >> 20} MiB", tuple(case.commands[0])))
        os.chdir("/")
        return outcome

    def _answer(self, words: list[str], given: bytes, faults: list[Fault]) -> Answer:
        buffers = io.BytesIO(), io.BytesIO()
        out = io.TextIOWrapper(buffers[0], encoding="utf-8")
        err = io.TextIOWrapper(buffers[1], encoding="utf-8", errors="backslashreplace")
        standard = sys.stdin, sys.stdout, sys.stderr
        sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"), out, err
        died = ""
        before = state(f"{self._scratch}/tree")
        self._guard.seen.clear()
        self._guard.active = True
        try:
            code = self._main(words)
        except SystemExit as exit_:
            code = exit_.code if isinstance(exit_.code, int) else 1 if exit_.code else 0
        except BaseException:
            code, died = -1, traceback.format_exc()
        finally:
            self._guard.active = False
            sys.stdin, sys.stdout, sys.stderr = standard
        out.flush()
        err.flush()
        said, complained = (
            buffer.getvalue().decode("utf-8", "replace").replace(self._scratch, "@SCRATCH@") for buffer in buffers
        )
        command = tuple(words)
        if died or BUG in complained:
            faults.append(Fault("traceback", place(died or complained), (died or complained)[-3000:], command))
        elif code not in (0, 1, 2):
            faults.append(Fault("exit code", str(code), complained[-1000:], command))
        after = state(f"{self._scratch}/tree")
        changed = [f"changed {name}" for name in sorted(before.keys() | after) if before.get(name) != after.get(name)]
        for what in (*self._guard.seen, *changed):
            short = re.sub(r"\b[0-9a-f]{2,}\b|\d+", "#", what.replace(self._scratch, ""))[:120]
            faults.append(Fault("escape", short, what, command))
        _check_json(words, code, said, faults)
        return code, said, complained


def difference(one: Answer, other: Answer) -> str:
    """The first lines in which two answers differ."""
    lines = [
        f"- {first}\n+ {second}"
        for left, right in zip(one[1:], other[1:], strict=True)
        for first, second in zip_longest(left.splitlines(), right.splitlines())
        if first != second
    ]
    return "\n".join([f"{one[0]} {other[0]}", *lines[:5]])[:2000]


def _lay_out(case: Case, scratch: str) -> None:
    os.chdir("/")
    for name in ("tree", "out", "home"):
        shutil.rmtree(f"{scratch}/{name}", ignore_errors=True)
        os.mkdir(f"{scratch}/{name}")
    tree = f"{scratch}/tree"
    for name, data in case.files.items():
        path = os.path.join(tree, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        # What is newer than another counts, and is not what differs between two runs.
        os.utime(path, (1_700_000_000, 1_700_000_000))
    for name, target in case.links.items():
        os.symlink(target, os.path.join(tree, name))
    for name in case.fifos:
        os.mkfifo(os.path.join(tree, name))
    os.environ.clear()
    os.environ.update(HOME=f"{scratch}/home", PATH=os.defpath, LANG="C.UTF-8", TMPDIR=f"{scratch}/out")
    os.chdir(tree)


def place(text: str) -> str:
    """Where a traceback ends, in our own code: the innermost function of it, or the one it is most in."""
    frames = re.findall(r'File "[^"]*?((?:aoti_lint|rules)/[^"]*)", line \d+, in (\S+)', text)
    errors = re.findall(
        r"^(\w[\w.]*(?:Error|Exception|Unreadable|Interrupt|Iteration|Exit)?)(?::|$)", text, re.MULTILINE
    )
    error = next((name for name in reversed(errors) if not name.startswith("aoti-lint")), "?")
    if not frames:
        return f"{error} in {text[-80:]!r}"
    often, times = Counter(frames).most_common(1)[0]
    return f"{error} in {':'.join(often if times > 10 else frames[-1])}"


_DOCUMENTS = {"check": "check", "inspect": "inspect", "contract": "contract", "rerun": "rerun-plan"}
_NOT_JSON = ("-o", "--output=", "--output-file", "--why", "--h", "-h", "--v")
"""Options with which something else is printed, or nothing."""


def _check_json(words: list[str], code: int, said: str, faults: list[Fault]) -> None:
    """The JSON that a command prints is JSON, and of its schema where it has one."""
    if code not in (0, 1) or "json" not in words or any(word.startswith(_NOT_JSON) for word in words):
        return
    if words[words.index("json") - 1] not in ("--output-format", "--format") or not said:
        return
    command = tuple(words)
    try:
        document = json.loads(said, parse_constant=lambda name: _refuse(name))
    except ValueError as error:
        faults.append(Fault("json", f"{words[0]}: {re.sub('[0-9]+', '#', str(error))}", said[:500], command))
        return
    name = _DOCUMENTS.get(words[0])
    if isinstance(document, dict) and words[0] == "inspect" and "before" in document:
        name = "difference"
    if name is None or "--weights" in words:
        return
    from aoti_lint.cli.schema import schema

    found = wrong(document, schema(name))
    if found is not None:
        faults.append(Fault("schema", f"{name}: {re.sub('[0-9]+', '#', found)[:100]}", found[:500], command))


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _forget_peak() -> None:
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")
    except OSError:
        pass


def _peak() -> int:
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            return next((int(line.split()[1]) << 10 for line in file if line.startswith("VmHWM")), 0)
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


if __name__ == "__main__":
    main()
