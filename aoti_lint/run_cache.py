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
from aoti_lint.files.opener import GENERATED, read_file
from aoti_lint.source.dependencies import Dependencies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from aoti_lint.source.glances import Glances

_KIND = "run"


class RunCache:
    """The memory of one way of calling the linter: `call` is everything that was asked for.

    `stamp` is that of the tool, `contents` a hash of the named files.
    """

    def __init__(self, cache: Cache, call: Sequence[object], stamp: str, contents: str) -> None:
        self._cache, self._contents = cache, contents
        self._key = repr((list(call), stamp))

    def get(self, root: str, named: Iterable[str], exclude: Sequence[str], glances: Glances) -> dict[str, Any] | None:
        """The document of the same run over the files `named` below `root`, if nothing it depended on has changed.

        `glances` knows what the files hold now.
        """
        kept = self._cache.get(_KIND, self._key)
        if not isinstance(kept, dict) or kept.get("contents") != self._contents:
            return None
        if not Dependencies.from_json(kept["dependencies"]).unchanged(root, named, exclude, glances):
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


class Places:
    """How absolute paths stand in what a run is known by.

    Where the cache is carried, they stand as they are seen from the root, and the root as it is seen from the present
    folder: what was found serves the same tree elsewhere. Not so where it may hang on where the tree lies, as its
    folder is a package or one of the named `scripts` has its path.
    """

    def __init__(self, cache: Cache, root: str, folder: str, scripts: Iterable[bytes | None]) -> None:
        package = any(os.path.exists(os.path.join(root, f"__init__.{suffix}")) for suffix in ("py", "pyi"))
        path = os.fsencode(root.replace(os.sep, "/"))
        bound = not cache.carried or package or any(path in (script or b"") for script in scripts)
        self._start = None if bound else root
        self.root = root if bound else _way(root, folder)

    def of(self, path: str) -> str:
        """What a path is called."""
        return path if self._start is None else _way(path, self._start)


def _way(path: str, start: str) -> str:
    try:
        return os.path.relpath(path, start)
    except ValueError:  # another drive
        return path


def tool_stamp(*, carried: bool = False) -> str:
    """Changes whenever a file of aoti-lint or of its built-in rules does, so that its developers see their work.

    So it does with the Python and the libcst that read the sources. Where the cache is `carried`, it is the same for
    another installation of the same: it depends on contents, not on folders and times.
    """
    stamps = [sys.version]
    for folder in sys.path:
        try:
            stat = os.stat(os.path.join(folder, "libcst", "__init__.py"))
        except OSError:
            continue
        if carried:
            stamps += [name for name in os.listdir(folder) if name.startswith("libcst-")]
        else:
            # Written anew by every installation.
            stamps.append(f"{folder} {stat.st_ctime_ns}")
    top = os.path.dirname(os.path.abspath(aoti_lint.__file__))
    folders = [top]
    if not os.path.isdir(os.path.join(top, "rules")):
        folders.append(os.path.join(os.path.dirname(top), "rules"))
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    if entry.name != "__pycache__":
                        folders.append(entry.path)
                elif carried:
                    data = read_file(entry.path, GENERATED)
                    stamps.append(f"{os.path.relpath(entry.path, top)} {content_hash(data)}")
                else:
                    stat = entry.stat()
                    stamps.append(f"{entry.path} {stat.st_mtime_ns} {stat.st_size}")
    return content_hash("\n".join(sorted(stamps)).encode("utf-8", "surrogateescape"))
