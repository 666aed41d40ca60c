"""One source: its decoded text, and how it goes back into a file."""

from __future__ import annotations

import codecs

from aoti_lint.lazily.regex import regex
from aoti_lint.source.discovery.discover import is_native, is_python
from aoti_lint.source.settings.kinds import NAMES, kind_of
from aoti_lint.text.comments import blanked
from aoti_lint.text.lines import LineIndex
from aoti_lint.text.problem import SourceProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from aoti_lint.source.notebooks.notebook import Notebook

_BOM = codecs.BOM_UTF8
_FIRST_LINES = regex(rb"[^\r\n]*(?:\r\n?|\n)?")
_COOKIE = regex(rb"[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)")
_BLANK = regex(rb"[ \t\f]*(?:[#\r\n]|$)")
_OF_NAMES = frozenset({"punycode", "idna"})
"""Encodings that take time with the square of a text."""
_NEWLINE = regex(r"\r\n?|\n")


class Source:
    """A Python file, or a notebook as one virtual Python text.

    `path` is relative to the project root, with `/`. `text` is decoded, without byte order mark, with the newlines of
    the file. `notebook` maps the text to cells when `kind` is `notebook`.
    """

    __slots__ = ("_code", "_lines", "bom", "encoding", "kind", "notebook", "path", "text")

    def __init__(
        self, path: str, text: str, encoding: str = "utf-8", bom: bool = False, notebook: Notebook | None = None
    ) -> None:
        self.path = path
        self.text = text
        self.encoding = encoding
        self.bom = bom
        self.kind: Literal["python", "notebook"] = "python" if notebook is None else "notebook"
        self.notebook = notebook
        self._lines: LineIndex | None = None
        self._code: str | None = None

    @property
    def code(self) -> str:
        """The text without the comments of Python that stand alone: what it is searched for does not hang on them."""
        if self._code is None:
            self._code = blanked(self.text) if is_python(self.path) else self.text
        return self._code

    @property
    def lines(self) -> LineIndex:
        """Rows and columns of the text."""
        if self._lines is None:
            self._lines = LineIndex(self.text)
        return self._lines

    @property
    def newline(self) -> str:
        """The first newline of the text, for text to be inserted; `\\n` if there is none."""
        found = _NEWLINE.search(self.text)
        return found[0] if found else "\n"

    def cell(self, row: int) -> tuple[int, int] | None:
        """Cell number and row in the cell of a row, both 1-based; None outside of notebooks."""
        return None if self.notebook is None else self.notebook.place(row)

    def write_back(self, text: str) -> bytes:
        """The bytes of the file with `text` in place of the present text.

        Raises `SourceProblem` if the encoding cannot hold the new text, or an edit crossed a cell or touched a magic.
        """
        if self.notebook is not None:
            return self.notebook.write_back(text)
        try:
            data = text.encode(self.encoding)
        except UnicodeEncodeError as error:
            offset = len(text[: error.start].encode("utf-8", "surrogatepass"))
            message = f"its encoding, {self.encoding}, lacks a character of the new text"
            raise SourceProblem(self.path, message, offset) from None
        return _BOM + data if self.bom else data


def read_source(data: bytes, path: str) -> Source:
    """Decode the bytes of the file at `path` as Python would; `.ipynb` files are read as notebooks.

    Files that set environment variables (see `settings`) are UTF-8 whatever their first lines say; so are C++ sources,
    or else UTF-16 where they start so, or Latin-1, which reads anything. Raises `SourceProblem` if the bytes are not
    what their encoding says, or hold null characters.
    """
    if path.endswith(".ipynb"):
        # It brings json and ast.
        from aoti_lint.source.notebooks.notebook import read_notebook

        notebook = read_notebook(data, path)
        return Source(path, notebook.text, notebook=notebook)
    if is_native(path):
        return _native(data, path)
    bom = data.startswith(_BOM)
    if bom:
        data = data[len(_BOM) :]
    reader = "Python" if path.endswith((".py", ".pyi")) else NAMES.get(kind_of(path, data) or "", "Python")
    encoding = _encoding(data, path, bom) if reader == "Python" else "utf-8"
    try:
        text = data.decode(encoding)
    except LookupError:
        raise SourceProblem(path, f"the first lines name {encoding}, which is not an encoding of text") from None
    except ValueError as error:
        raise _decoding_problem(data, encoding, path, error, reader) from None
    null = text.find("\0")
    if null >= 0:
        row = len(text[: null + 1].encode().splitlines())
        raise SourceProblem(path, f"line {row} holds a null character, which {_cannot(reader)}")
    return Source(path, text, encoding, bom)


def _native(data: bytes, path: str) -> Source:
    """A C++ source: what a compiler takes, comments in some old encoding among them."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return Source(path, data.decode("utf-16"), "utf-16")
        except UnicodeDecodeError as error:
            raise SourceProblem(path, f"not valid UTF-16: {error}") from None
    bom = data.startswith(_BOM)
    data = data[len(_BOM) :] if bom else data
    try:
        return Source(path, data.decode(), bom=bom)
    except UnicodeDecodeError:
        return Source(path, data.decode("latin-1"), "latin-1", bom)


def _encoding(data: bytes, path: str, bom: bool) -> str:
    """The encoding named in one of the first two lines (PEP 263)."""
    first = _FIRST_LINES.match(data)
    assert first is not None
    found = _COOKIE.match(first[0])
    if found is None and _BLANK.match(first[0]):
        found = _COOKIE.match(data, first.end())
    if found is None:
        return "utf-8"
    named = found[1].decode("ascii")
    try:
        name = codecs.lookup(named).name.removesuffix("-sig")
    except LookupError:
        raise SourceProblem(path, f"the first lines name an unknown encoding, {named}") from None
    if name in _OF_NAMES:
        raise SourceProblem(path, f"the first lines name {named}, an encoding of the names of hosts and not of text")
    if bom and name != "utf-8":
        raise SourceProblem(path, f"the byte order mark says UTF-8, the first lines say {named}")
    return name


def _decoding_problem(data: bytes, encoding: str, path: str, error: ValueError, reader: str) -> SourceProblem:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return SourceProblem(path, f"the file is UTF-16, which {_cannot(reader)}")
    if not isinstance(error, UnicodeDecodeError):
        return SourceProblem(path, f"not valid {encoding}: {error}")
    row = len(data[: error.start].splitlines(keepends=True)) or 1
    return SourceProblem(path, f"not valid {encoding}: byte 0x{data[error.start]:02x} in line {row}")


def _cannot(reader: str) -> str:
    return "Python does not read as source" if reader == "Python" else f"does not belong in {reader}"
