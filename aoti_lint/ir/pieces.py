"""The pieces of a source: what stands where in it, told apart by what it is and not by the line it stands on.

A piece is a statement of the top level or of a class. A definition goes by its qualified name, any other by its text. A
place in a piece, counted from where that begins, is the same place when lines come or go above it. The head of a
definition is what stands before its body; any other piece is all head. Of a statement with definitions inside (`if`,
`try`), these and what stands around them are the pieces.

In the body of a function, places are counted from where their line begins, which goes by its text: so they are the same
when lines come or go anywhere around it.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple
from zlib import crc32

from aoti_lint.files.cache import content_hash
from aoti_lint.ir import nodes

Definition = nodes.FunctionDef | nodes.Lambda | nodes.ClassDef
Row = list[str | int]
"""A piece as JSON, in the order of `Piece`."""
_BYTES = 10


class Piece(NamedTuple):
    """One piece: its name in its file, the bytes from which and to which it stands, and hashes of its text and head."""

    name: str
    start: int
    end: int
    text: str
    body: int
    """Where its head ends."""
    head: str
    lines: str
    """The lines of a function, each as the checksum and the length of its text; empty for any other piece."""


class Line(NamedTuple):
    """A line of a function: its name there, and the byte of the file at which it begins."""

    name: str
    start: int


class Near(NamedTuple):
    """What a place is counted from: a piece, or a line of a function, and the byte of the file at which that begins."""

    piece: Piece
    line: str
    """The name of the line, or empty."""
    start: int


class _Lines(NamedTuple):
    all: list[Line]
    named: dict[str, Line]


class Pieces:
    """The pieces of one source, whose content has the hash `content`."""

    def __init__(self, content: str, rows: list[Row]) -> None:
        self._whole = Piece("@" + content, 0, 0, content, -1, content, "")
        """Stands for a place in no piece: it is one only while the content is the same."""
        self._pieces = [Piece(*row) for row in rows]  # type: ignore[arg-type]  # JSON
        self._starts = [one.start for one in self._pieces]
        self._named = {one.name: one for one in self._pieces} | {self._whole.name: self._whole}
        self._lines: dict[str, _Lines] = {}

    @cached_property
    def heads(self) -> str:
        """A hash of what stands outside of the bodies of functions; of all there is where there are no pieces."""
        told = "".join(f"{one.name} {one.head}\n" for one in self._pieces)
        return content_hash(told.encode("utf-8", "surrogatepass"), _BYTES) if told else self._whole.text

    def around(self, at: int) -> Piece:
        """The smallest piece that holds this byte, or ends before it."""
        place = bisect_right(self._starts, at)
        while place:
            place -= 1
            if at <= self._pieces[place].end:
                return self._pieces[place]
            if "." not in self._pieces[place].name:
                break
        return self._whole

    def find(self, name: str) -> Piece | None:
        """The piece of this name, if there is one."""
        return self._named.get(name)

    def near(self, at: int) -> Near:
        """What a byte is counted from: in the body of a function its line, anywhere else the piece."""
        piece = self.around(at)
        if not piece.lines or at <= piece.body:
            return Near(piece, "", piece.start)
        lines = self._lines_of(piece).all
        return Near(piece, *lines[bisect_right(lines, at, key=attrgetter("start")) - 1])

    def start_of(self, name: str, line: str = "") -> int | None:
        """Where the piece of this name begins, or a line of it; None where there is none."""
        piece = self.find(name)
        found = piece if piece is None or not line else self._lines_of(piece).named.get(line)
        return None if found is None else found.start

    def _lines_of(self, piece: Piece) -> _Lines:
        if piece.name not in self._lines:
            lines: list[Line] = []
            seen: dict[str, int] = {}
            start = piece.start
            for told in piece.lines.split():
                text, _, length = told.partition(":")
                lines.append(Line(_new(seen, text), start))
                start += int(length) + 1
            self._lines[piece.name] = _Lines(lines, {line.name: line for line in lines})
        return self._lines[piece.name]


def pieces_of(tree: nodes.Module, data: bytes) -> list[Row]:
    """The pieces of a source, in order; what is inside of another one comes behind that."""
    rows: list[Row] = []
    _add(rows, {}, "", tree.body, data)
    return rows


def _add(rows: list[Row], seen: dict[str, int], within: str, body: list[nodes.Stmt], data: bytes) -> None:
    for one in body:
        inside = [] if isinstance(one, nodes.FunctionDef | nodes.ClassDef) else _statements(one)
        if any(map(_defines, inside)):
            start = one.start
            for part in inside:
                _add_text(rows, seen, within, start, part.start, data)
                _add(rows, seen, within, [part], data)
                start = part.end
            _add_text(rows, seen, within, start, one.end, data)
        elif isinstance(one, nodes.FunctionDef | nodes.ClassDef):
            before, text = data[one.start : _body_of(one)].rstrip(), data[one.start : one.end]
            lines = _lines(text) if isinstance(one, nodes.FunctionDef) else ""
            name = _new(seen, within + one.name)
            behind = one.start + len(before)
            rows.append([name, one.start, one.end, _hash(text), behind, _hash(before), lines])
            if isinstance(one, nodes.ClassDef):
                _add(rows, seen, name + ".", one.body, data)
        else:
            _add_text(rows, seen, within, one.start, one.end, data)


def _add_text(rows: list[Row], seen: dict[str, int], within: str, start: int, end: int, data: bytes) -> None:
    """A piece that goes by its text."""
    text = _hash(data[start:end])
    rows.append([_new(seen, within + "=" + text), start, end, text, end, text, ""])


def _new(seen: dict[str, int], name: str) -> str:
    seen[name] = seen.get(name, 0) + 1
    return name if seen[name] == 1 else f"{name}#{seen[name]}"


def _hash(text: bytes) -> str:
    return content_hash(text, _BYTES)


def _lines(text: bytes) -> str:
    """A checksum will do: what speaks of a line is made anew when the function changes, and never read wrong."""
    return " ".join(f"{crc32(line):x}:{len(line)}" for line in text.split(b"\n"))


def _statements(one: nodes.Stmt) -> list[nodes.Stmt]:
    """The statements that stand in another one, in their order."""
    match one:
        case nodes.If() | nodes.While() | nodes.For():
            return [*one.body, *one.orelse]
        case nodes.With():
            return one.body
        case nodes.Try():
            handled = [inner for handler in one.handlers for inner in handler.body]
            return [*one.body, *handled, *one.orelse, *one.final]
        case nodes.Match():
            return [inner for case in one.cases for inner in case.body]
    return []


def _defines(one: nodes.Stmt) -> bool:
    return isinstance(one, nodes.FunctionDef | nodes.ClassDef) or any(map(_defines, _statements(one)))


def _body_of(one: nodes.FunctionDef | nodes.ClassDef) -> int:
    """Where the body begins, or the line of its first statement."""
    if isinstance(one, nodes.FunctionDef):
        return one.code.start
    return one.body[0].start if one.body else one.end


def definition_at(tree: nodes.Module, start: int) -> Definition | None:
    """The function, lambda or class that begins at this byte; None where there is none."""
    todo: list[object] = [tree.body]
    while todo:
        one = todo.pop()
        if isinstance(one, list | tuple):
            todo += one
        elif isinstance(one, nodes.Node) and one.start <= start < one.end:
            if isinstance(one, nodes.FunctionDef | nodes.Lambda | nodes.ClassDef) and one.start == start:
                return one
            if isinstance(one, nodes.FunctionDef) and isinstance(one.code, nodes.Later):
                code = one.code
                todo += [one.params, one.decorators]
                if code.start <= start < code.end:
                    todo.append(one.body)
                continue
            todo += [getattr(one, slot) for slot in one.__dataclass_fields__ if slot not in ("start", "end")]
    return None
