"""Where packages go during a rerun, and where those made in it are: the map from the asked paths to ours."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

_stat, _open, _access = os.stat, open, os.access
_realpath, _isfile, _isdir = os.path.realpath, os.path.isfile, os.path.isdir
SUFFIX = ".pt2"
LIBRARIES = (".so", ".zip", ".dll", ".dylib")


class Paths:
    """The map, shared by all processes of a rerun through the file `map.jsonl` of its folder `root`.

    A step that compiles sees only what it made itself: a script that compiles only where there is no package yet
    compiles again. A step that runs sees what the steps before it made. `started` is when this one began.
    """

    def __init__(self, root: str, run: str, sees_earlier: bool, started: float) -> None:
        self._root = _realpath(root) + os.sep
        self._run, self._sees_earlier, self._started = run, sees_earlier, started
        self._map = os.path.join(root, "map.jsonl")
        self._read = 0
        self._known: dict[str, str] = {}
        self._suffixes: tuple[str, ...] = (SUFFIX, *LIBRARIES)
        self._load()

    def ours(self, path: Any) -> bool:
        """Whether a path is inside the folder of the rerun."""
        return (_real(path) + os.sep).startswith(self._root)

    def users(self, path: Any) -> bool:
        """Whether it is a package that was there before this run."""
        if not isinstance(path, (str, bytes, os.PathLike)) or not os.fsdecode(path).endswith(SUFFIX):
            return False
        return not self.ours(path) and self.is_old(path)

    def is_old(self, path: Any) -> bool:
        """Whether a file was there before this run, and has not been changed since."""
        try:
            stat = _stat(path)
        except OSError:
            return False
        return _isfile(path) and max(stat.st_ctime, stat.st_mtime) < self._started

    def may_write(self, path: Any) -> bool:
        """Whether the program could write a file there: where it cannot, it shall get its error."""
        folder = os.path.dirname(_real(path))
        if not _access(folder, os.W_OK) or _isdir(path):
            return False
        return _access(path, os.W_OK) or not _isfile(path)

    def make(self, path: Any) -> str:
        """Where to write what the program wants to write to `path`."""
        asked = _real(path)
        folder = self._folder(hashlib.sha256(os.fsencode(asked)).hexdigest()[:8])
        return os.path.join(folder, os.path.basename(asked))

    latest = ""
    """The exported program that this process saved last."""

    def program(self, made: str | None, number: int) -> str:
        """Where to save the exported program that the package `made` is compiled from."""
        if made is None:
            made = os.path.join(self._folder("exported"), f"{os.getpid()}-{number}.pt2")
        return os.path.splitext(made)[0] + ".exported.pt2"

    def register(self, path: Any, made: str) -> None:
        """From now on, what the program knows as `path` is `made`; a `made` that is not there stands for none."""
        line = json.dumps({"asked": _real(path), "made": made, "run": self._run}) + "\n"
        with _open(self._map, "ab", buffering=0) as file:
            file.write(line.encode("utf-8", "surrogateescape"))
        self._load()

    def may_be(self, path: Any) -> bool:
        """Whether a path may be in the map. Cheap: it is asked for every file."""
        return isinstance(path, (str, bytes, os.PathLike)) and os.fsdecode(path).endswith(self._suffixes)

    def use(self, path: Any) -> str | None:
        """Where what the program knows as `path` is, if this rerun made it: a file, or one in a folder that it made."""
        asked, rest = _real(path), ""
        known = self._load()
        for _ in range(3):
            made = known.get(asked)
            if made is not None:
                return os.path.join(made, rest) if rest else made
            asked, name = os.path.split(asked)
            rest = os.path.join(name, rest) if rest else name
        return None

    def _folder(self, name: str) -> str:
        folder = os.path.join(self._root, "packages", self._run, name)
        os.makedirs(folder, exist_ok=True)
        return folder

    def _load(self) -> dict[str, str]:
        try:
            size = _stat(self._map).st_size
        except OSError:
            return self._known
        if size > self._read:
            with _open(self._map, "rb") as file:
                file.seek(self._read)
                text = file.read(size - self._read)
            whole = text[: text.rfind(b"\n") + 1]
            self._read += len(whole)
            for line in whole.decode("utf-8", "surrogateescape").splitlines():
                entry = json.loads(line)
                if self._sees_earlier or entry["run"] in (self._run, "*"):
                    self._known[entry["asked"]] = entry["made"]
                    suffix = os.path.splitext(entry["asked"])[1]
                    if suffix and suffix not in self._suffixes:
                        self._suffixes = (*self._suffixes, suffix)
        return self._known


def _real(path: Any) -> str:
    return _realpath(os.fsdecode(path))
