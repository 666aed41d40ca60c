"""What files held when they were last read, known by what the disk says of them: for questions about many files."""

from __future__ import annotations

import os
import time

from aoti_lint.cache import content_hash
from aoti_lint.files.opener import read_file, source_kind
from aoti_lint.source.kept import SETTLED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from aoti_lint.cache import Cache

LARGEST = 4 << 20
"""Bytes of a file that is read because it lies in a project: what is larger is data."""
MOST = 50_000
"""Files of one project that are kept."""
_KIND = "seen"


class Seen:
    """The hashes of the files of one project, which is at `root`; read once, and again where the disk says so.

    A file that was written after it was read says so by its times, its size or its number; one that was written just
    now is read again. The times of the last change cannot be set by who can write to the file.
    """

    def __init__(self, cache: Cache | None, root: str) -> None:
        self._root = root
        # Elsewhere the numbers of files mean nothing.
        self._cache = None if cache is None or cache.carried else cache
        self._before: dict[str, list[int | str]] | None = None
        self._now: dict[str, list[int | str]] = {}
        self._is_new = False

    def content(self, path: str) -> str | None:
        """A hash of what the file at `path`, relative to the root, holds; None where it is not read."""
        absolute = os.path.join(self._root, path)
        try:
            status = os.stat(absolute)
        except (OSError, ValueError):
            return None
        if status.st_size > LARGEST:
            return None
        signs = [status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_size]
        known = self._now.get(path) or self._known().get(path)
        if known is not None and known[:-1] == signs:
            self._now[path] = known
            return str(known[-1])
        try:
            found = content_hash(read_file(absolute, source_kind(path)))
        except OSError:
            return None
        if time.time() - max(status.st_mtime, status.st_ctime) >= SETTLED:
            self._now[path] = [*signs, found]
            self._is_new = True
        return found

    def end(self) -> None:
        """Keep what is known for the next process."""
        if self._cache is not None and self._is_new:
            unused = {path: known for path, known in self._known().items() if path not in self._now}
            kept = [*unused.items(), *self._now.items()][-MOST:]
            self._cache.put(_KIND, self._root, dict(kept))
            self._is_new = False

    def _known(self) -> dict[str, list[int | str]]:
        if self._before is None:
            found = None if self._cache is None else self._cache.get(_KIND, self._root)
            self._before = found if isinstance(found, dict) else {}
        return self._before
