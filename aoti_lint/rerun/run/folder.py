"""The folder of a rerun: logs, caches, packages, events and saved tensors, and copies of files of the user."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import tempfile
import time
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any

from aoti_lint.errors import CannotRun
from aoti_lint.files.opener import GENERATED, LOG, open_regular
from aoti_lint.files.writer import Target
from aoti_lint.rerun.copied.copies import Copy
from aoti_lint.rerun.copied.survey import BESIDE, PREFIX
from aoti_lint.rerun.inside.files.saved import name_of
from aoti_lint.rerun.named_files import text_of
from aoti_lint.rerun.plan.plan import Step
from aoti_lint.rerun.read import events
from aoti_lint.rerun.result import Ran
from aoti_lint.tensors.names import understood

LONGEST = 16_384
"""Characters of a line of a log that are read."""
MAP = "map.jsonl"
"""The file that says where what the program names is."""
COPY = "copy.jsonl"
"""The file that says where the copy of the user's folder was that the programs were run in."""
SAVED = ("tmp/aoti_torch", "tmp/jit_inductor", "tmp")
"""Where the debug printer saves tensors, depending on the release, as `aoti_lint.tensors` reads them."""
RUN_ONLY = frozenset({
    "CUDA_LAUNCH_BLOCKING", "PYTORCH_NO_CUDA_MEMORY_CACHING", "AOTI_RUNTIME_CHECK_INPUTS", "MALLOC_PERTURB_",
    "MALLOC_CHECK_", "LD_PRELOAD", "PYTHONFAULTHANDLER", "TORCH_SHOW_CPP_STACKTRACES", "TORCH_LOGS", "TORCH_TRACE",
    "CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "OMP_NUM_THREADS", "PYTHONUNBUFFERED",
})  # fmt: skip
"""Variables that change nothing of what is compiled: steps that differ in them share a cache."""


@dataclass(frozen=True, slots=True)
class Run:
    """The folder of one process that is run, and its name.

    `cwd` is where it is run; `had` those of the folders for saved tensors that are there already.
    """

    name: str
    folder: str
    log: str
    started: float
    cwd: str
    had: tuple[str, ...]


def place_of(keep: str | None) -> str:
    """The folder of a rerun: the one that `keep` names, or else a new `./aoti-rerun/<time>`."""
    if keep is not None:
        return os.path.abspath(keep)
    folder = os.path.abspath(os.path.join(BESIDE, time.strftime("%Y%m%d-%H%M%S")))
    return next(path for number in count() if not os.path.lexists(path := f"{folder}-{number}" if number else folder))


class Workplace:
    """Makes the folder `root` if it is not there, `ours` if it is one below `aoti-rerun`. Programs are run in the
    current folder, or in its `copy`.

    Raises `CannotRun` if it cannot be made, or has something else in it.
    """

    def __init__(self, root: str, *, ours: bool = False) -> None:
        self.root = os.path.abspath(root)
        self.copy: Copy | None = None
        known = os.path.join(self.root, "runs")
        above = os.path.dirname(self.root)
        try:
            if ours and os.path.islink(above):
                raise CannotRun(f"{above}: this is a link; remove it, or name a folder with --keep")
            if os.path.isdir(self.root) and os.listdir(self.root) and not os.path.isdir(known):
                raise CannotRun(f"{self.root}: has other files in it; name a new folder")
            os.makedirs(known, exist_ok=True)
            if ours and not os.path.lexists(ignored := os.path.join(above, ".gitignore")):
                with open(ignored, "x", encoding="utf-8") as file:
                    file.write("*\n")
        except OSError as error:
            raise CannotRun(f"{self.root}: {error.strerror or error}") from None

    def write(self, name: str, text: str) -> None:
        """Put a report there, whole or not at all."""
        Target(os.path.join(self.root, name), lambda head: True).write(text)

    def use(self, copy: Copy) -> None:
        """Have programs run in a copy."""
        self.copy = copy
        self._add(COPY, {"made": copy.base, "asked": copy.drive})

    @property
    def cwd(self) -> str:
        """Where programs are run."""
        return os.getcwd() if self.copy is None else self.there(os.getcwd())

    def there(self, path: str) -> str:
        """Where runs find what the user knows as `path`."""
        path = os.path.realpath(path)
        return path if self.copy is None else self.copy.path(path)

    def said(self, text: str) -> str:
        """What a run said, with the user's paths in the place of those of the copy."""
        return text if self.copy is None else self.copy.outside(text)

    def begin(self, step: Step, name: str = "") -> Run:
        """A new folder for one process. `name` is what it is run for."""
        number = 1 + len(os.listdir(os.path.join(self.root, "runs")))
        word = re.sub(r"[^\w.-]+", "-", "-".join(filter(None, [name, step.phase])))
        run = f"{number:02d}-{word}"
        folder = os.path.join(self.root, "runs", run)
        for part in ("events", "debug"):
            os.makedirs(os.path.join(folder, part))
        had = tuple(part for part in SAVED if os.path.isdir(os.path.join(self.cwd, part)))
        return Run(run, folder, os.path.join(folder, "log.txt"), time.time(), self.cwd, had)

    def cache(self, step: Step) -> str:
        """The folder of compiled code, the same for steps with the same build variables."""
        building = sorted((name, value) for name, value in step.environment.items() if name not in RUN_ONLY)
        key = json.dumps([building, sorted(step.config.items())], default=str)
        return os.path.join(self.plain, "caches", hashlib.sha256(key.encode()).hexdigest()[:12])

    @cached_property
    def plain(self) -> str:
        """The folder by a name without blanks: neither the compilers that torch calls nor LD_PRELOAD take one."""
        if os.name != "posix" or not re.search(r"\s", self.root):
            return self.root
        folder = tempfile.mkdtemp(prefix="aoti-rerun-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        link = os.path.join(folder, "rerun")
        os.symlink(self.root, link)
        return link

    def folder(self, ran: Ran) -> str:
        """The folder of a process that was run."""
        return os.path.dirname(os.path.join(self.root, ran.log))

    def events(self, ran: Ran) -> list[events.Event]:
        """What its Python processes noted, in order. Empty if none was one."""
        return events.read(os.path.join(self.folder(ran), "events"), self.said)

    def log(self, ran: Ran) -> str:
        """All it printed."""
        return text_of(os.path.join(self.root, ran.log), LOG)

    def lines(self, ran: Ran) -> list[str]:
        """The lines it printed, as far as they are read: expressions may take the square of a line."""
        return [line[:LONGEST] for line in self.log(ran).splitlines()]

    def tensors(self, ran: Ran, package: str | None) -> str | None:
        """The folder with the tensors that the debug printer saved, for `aoti_lint.tensors`; None if there are none.

        They are of the call that did not end, or gave NaN or infinities, or else of the last one of `package`.
        """
        folder = self.folder(ran)
        found = (os.path.join(folder, "tensors"), os.path.join(folder, "calls", name_of(package)))
        return next((one for one in found if os.path.isdir(one)), None)

    def packages(self) -> dict[str, str]:
        """Where the packages that the program made are, by the paths that it named: those made last."""
        found = {entry["asked"]: entry["made"] for entry in _lines(os.path.join(self.root, MAP))}
        return {asked: made for asked, made in found.items() if os.path.exists(made)}

    def drop_caches(self) -> None:
        """Remove compiled code: it is large, and of use to this rerun alone."""
        shutil.rmtree(os.path.join(self.root, "caches"), ignore_errors=True)

    def point(self, asked: str, made: str) -> None:
        """Have processes run from now on read `made` where they name `asked`."""
        self._add(MAP, {"asked": self.there(asked), "made": self.there(made), "run": "*"})

    def hide(self, asked: str) -> None:
        """Have processes run from now on find no file `asked`: a script that compiles where there is none does."""
        nothing = os.path.join(self.root, "packages", "none", os.path.basename(asked))
        self._add(MAP, {"asked": self.there(asked), "made": nothing, "run": "*"})

    def keep(self, path: str) -> None:
        """Copy a file of the user, which `restore` brings back if anything changes it."""
        path = os.path.realpath(path)
        if any(entry["path"] == path for entry in _lines(os.path.join(self.root, "kept.jsonl"))):
            return
        copy = os.path.join(self.root, "kept", hashlib.sha256(os.fsencode(path)).hexdigest()[:16])
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        shutil.copy2(path, copy)
        self._add("kept.jsonl", {"path": path, "copy": copy})

    def restore(self) -> list[str]:
        """Bring back files of the user that were changed or removed; gives their paths. Each run does it at its end."""
        back = []
        for entry in _lines(os.path.join(self.root, "kept.jsonl")):
            path, copy = entry["path"], entry["copy"]
            if not _same(path, copy):
                os.makedirs(os.path.dirname(path), exist_ok=True)
                beside = f"{path}.{os.urandom(8).hex()}"
                try:
                    shutil.copy2(copy, beside)
                    os.replace(beside, path)
                except BaseException:
                    with contextlib.suppress(OSError):
                        os.unlink(beside)
                    raise
                back.append(path)
        return back

    def collect(self, run: Run) -> None:
        """Move tensors that the debug printer has saved since the run began to its folder.

        Those of calls that ended are no longer there: they give way to those of one that did not.
        """
        ended = os.path.join(run.folder, "tensors")
        kept = os.path.isdir(ended)
        for part in SAVED:
            folder = os.path.join(run.cwd, part)
            if not os.path.isdir(folder):
                continue
            for name in understood(os.listdir(folder)):
                path = os.path.join(folder, name)
                # Some file systems keep whole seconds only.
                if os.stat(path).st_mtime >= int(run.started):
                    if kept:
                        shutil.rmtree(ended)
                        kept = False
                    target = os.path.join(run.folder, "tensors", part)
                    os.makedirs(target, exist_ok=True)
                    shutil.move(path, os.path.join(target, name))
            if part not in run.had and not os.listdir(folder):
                os.rmdir(folder)

    def _add(self, name: str, entry: Mapping[str, Any]) -> None:
        with open(os.path.join(self.root, name), "ab", buffering=0) as file:
            file.write((json.dumps(entry) + "\n").encode("utf-8", "surrogateescape"))


def as_asked(root: str, text: str) -> str:
    """A text with the paths that the program named, where it has those of files that it got from the rerun."""
    if root in text:
        found = {entry["made"]: entry["asked"] for entry in _lines(os.path.join(root, MAP))}
        for made in sorted(found, key=len, reverse=True):
            text = text.replace(made, found[made])
    return uncopied(root, text)


def uncopied(root: str, text: str) -> str:
    """A text with the paths of the user's folder, where it has those of a copy that programs were run in."""
    if PREFIX in text:
        for entry in _lines(os.path.join(root, COPY)):
            text = text.replace(entry["made"], entry["asked"])
    return text


def _lines(path: str) -> Iterator[dict[str, Any]]:
    try:
        with open_regular(path, GENERATED) as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield json.loads(line.decode("utf-8", "surrogateescape"))
    except FileNotFoundError:
        return


def _same(path: str, copy: str) -> bool:
    try:
        now, then = os.stat(path), os.stat(copy)
    except OSError:
        return False
    return (now.st_size, now.st_mtime_ns) == (then.st_size, then.st_mtime_ns)
