"""A folder of JSON values found again by content.

Nothing in it is trusted beyond being JSON, and nothing depends on it: a cache that cannot be read or written is an
empty one.
"""

from __future__ import annotations

import os

from aoti_lint import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FOLDER = ".aoti_lint_cache"

_TAG = """Signature: 8a477f597d28d172789f06886806bc55
# This file is a cache directory tag created by aoti-lint.
# For information about cache directory tags see https://bford.info/cachedir/
"""


def content_hash(data: bytes, size: int = 20) -> str:
    """A hash of `data` of so many bytes, as hexadecimal digits."""
    try:
        # What hashlib has, too, but hashlib loads OpenSSL, which takes longer than to look through a file.
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b
    return blake2b(data, digest_size=size).hexdigest()


class Cache:
    """Values by kind and key, kept in `folder`.

    Keys may be any text; what must make a value stale (content hashes, versions) belongs in them. The version of the
    tool is always part of the key.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = os.fspath(folder)
        self._writable = True

    def get(self, kind: str, key: str) -> Any | None:
        """The value put under this kind and key, or None."""
        text = self.get_text(kind, key)
        if text is None:
            return None
        import json

        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return None

    def get_text(self, kind: str, key: str) -> bytes | None:
        """The JSON put under this kind and key, or None; it may be damaged."""
        try:
            with open(self._path(kind, key), "rb") as file:
                return file.read()
        except OSError:
            return None

    def put(self, kind: str, key: str, value: Any) -> None:
        """Keep a value of JSON's types. Does nothing if it cannot be written."""
        import json

        self.put_text(kind, key, json.dumps(value, separators=(",", ":")))

    def put_text(self, kind: str, key: str, text: str) -> None:
        """Keep a value given as ASCII JSON."""
        if not self._writable:
            return
        path = self._path(kind, key)
        temporary = f"{path}.{os.getpid()}.tmp"
        try:
            self._prepare(os.path.dirname(path))
            with open(temporary, "w", encoding="ascii") as file:
                file.write(text)
            os.replace(temporary, path)
        except OSError:
            self._writable = False
            try:
                os.unlink(temporary)
            except OSError:
                pass

    def _path(self, kind: str, key: str) -> str:
        name = content_hash(f"{__version__}\0{kind}\0{key}".encode("utf-8", "surrogatepass"))
        return os.path.join(self._folder, kind, name[:2], name[2:] + ".json")

    def _prepare(self, folder: str) -> None:
        """Make a folder of the cache and, the first time, what tells other tools that it is one."""
        if os.path.isdir(folder):
            return
        if not os.path.isdir(self._folder):
            os.makedirs(self._folder, exist_ok=True)
            for name, text in (("CACHEDIR.TAG", _TAG), (".gitignore", "*\n")):
                with open(os.path.join(self._folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
        os.makedirs(folder, exist_ok=True)
