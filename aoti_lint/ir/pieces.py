"""The pieces of a source: what stands where in it, told apart by what it is and not by the line it stands on.

A piece is a statement of the top level or of a class. A definition goes by its qualified name, any other by its text. A
place in a piece, counted from where that begins, is the same place when lines come or go above it. The head of a
definition is what stands before its body; any other piece is all head.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple

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


class Pieces:
    """The pieces of one source, whose content has the hash `content`."""

    def __init__(self, content: str, rows: list[Row]) -> None:
        self._whole = Piece("@" + content, 0, 0, content, -1, content)
        """Stands for a place in no piece: it is one only while the content is the same."""
        self._pieces = [Piece(*row) for row in rows]  # type: ignore[arg-type]  # JSON
        self._starts = [one.start for one in self._pieces]
        self._named = {one.name: one for one in self._pieces} | {self._whole.name: self._whole}

    @cached_property
    def heads(self) -> str:
        """A hash of what stands outside of the bodies of functions; of all there is where there are no pieces."""
        told = "".join(f"{one.name} {one.head}\n" for one in self._pieces)
        return content_hash(told.encode("utf-8", "surrogatepass"), _BYTES) if told else self._whole.text

    def around(self, start: int, end: int) -> Piece:
        """The smallest piece that holds these bytes."""
        at = bisect_right(self._starts, start)
        while at:
            at -= 1
            if end <= self._pieces[at].end:
                return self._pieces[at]
            if "." not in self._pieces[at].name:
                break
        return self._whole

    def find(self, name: str) -> Piece | None:
        """The piece of this name, if there is one."""
        return self._named.get(name)


def pieces_of(tree: nodes.Module, data: bytes) -> list[Row]:
    """The pieces of a source, in order; what is inside of another one comes behind that."""
    rows: list[Row] = []
    _add(rows, {}, "", tree.body, data)
    return rows


def _add(rows: list[Row], seen: dict[str, int], within: str, body: list[nodes.Stmt], data: bytes) -> None:
    for one in body:
        text = head = content_hash(data[one.start : one.end], _BYTES)
        name, behind = within + "=" + text, one.end
        if isinstance(one, nodes.FunctionDef | nodes.ClassDef):
            before = data[one.start : _body_of(one)].rstrip()
            name, behind, head = within + one.name, one.start + len(before), content_hash(before, _BYTES)
        seen[name] = seen.get(name, 0) + 1
        name = name if seen[name] == 1 else f"{name}#{seen[name]}"
        rows.append([name, one.start, one.end, text, behind, head])
        if isinstance(one, nodes.ClassDef):
            _add(rows, seen, name + ".", one.body, data)


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
