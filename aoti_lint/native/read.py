"""The C++ sources of a project, read together: a macro or kernel of one file may be meant in another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from aoti_lint.native.blocks import blocks
from aoti_lint.native.functions import Function, definitions
from aoti_lint.native.lexical import Text
from aoti_lint.native.macros import Define, Macros, defines
from aoti_lint.native.model import Registration
from aoti_lint.native.registrations import Reader


class Natives:
    """The C++ sources of one project: `paths` those that may register ops, `further` those that may hold kernels.

    `read` gives the decoded text of a file as UTF-8, or None.
    """

    def __init__(self, paths: Iterable[str], read: Callable[[str], bytes | None], further: Iterable[str] = ()) -> None:
        self._read = read
        self._texts: dict[str, Text | None] = {}
        self._defines: dict[str, list[Define]] = {}
        self._functions: dict[tuple[str, bytes], Function | None] = {}
        self.paths = [path for path in paths if self._text(path) is not None]
        self._further = [path for path in further if path not in self.paths]
        for path in self.paths:
            text = self._text(path)
            assert text is not None
            self._defines[path] = defines(text)

    def registrations(self) -> Iterator[Registration]:
        """What the files register, file by file."""
        for path in self.paths:
            yield from self._of(path)

    def _of(self, path: str) -> Iterator[Registration]:
        text = self._text(path)
        assert text is not None
        own = self._defines[path]
        others = [one for other, listed in self._defines.items() if other != path for one in listed]
        macros = Macros(own, Macros(others))
        reader = Reader(path, macros, lambda name: self.function(name, path))
        for block in blocks(text, path, macros, own):
            yield from reader.read(block)

    def function(self, name: bytes, path: str) -> Function | None:
        """The function that `name` means in the file at `path`, if its body stands in one of the files."""
        bare = name.rsplit(b"::", 1)[-1]
        if (path, bare) not in self._functions:
            self._functions[path, bare] = None
            for other in (path, *self.paths, *self._further):
                text = self._text(other)
                found = next(definitions(text, other, bare), None) if text is not None and bare in text.data else None
                if found is not None:
                    self._functions[path, bare] = found
                    break
        return self._functions[path, bare]

    def _text(self, path: str) -> Text | None:
        if path not in self._texts:
            data = self._read(path)
            self._texts[path] = None if data is None else Text(data)
        return self._texts[path]
