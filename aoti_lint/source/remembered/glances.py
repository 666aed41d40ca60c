"""What is asked of many files, most of which nobody named: answered by what is known of them since they were read."""

from __future__ import annotations

import os
import time
from functools import partial

from aoti_lint.files.cache import content_hash
from aoti_lint.files.opener import read_file, source_kind
from aoti_lint.source.discovery.context import LARGEST_FILE
from aoti_lint.source.discovery.discover import is_native, is_python
from aoti_lint.source.interest import needles
from aoti_lint.source.remembered.in_memory import SETTLED
from aoti_lint.source.remembered.on_disk import Remembered
from aoti_lint.source.text import read_source
from aoti_lint.source.ties.naming import named_in
from aoti_lint.text.problem import SourceProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping
    from typing import Any, TypeVar

    from aoti_lint.files.cache import Cache
    from aoti_lint.source.remembered.in_memory import Contents

    T = TypeVar("T")

MOST = 50_000
"""Files of one project that are kept."""
_KIND, _LAST = "seen", "last"


class Glances:
    """Answers about the files of one project; paths are relative to its root, with `/`.

    A run depends on what it is told here only as far as it says so itself.
    """

    def __init__(
        self, root: str, overlay: Mapping[str, bytes], cache: Cache | None, kept: Contents | None = None
    ) -> None:
        """`overlay` holds the contents of files that are not, or not so, on disk; `kept` is from earlier runs."""
        self._root, self._overlay, self._cache, self._kept = root, overlay, cache, kept
        self._seen = Seen(cache, root)
        self._made = Remembered(cache, "made", os.path.basename(root))
        self._ties: dict[str, dict[str, list[Any]]] = {}
        self._last: dict[tuple[str, str], Any] = {}

    def content(self, path: str) -> str | None:
        """A hash of what a file holds; None where it cannot be read."""
        data = self._overlay.get(path)
        return self.on_disk(path) if data is None else content_hash(data)

    def on_disk(self, path: str) -> str | None:
        """The same, whatever an editor has of the file."""
        if self._kept is None:
            return self._seen.content(path)
        return self._kept.of_file("hash", os.path.join(self._root, path), partial(self._seen.content, path))

    def data(self, path: str) -> bytes:
        """What a file holds; nothing where it cannot be read."""
        if path in self._overlay:
            return self._overlay[path]
        try:
            return read_file(os.path.join(self._root, path), source_kind(path))
        except OSError:
            return b""

    def ties(self, path: str) -> dict[str, list[Any]]:
        """What a file names (see `source.ties.naming`)."""
        if path not in self._ties:
            told = self._told("named", path, lambda: _named(path, self.data(path)), is_python(path), is_native(path))
            self._ties[path] = named_in(b"", python=False) if told is None else told
        return self._ties[path]

    def speaks_of(self, path: str, names: Iterable[str]) -> bool:
        """Whether one of these names stands in a file."""
        data = self.data(path)
        return any(name.encode("utf-8", "surrogatepass") in data for name in names)

    def is_context(self, path: str) -> bool | None:
        """Whether a file may hold what a finding depends on; None where it cannot be read."""
        return self._told("context", path, lambda: needles.is_context(self.data(path)))

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, of JSON's types: made only if neither this process nor one before it did."""
        if self._kept is None:
            return self._made.once(key, make)
        return self._kept.once(key, lambda: self._made.once(key, make))

    def last(self, kind: str, of: str = "") -> Any:
        """What the last run said to `keep`, of this process or of one before; None where there was none.

        Of those of other processes, several are kept, each by what it is `of`.
        """
        if (kind, of) not in self._last:
            found = None if self._kept is None else self._kept.last(kind)
            if found is None and self._cache is not None:
                found = self._cache.get(_LAST, self._name(kind, of))
            self._last[kind, of] = found
        return self._last[kind, of]

    def keep(self, kind: str, told: Any, of: str = "") -> None:
        """Something of JSON's types for the next run, which has to see by it whether it is so still."""
        if told == self._last.get((kind, of)):
            return
        self._last[kind, of] = told
        if self._kept is not None:
            self._kept.keep(kind, told)
        elif self._cache is not None:
            self._cache.put(_LAST, self._name(kind, of), told)

    def _name(self, kind: str, of: str) -> str:
        return f"{kind} {of} {os.path.basename(self._root)}"

    def ask_again(self) -> None:
        """Files may have been written during the run: the disk is asked anew."""
        self._seen.ask_again()

    def end(self) -> None:
        """The run is at its end: what is known is kept for the next process."""
        self._made.end()
        self._seen.end()

    def _told(self, kind: str, path: str, make: Callable[[], T], *more: Hashable) -> T | None:
        content = self.content(path)
        return None if content is None else self.once((kind, content, path[-6:] == ".ipynb", *more), make)


def _named(path: str, data: bytes) -> dict[str, list[Any]]:
    if is_native(path):
        return named_in(data if needles.is_context(data) else b"", python=False)
    if path.endswith(".ipynb"):
        try:
            data = read_source(data, path).text.encode("utf-8", "surrogatepass")
        except SourceProblem:
            data = b""
    return named_in(data if len(data) <= LARGEST_FILE else b"", python=is_python(path))


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
        self._told: dict[str, str | None] = {}
        self._is_new = False

    def content(self, path: str) -> str | None:
        """A hash of what the file at `path`, relative to the root, holds; None where it is not read.

        A run asks the disk once.
        """
        if path not in self._told:
            self._told[path] = self._content(path)
        return self._told[path]

    def ask_again(self) -> None:
        """Forget what the disk said in this run."""
        self._told.clear()

    def _content(self, path: str) -> str | None:
        absolute = os.path.join(self._root, path)
        try:
            status = os.stat(absolute)
        except (OSError, ValueError):
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
