"""JSON values found again by content, in a folder that is the user's own.

What stands there is believed, so nothing in it may come from anybody else: no link is followed, nothing counts that
another user owns or can write to, and what was not written here, but copied or checked out, is not found. Nothing
depends on it: a cache that cannot be read or written is an empty one.
"""

from __future__ import annotations

import os
import stat
import sys
import time

from aoti_lint.files.opener import GENERATED, read_file
from aoti_lint.files.own_folder import Foreign, OwnFolder

try:
    # What hashlib has, too, but hashlib loads OpenSSL, which takes longer than to look through a file.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LIMIT = 256 << 20
"""The bytes a cache may grow to, about: then what was not used for longest goes."""

_HOUR = 3600
_DIGITS = 40
_HERE = "made-here"
"""An empty file. That it is the same file is how entries that were written in this folder are known."""
_PRUNED = "pruned"
"""An empty file whose time says when the cache was last looked through."""


def content_hash(data: bytes, size: int = 20) -> str:
    """A hash of `data` of so many bytes, as hexadecimal digits."""
    return blake2b(data, digest_size=size).hexdigest()


def user_folder() -> str | None:
    """Where this user's cache stands; None where they have no home, or run us in the home of another (sudo)."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base) and sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
    elif not os.path.isabs(base):
        home = os.environ.get("HOME", "")
        try:
            if os.stat(home).st_uid != os.geteuid():
                return None
        except OSError:
            return None
        base = os.path.join(home, "Library/Caches" if sys.platform == "darwin" else ".cache")
    return os.path.join(base, "aoti-lint") if os.path.isabs(base) else None


def tool_stamp(*, carried: bool = False) -> str:
    """Changes whenever a file of aoti-lint or of its built-in rules does, so that its developers see their work.

    So it does with the Python and the libcst that read the sources. Where the cache is `carried`, it is the same for
    another installation of the same: it depends on contents, not on folders and times.
    """
    stamps = [sys.version]
    for folder in sys.path:
        try:
            status = os.stat(os.path.join(folder, "libcst", "__init__.py"))
        except OSError:
            continue
        if carried:
            stamps += [name for name in os.listdir(folder) if name.startswith("libcst-")]
        else:
            # Written anew by every installation.
            stamps.append(f"{folder} {status.st_ctime_ns}")
    top = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
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
                    status = entry.stat()
                    stamps.append(f"{entry.path} {status.st_mtime_ns} {status.st_size}")
    return content_hash("\n".join(sorted(stamps)).encode("utf-8", "surrogateescape"))


class Cache:
    """Values by kind and key, kept in `folder`.

    Keys may be any text; what must make a value stale (content hashes, versions) belongs in them. What the tool is
    known by is always part of the key. A folder that is `carried` from machine to machine holds what was written
    elsewhere: whoever can write to it decides what is found.
    """

    def __init__(self, folder: str | os.PathLike[str], *, carried: bool = False) -> None:
        self.folder, self.carried = os.path.abspath(folder), carried
        self._writable, self._written = True, 0
        self._tool = ""
        self.refused = ""
        """Why the folder is not used: somebody else has a hand in it, or it is none."""
        self.unkept = ""
        """Why nothing can be kept there."""
        upper = os.path.dirname(self.folder)
        if carried and upper.startswith(os.getcwd()) and os.path.realpath(upper) != upper:
            self.refused = "the way to it leads over a link"

    @property
    def keeps(self) -> bool:
        """Whether what is put here is found, by what is known so far."""
        return self._writable and not self.refused

    def get(self, kind: str, key: str) -> Any | None:
        """The value put under this kind and key, or None."""
        text = self.get_text(kind, key)
        if text is None:
            return None
        import json  # a run that remembers nothing does without

        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return None

    def get_text(self, kind: str, key: str) -> bytes | None:
        """The JSON put under this kind and key, or None."""
        if self.refused:
            return None
        try:
            with OwnFolder(self.folder) as base, OwnFolder(kind, base) as folder:
                name = self._name(base, kind, key)
                with open(folder.open(name, os.O_RDONLY), "rb") as file:
                    status = os.fstat(file.fileno())
                    if status.st_size > LIMIT:
                        return None
                    if status.st_mtime < time.time() - _HOUR:
                        folder.touch(name)
                    digest, _, text = file.read().partition(b"\n")
        except Foreign as error:
            self.refused = str(error)
            return None
        except NotADirectoryError:
            self.refused = "it is no folder"
            return None
        except OSError:
            return None
        return text if digest == content_hash(text).encode() else None

    def put(self, kind: str, key: str, value: Any) -> None:
        """Keep a value of JSON's types. Does nothing if it cannot be written."""
        import json  # as in `get`

        self.put_text(kind, key, json.dumps(value, separators=(",", ":")))

    def put_text(self, kind: str, key: str, text: str) -> None:
        """Keep a value given as ASCII JSON."""
        if self.refused or not self._writable:
            return
        data = text.encode("ascii")
        try:
            with OwnFolder(self.folder, make=True) as base, OwnFolder(kind, base, make=True) as folder:
                if not self.carried:
                    os.close(base.open(_HERE, os.O_RDONLY | os.O_CREAT))
                folder.write(self._name(base, kind, key), content_hash(data).encode() + b"\n" + data)
                self._written += len(data)
                self._prune(base)
        except Foreign as error:
            self.refused = str(error)
        except OSError as error:
            self._writable, self.unkept = False, error.strerror or str(error)

    def _name(self, base: OwnFolder, kind: str, key: str) -> str:
        """The name of an entry, which nobody can foresee who has not seen this very folder."""
        here = ""
        if not self.carried:
            mark = base.open(_HERE, os.O_RDONLY)
            status = os.fstat(mark)
            os.close(mark)
            here = f"{status.st_ino} {status.st_ctime_ns}"
        self._tool = self._tool or tool_stamp(carried=self.carried)
        return content_hash(f"{self._tool}\0{kind}\0{here}\0{key}".encode("utf-8", "surrogatepass")) + ".json"

    def _prune(self, base: OwnFolder) -> None:
        """Remove what was not used for longest from a cache that has grown too large.

        It is looked through once an hour, and where much was written.
        """
        now = time.time()
        there = dict(base.entries())
        if _PRUNED in there and now - _HOUR < there[_PRUNED].st_mtime <= now and self._written < LIMIT // 8:
            return
        self._written = 0
        os.close(base.open(_PRUNED, os.O_RDONLY | os.O_CREAT))
        base.touch(_PRUNED)
        found = []
        for kind, status in there.items():
            if stat.S_ISDIR(status.st_mode):
                with OwnFolder(kind, base) as folder:
                    found += [(one.st_mtime, one.st_size, kind, name) for name, one in folder.entries()
                              if len(name.partition(".")[0]) == _DIGITS]  # fmt: skip
        over = sum(size for _, size, _, _ in found) - LIMIT
        if over <= 0:
            return
        over += LIMIT // 4
        for _, size, kind, name in sorted(found):
            if over <= 0:
                break
            over -= size
            with OwnFolder(kind, base) as folder:
                folder.remove(name)
