"""Where packages go during a rerun, and where those made in it are: the map from the asked paths to ours."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any

_stat, _open, _realpath = os.stat, open, os.path.realpath


class Paths:
    """The map, shared by all processes of a rerun through the file `map.jsonl` of its folder.

    A step that compiles sees only what it made itself: a script that compiles only where there is no package yet
    compiles again. A step that runs sees what the steps before it made.
    """

    def __init__(self, root: str, run: str, sees_earlier: bool) -> None:
        self._root = _realpath(root) + os.sep
        self._run, self._sees_earlier = run, sees_earlier
        self._map = os.path.join(root, "map.jsonl")
        self._read = 0
        self._known: dict[str, str] = {}

    def ours(self, path: Any) -> bool:
        """Whether a path is inside the folder of the rerun."""
        return bool((_realpath(os.fspath(path)) + os.sep).startswith(self._root))

    def make(self, path: Any) -> str:
        """Where to write what the program wants to write to `path`; remembered for all that read it later."""
        asked = _realpath(os.fspath(path))
        digest = hashlib.sha256(os.fsencode(asked)).hexdigest()[:8]
        folder = os.path.join(self._root, "packages", self._run, digest)
        os.makedirs(folder, exist_ok=True)
        made = os.path.join(folder, os.path.basename(asked))
        line = json.dumps({"asked": asked, "made": made, "run": self._run}) + "\n"
        with _open(self._map, "ab", buffering=0) as file:
            file.write(line.encode("utf-8", "surrogateescape"))
        return made

    def program(self, made: str) -> str:
        """Where to save the exported program that the package `made` is compiled from."""
        if not os.path.isabs(made):
            folder = os.path.join(self._root, "packages", self._run)
            os.makedirs(folder, exist_ok=True)
            made = os.path.join(folder, f"{os.getpid()}-{made}")
        return os.path.splitext(made)[0] + ".exported.pt2"

    def use(self, path: Any) -> str | None:
        """Where what the program knows as `path` is, if this rerun made it: a file, or one in a folder that it made."""
        asked, rest = _realpath(os.fspath(path)), ""
        known = self._load()
        for _ in range(3):
            made = known.get(asked)
            if made is not None:
                made = os.path.join(made, rest) if rest else made
                return made if _exists(made) else None
            asked, name = os.path.split(asked)
            rest = os.path.join(name, rest) if rest else name
        return None

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
        return self._known


def _exists(path: str) -> bool:
    try:
        _stat(path)
    except OSError:
        return False
    return True
