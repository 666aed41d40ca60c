"""The C++ sources of a project, read together: a macro or kernel of one file may be meant in another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.regex import regex
from aoti_lint.native.blocks import LIBRARY, blocks
from aoti_lint.native.functions import Function, definitions
from aoti_lint.native.lexical import SpentMarks, Text
from aoti_lint.native.macros import Define, Macros, defines
from aoti_lint.native.model import UNKNOWN, Library, Registration
from aoti_lint.native.registrations import Reader

_TEMPLATE = regex(rb"\{%[-+\s]|[-+\s]%\}|<%[-=\s]")
"""What C++ does not have and a template does, of Jinja or ERB: a generator makes C++ of it later."""


class Natives:
    """The C++ sources of one project: `paths` those that may register ops, `further` those that may hold kernels.

    `read` gives the decoded text of a file as UTF-8, or None.
    """

    def __init__(self, paths: Iterable[str], read: Callable[[str], bytes | None], further: Iterable[str] = ()) -> None:
        self.unfollowed: list[str] = []
        """The files that were not read to their ends: following their brackets took too long."""
        self._read = read
        self._data: dict[str, bytes | None] = {}
        self._texts: dict[str, Text] = {}
        self._defines: dict[str, list[Define]] = {}
        self._functions: dict[tuple[str, bytes], Function | None] = {}
        known = [path for path in paths if self._bytes(path) is not None]
        for path in known:
            self._defines[path] = defines(self._text(path))
        self._further = [path for path in further if path not in self._defines and self._bytes(path) is not None]
        self.paths = known + self._in_other_words()

    def registrations(self) -> Iterator[Registration]:
        """What the files register, file by file."""
        for path in self.paths:
            try:
                yield from self._of(path)
            except SpentMarks:
                self.unfollowed.append(path)

    def _in_other_words(self) -> list[str]:
        """The further files that may register ops with a macro that one of the files defines for that."""
        words = {one.name for listed in self._defines.values() for one in listed if LIBRARY.search(one.body + b"(")}
        if not words:
            return []
        pattern = re.compile(rb"\b(?:" + b"|".join(map(re.escape, words)) + rb")\s*\(")
        found = [path for path in self._further if pattern.search(self._bytes(path) or b"")]
        for path in found:
            self._defines[path] = defines(self._text(path))
        return found

    def _of(self, path: str) -> Iterator[Registration]:
        text = self._text(path)
        own = self._defines[path]
        others = [one for other, listed in self._defines.items() if other != path for one in listed]
        macros = Macros(own, Macros(others))
        reader = Reader(path, macros, lambda name: self.function(name, path))
        made_later = _TEMPLATE.search(text.masked) is not None
        for block in blocks(text, path, macros, own):
            if block.only and block.namespace != UNKNOWN and block.place is None:
                span = Span(path, block.head, block.start)
                yield Library(namespace=block.namespace, span=span, conditional=block.conditional(block.head))
            yield from reader.anything(block) if made_later else reader.read(block)

    def function(self, name: bytes, path: str) -> Function | None:
        """The function that `name` means in the file at `path`, if its body stands in one of the files."""
        bare = name.rsplit(b"::", 1)[-1]
        if (path, bare) not in self._functions:
            self._functions[path, bare] = None
            for other in (path, *self.paths, *self._further):
                if bare not in (self._bytes(other) or b""):
                    continue
                found = next(definitions(self._text(other), other, bare), None)
                if found is not None:
                    self._functions[path, bare] = found
                    break
        return self._functions[path, bare]

    def _bytes(self, path: str) -> bytes | None:
        if path not in self._data:
            self._data[path] = self._read(path)
        return self._data[path]

    def _text(self, path: str) -> Text:
        if path not in self._texts:
            self._texts[path] = Text(self._bytes(path) or b"")
        return self._texts[path]
