"""Remembers the document of a run, so that the same run over the same files need not be done again.

The document is kept with everything the run depended on: the named files, the other files it read, the folders whose
names decided what an import means, and which files of the project hold context. There is one document for each way of
calling the linter; a run over changed files replaces it.
"""

from __future__ import annotations

import os
import sys

import aoti_lint
from aoti_lint.cache import Cache, content_hash
from aoti_lint.source.dependencies import Dependencies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

_KIND = "run"


class RunCache:
    """The memory of one way of calling the linter: `call` is everything that was asked for.

    `contents` is a hash of the named files.
    """

    def __init__(self, cache: Cache, call: Sequence[object], contents: str) -> None:
        self._cache, self._contents = cache, contents
        self._key = repr((list(call), tool_stamp()))

    def get(self, root: str, named: Iterable[str], exclude: Sequence[str]) -> dict[str, Any] | None:
        """The document of the same run over the files `named` below `root`, if nothing it depended on has changed."""
        kept = self._cache.get(_KIND, self._key)
        if not isinstance(kept, dict) or kept.get("contents") != self._contents:
            return None
        if not Dependencies.from_json(kept["dependencies"]).unchanged(root, named, exclude):
            return None
        document: dict[str, Any] = kept["document"]
        return document

    def put(self, document: dict[str, Any], dependencies: Dependencies, contents: str) -> None:
        """Remember the document of this run. `contents` is the hash of the named files as they are now.

        Nothing is kept if they changed meanwhile: nobody knows which of their contents was judged.
        """
        if contents != self._contents:
            return
        value = {"contents": self._contents, "dependencies": dependencies.to_json(), "document": document}
        self._cache.put(_KIND, self._key, value)


def tool_stamp() -> str:
    """Changes whenever a file of aoti-lint or of its built-in rules does, so that its developers see their work.

    So it does with the Python and the libcst that read the sources.
    """
    stamps = [sys.version]
    for folder in sys.path:
        try:
            stat = os.stat(os.path.join(folder, "libcst", "__init__.py"))
        except OSError:
            continue
        # Written anew by every installation.
        stamps.append(f"{folder} {stat.st_ctime_ns}")
    folders = [os.path.dirname(os.path.abspath(aoti_lint.__file__))]
    beside = os.path.join(os.path.dirname(folders[0]), "rules")
    if not os.path.isdir(os.path.join(folders[0], "rules")):
        folders.append(beside)
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    if entry.name != "__pycache__":
                        folders.append(entry.path)
                else:
                    stat = entry.stat()
                    stamps.append(f"{entry.path} {stat.st_mtime_ns} {stat.st_size}")
    return content_hash("\n".join(sorted(stamps)).encode("utf-8", "surrogateescape"))
