"""Remembers the document of a run, so that the same run over the same files need not be done again.

The document is kept with everything the run depended on: the named files, the other files it read, the folders whose
names decided what an import means, and which files of the project hold context. There is one document for each way of
calling the linter; a run over changed files replaces it. Where no more than comments and blank lines between statements
has changed, the document is the same but for its rows.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import cached_property

from aoti_lint.files.cache import Cache, content_hash
from aoti_lint.report.moved import moved as document_moved
from aoti_lint.source.remembered.dependencies import Dependencies
from aoti_lint.source.remembered.layout import bare, moved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from aoti_lint.source.remembered.glances import Glances

_KIND, _LAYOUT = "run", "layout"


class RunCache:
    """The memory of one way of calling the linter: `call` is all that was asked for.

    `contents` are hashes of what the named files hold, by path.
    """

    def __init__(self, cache: Cache, call: Sequence[object], contents: Mapping[str, str]) -> None:
        self._cache, self._contents = cache, contents
        self._key = repr(list(call))

    def get(
        self,
        root: str,
        named: Iterable[str],
        exclude: Sequence[str],
        glances: Glances,
        name: Callable[[str], str],
    ) -> dict[str, Any] | None:
        """The document of the same run over the files `named` below `root`, if nothing it depended on has changed.

        Comments and blank lines may have: then places are where they are now. `glances` knows what the files hold now,
        `name` what they are called in the document.
        """
        kept = self._cache.get(_KIND, self._key)
        if not isinstance(kept, dict) or kept["contents"].keys() != self._contents.keys():
            return None
        dependencies = Dependencies.from_json(kept["dependencies"])
        was = {**dependencies.files, **kept["contents"]}
        now = {path: self._contents.get(path) or glances.content(path) for path in was}
        changed = [path for path, known in was.items() if now[path] != (known or None)]
        document: dict[str, Any] | None = kept["document"]
        if changed and document is not None:
            document = self._moved(document, was, {path: now[path] for path in changed}, glances, name)
        if document is None or not dependencies.unchanged(root, named, exclude, glances):
            return None
        if changed:
            self._put(document, dependencies.of_files({path: now[path] for path in dependencies.files}), glances)
        return document

    def put(
        self, document: dict[str, Any], dependencies: Dependencies, contents: Mapping[str, str], glances: Glances
    ) -> None:
        """Remember the document of this run. `contents` are the hashes of the named files as they are now.

        Nothing is kept if they changed meanwhile: nobody knows which of their contents was judged.
        """
        if contents == self._contents:
            self._put(document, dependencies, glances)

    def _put(self, document: dict[str, Any], dependencies: Dependencies, glances: Glances) -> None:
        value = {"contents": self._contents, "dependencies": dependencies.to_json(), "document": document}
        self._cache.put(_KIND, self._key, value)
        known = self._layouts
        hashes = {**dependencies.files, **self._contents}
        made = {path: known[path] if known.get(path, [""])[0] == content else [content, bare(glances.data(path))]
                for path, content in hashes.items() if content and path.endswith(".py")}  # fmt: skip
        if made != known:
            self._cache.put(_LAYOUT, self._key, made)

    @cached_property
    def _layouts(self) -> dict[str, Any]:
        """By path: the hash of a file, and its lines without code, as the last run left them."""
        found = self._cache.get(_LAYOUT, self._key)
        return found if isinstance(found, dict) else {}

    def _moved(
        self,
        document: dict[str, Any],
        was: Mapping[str, str | None],
        changed: Mapping[str, str | None],
        glances: Glances,
        name: Callable[[str], str],
    ) -> dict[str, Any] | None:
        """The document, with places where they are now; None where more than comments and blank lines has changed.

        `was` are the former hashes of all files, `changed` the present ones of those that are others now.
        """
        if not all(path.endswith(".py") for path in changed) or "coverage" in document:
            return None
        layouts, files = self._layouts, {}
        counted = Counter([*was.values(), *changed.values()])
        for path, content in changed.items():
            known, before = layouts.get(path, ("", []))
            data = glances.data(path)
            found = moved(known, before, data) if known == was[path] and content_hash(data) == content else None
            # One of several with the same content, or no longer one: of such only one is analysed.
            if found is None or (found.has_code and counted[known] + counted[content] > 2):
                return None
            files[name(path)] = found
        return document_moved(document, files)


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
