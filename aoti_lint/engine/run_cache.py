"""Remembers the document of a run, so that the same run over the same files need not be done again.

The document is kept with everything the run depended on: the named files, the other files it read, the folders whose
names decided what an import means, and which files of the project hold context. There is one document for each way of
calling the linter; a run over changed files replaces it.
"""

from __future__ import annotations

import os

from aoti_lint.files.cache import Cache
from aoti_lint.source.remembered.dependencies import Dependencies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from aoti_lint.source.remembered.glances import Glances

_KIND = "run"


class RunCache:
    """The memory of one way of calling the linter: `call` is all that was asked for, `contents` a hash of the files."""

    def __init__(self, cache: Cache, call: Sequence[object], contents: str) -> None:
        self._cache, self._contents = cache, contents
        self._key = repr(list(call))

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
