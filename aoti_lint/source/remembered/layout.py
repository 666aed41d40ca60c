"""Files that hold the code they held: comments that stand alone, and blank lines, came, went or changed.

What is kept of a file are its lines without code. Together with the lines of code that it has now they give what it
held before, if it still has the same ones: its hash proves it.
"""

from __future__ import annotations

import warnings
from itertools import chain, pairwise

from aoti_lint.files.cache import content_hash
from aoti_lint.lazily.regex import regex
from aoti_lint.source.interest.needles import may_suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Bare = list["tuple[int, str]"]
"""Rows of a file that hold a comment alone or nothing, each with its text."""

_CODING = regex(rb"coding[:=]")


class Moved:
    """Where the lines of code of a file are now; rows are counted from 1."""

    __slots__ = ("_changed", "_rows", "_torn")

    def __init__(
        self, rows: Mapping[int, int], changed: Iterable[tuple[int, int]], torn: Iterable[tuple[int, int]]
    ) -> None:
        """`rows` are the present ones by the former ones, `changed` the former ones between which something changed.

        `torn` are the first and last rows, now, of statements with such a change in them.
        """
        self._rows, self._changed, self._torn = rows, [*changed], [*torn]

    @property
    def has_code(self) -> bool:
        """Whether there is any."""
        return len(self._rows) > 2  # one before the first and one behind the last row

    def row(self, row: int) -> int | None:
        """Where a former row is now; None if there was no code in it, or if its statement is another text now."""
        now = self._rows.get(row)
        return None if now is None or any(first <= now <= last for first, last in self._torn) else now

    def whole(self, first: int, last: int) -> bool:
        """Whether nothing has changed among these former rows, right above and right below them."""
        return not any(begin <= last and first <= end for begin, end in self._changed)


def bare(data: bytes) -> Bare:
    """The lines of a file that may be no code; none of what has other ends of lines than a line feed."""
    return [(row, _text(line)) for row, line in enumerate(data.split(b"\n"), 1) if not _is_code(line)]


def moved(content: str, before: Iterable[tuple[int, str]], data: bytes) -> Moved | None:
    """What became of the lines of a file that had the hash `content` and these bare lines, and holds `data` now.

    None if that is more than another layout.
    """
    lines = data.split(b"\n")
    former = _together(filter(_is_code, lines), dict(before))
    old = b"\n".join(former)
    if content_hash(old) != content or not (_is_plain(old) and _is_plain(data)):
        return None
    (rows, gaps), (now, gaps_now) = _apart(former), _apart(lines)
    changed = [at for at, gap in enumerate(gaps) if gap != gaps_now[at]]
    for at in changed:
        above = lines[now[at] - 1] if at else b""
        # What a backslash goes on with would be another line.
        if above.endswith(b"\\") or any(map(may_suppress, (*gaps[at], *gaps_now[at]))):
            return None
    pairs = [(now[at], now[at + 1]) for at in changed if 0 < at < len(now) - 2]
    torn = _torn(data, lines, pairs) if changed else []
    if torn is None:
        return None
    return Moved(dict(zip(rows, now, strict=True)), [(rows[at], rows[at + 1]) for at in changed], torn)


def _together(code: Iterable[bytes], bare: Mapping[int, str]) -> list[bytes]:
    """The lines of a file of these lines of code, and of bare lines by their rows."""
    made: list[bytes] = []
    for line in chain(code, [None]):
        while (text := bare.get(len(made) + 1)) is not None:
            made.append(text.encode("utf-8", "surrogateescape"))
        if line is not None:
            made.append(line)
    return made


def _apart(lines: Sequence[bytes]) -> tuple[list[int], list[list[bytes]]]:
    """The rows of code, with those before the first and behind the last row of the file; and what is between two."""
    rows = [0, *(row for row, line in enumerate(lines, 1) if _is_code(line)), len(lines) + 1]
    return rows, [[*lines[begin : end - 1]] for begin, end in pairwise(rows)]


def _text(line: bytes) -> str:
    return line.decode("utf-8", "surrogateescape")


def _is_code(line: bytes) -> bool:
    return line.lstrip()[:1] not in (b"", b"#")


def _is_plain(data: bytes) -> bool:
    """Whether a file is text of UTF-8 in which a line feed ends each line, and nothing else does."""
    return b"\r" not in data and b"\f" not in data and not any(map(_CODING.search, data.split(b"\n", 2)[:2]))


def _torn(data: bytes, lines: Sequence[bytes], pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]] | None:
    """Of pairs of rows without code between them: the rows of the statements that go on from one to the other.

    None if a string does, or if the file is no Python.
    """
    import ast

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    torn = []
    for above, below in pairs:
        ends = None
        for node in _around(tree, above, below):
            if isinstance(node, ast.JoinedStr) or (
                isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
            ):
                return None
            if isinstance(node, ast.stmt | ast.excepthandler):
                ends = _goes_on(node, above, below, lines)
        torn += [] if ends is None else [ends]
    return torn


def _goes_on(
    statement: ast.stmt | ast.excepthandler, above: int, below: int, lines: Sequence[bytes]
) -> tuple[int, int] | None:
    """The rows of a statement, or of its head, if that goes on from one row to the other."""
    begin, body = _begin(statement), getattr(statement, "body", None)
    last = statement.end_lineno if body is None else _begin(body[0])
    if begin is None or last is None:
        return None
    if body is not None and (below > last or (below == last and lines[above - 1].rstrip().endswith(b":"))):
        return None
    return begin, last


def _around(tree: ast.Module, above: int, below: int) -> Iterator[ast.AST]:
    """What is in both rows, from the outside in."""
    import ast

    todo: list[ast.AST] = [tree]
    while todo:
        for node in ast.iter_child_nodes(todo.pop()):
            begin, end = _begin(node), getattr(node, "end_lineno", None)
            if begin is None or end is None:
                todo.append(node)
            elif begin <= above and below <= end:
                yield node
                todo.append(node)


def _begin(node: ast.AST) -> int | None:
    """The row in which something begins, with what decorates it; None where it has none of its own."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    begin: int | None = getattr(decorators[0] if decorators else node, "lineno", None)
    return begin
