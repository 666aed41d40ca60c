"""Keeps copies of the user's packages before something writes over them, removes or renames them.

It hears of everything Python does to files (PEP 578). What C++ code does is not heard of: the functions of torch that
write packages are sent elsewhere. Programs that are started are heard of, with the files that their arguments name.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import threading
from collections.abc import Callable
from typing import Any

from ..events import Events
from .paths import LIBRARIES, SUFFIX, Paths

SUFFIXES = (SUFFIX, *LIBRARIES)
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_TRUNC | os.O_CREAT | os.O_APPEND
_open = open


class Guard:
    """Copies into `kept/` below `root`; `kept.jsonl` there says what belongs where."""

    def __init__(self, events: Events, paths: Paths, root: str) -> None:
        self._events, self._paths = events, paths
        self._folder, self._list = os.path.join(root, "kept"), os.path.join(root, "kept.jsonl")
        self._done: set[str] = set()
        self._here = threading.local()

    def install(self) -> None:
        """Listen from now on: nobody can stop listening."""
        sys.addaudithook(self.hear)

    def hear(self, event: str, args: tuple[Any, ...]) -> None:
        """What Python is about to do."""
        if event not in _HEARD or getattr(self._here, "busy", False):
            return
        self._here.busy = True
        try:
            for path in _HEARD[event](args):
                self.keep(path)
        except Exception as error:
            self._events.note("cannot keep a copy", error)
        finally:
            self._here.busy = False

    def keep(self, path: str) -> None:
        """Copy a file that was there before this run, once."""
        path = os.path.realpath(path)
        if not path.endswith(SUFFIXES) or path in self._done or self._paths.ours(path):
            return
        self._done.add(path)
        if not self._paths.is_old(path):
            return
        copy = os.path.join(self._folder, hashlib.sha256(os.fsencode(path)).hexdigest()[:16])
        if not os.path.exists(copy):
            os.makedirs(self._folder, exist_ok=True)
            shutil.copy2(path, f"{copy}.{os.getpid()}")
            os.replace(f"{copy}.{os.getpid()}", copy)
            with _open(self._list, "ab", buffering=0) as file:
                file.write((json.dumps({"path": path, "copy": copy}) + "\n").encode("utf-8", "surrogateescape"))
        self._events.write("kept", path=path)


def opened(args: tuple[Any, ...]) -> list[str]:
    """What is opened to be written."""
    path, mode, flags = (*args, None, None)[:3]
    writes = any(each in mode for each in "wax+") if isinstance(mode, str) else bool((flags or 0) & _WRITES)
    return names(path) if writes else []


def names(*paths: Any) -> list[str]:
    """Those of the arguments that are paths."""
    found = []
    for path in paths:
        if isinstance(path, (str, bytes, os.PathLike)):
            found.append(os.fsdecode(path))
    return found


def _words(args: tuple[Any, ...]) -> list[str]:
    """What the arguments of a program name."""
    found: list[str] = []
    todo = [each for each in args if isinstance(each, (str, bytes, os.PathLike, list, tuple))]
    while todo:
        each = todo.pop()
        if isinstance(each, (list, tuple)):
            todo += each
        elif isinstance(each, (str, bytes, os.PathLike)):
            text = os.fsdecode(each)
            found += [text, *(word.strip("\"'") for word in text.split())]
    return [word for word in found if word.endswith(SUFFIXES)]


_HEARD: dict[str, Callable[[tuple[Any, ...]], list[str]]] = {
    "open": opened,
    "os.remove": lambda args: names(args[0]),
    "os.rename": lambda args: names(args[0], args[1]) + _below(args[0]),
    "os.truncate": lambda args: names(args[0]),
    "shutil.rmtree": lambda args: _below(args[0]),
    "subprocess.Popen": lambda args: _words(tuple(args[:2])),
    "os.system": lambda args: _words(tuple(args)),
    "os.posix_spawn": lambda args: _words(tuple(args[1:2])),
    "os.exec": lambda args: _words(tuple(args[1:2])),
}


def _below(folder: Any) -> list[str]:
    found = []
    for outer, _, names in os.walk(os.fsdecode(folder)):
        found += [os.path.join(outer, name) for name in names if name.endswith(SUFFIXES)]
    return found
