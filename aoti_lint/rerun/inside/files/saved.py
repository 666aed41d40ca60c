"""Keeps apart the tensors that the debug printer saves in different calls: each call writes over those before it.

Those of the first call that gives NaN or infinities are kept in `tensors` of the run; else those of the last call of
each package, in `calls`. What a call leaves that never ended stays where the printer wrote it.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from typing import Any

FOLDERS = ("tmp", "tmp/aoti_torch")
_FILE = re.compile(r"(?:aoti_torch)?(?:before|after)_launch_.+\.pt")


class Saved:
    """For the calls of one process. `folder` is that of the run, which began at `started`."""

    def __init__(self, folder: str, started: float) -> None:
        self._folder, self._started = folder, int(started)

    def begin(self) -> None:
        """A call begins, or another one is kept: what is there is of no use."""
        for path, _ in self._files():
            os.unlink(path)

    def end(self, package: Any, outputs: list[dict[str, Any]]) -> None:
        """A call has ended, with these outputs."""
        first = os.path.join(self._folder, "tensors")
        if os.path.isdir(first):
            self.begin()
            return
        files = list(self._files())
        bad = any(leaf.get("nan") or leaf.get("inf") for leaf in outputs)
        target = first if bad else os.path.join(self._folder, "calls", name_of(package))
        for path, part in files:
            os.makedirs(os.path.join(target, part), exist_ok=True)
            _move(path, os.path.join(target, part, os.path.basename(path)))

    def _files(self) -> Iterator[tuple[str, str]]:
        for part in FOLDERS:
            try:
                names = os.listdir(part)
            except OSError:
                continue
            for name in filter(_FILE.fullmatch, names):
                path = os.path.join(part, name)
                if os.stat(path).st_mtime >= self._started:
                    yield path, part


def name_of(package: Any) -> str:
    """The folder in `calls` for a package."""
    return hashlib.sha256(os.fsencode(str(package))).hexdigest()[:12]


def _move(path: str, target: str) -> None:
    try:
        os.replace(path, target)
    except OSError:
        # Another file system.
        import shutil

        shutil.move(path, target)
