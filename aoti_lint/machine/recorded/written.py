"""Values as text and back: what is written down of a unit.

Everything is a row of one table, a list that begins with the number of its kind, and stands behind the rows it speaks
of. In a row, short texts, None and integers from 0 stand for themselves, and a negative integer for an earlier row. So
nothing is written twice, and reading is one walk over the table. Two equal lists or dicts are one when they are read:
nobody changes them. Objects that are no values, such as events, stay as many as they were.

A place in a file is written as one in a piece of it, or on a line of a function (see `ir.pieces`): the same where only
lines around it changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from functools import cache, partial
from importlib import import_module
from operator import attrgetter
from typing import Any, Protocol, cast

from aoti_lint.diagnostics import Span
from aoti_lint.ir.pieces import Pieces
from aoti_lint.ir.stack import with_deep_stack
from aoti_lint.lazily.dataclass import fields
from aoti_lint.machine.changes import NAMED, name_of
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.code import Code
from aoti_lint.values.values import Class, Func, NodePlace


class Files(Protocol):
    """What tells where things stand in the files of a project."""

    def content(self, path: str) -> str | None:
        """A hash of what a file holds; None where it cannot be read."""

    def pieces(self, path: str) -> Pieces:
        """The pieces of a file."""

    def definition(self, path: str, start: int) -> Any:
        """The definition that begins at this byte of a file. Raises `LookupError` where there is none."""


_OWN = __name__.partition(".")[0] + "."
_FIRST = (True, False)
"""The first rows of each table, which are not written."""
_SHORT = 6
"""A text of so many characters is written again rather than spoken of."""
_LONG = 1 << 63
_CHANGING: tuple[object, ...] = (None, object.__hash__)
"""How things are hashed that may change."""


class NotWritten(Exception):
    """Something cannot be written down: it holds code that runs."""


Spoken = dict[str, set[tuple[str, str]]]
"""By the files that something speaks of: the places it speaks of that are there only as long as a piece is what it is.

Each is the name of the piece, and that of the line in it if it is on one.
"""


def dumps(value: object, files: Files, spoken: Spoken | None = None) -> str:
    """The value as ASCII JSON, the same for what is the same. What it speaks of is added to `spoken`.

    Raises `NotWritten`.
    """

    def work() -> str:
        writer = _Writer(files, {} if spoken is None else spoken)
        slot = writer.slot(value)
        return json.dumps([list(writer.kinds), writer.rows, slot, writer.lines], separators=(",", ":"))

    try:
        return work()
    except RecursionError:
        pass
    try:
        return with_deep_stack(work)
    except RecursionError:
        raise NotWritten("nested too deeply") from None


def loads(text: str | bytes, files: Files, paths: set[str] | None = None) -> Any:
    """The value that `dumps` wrote, with its places where they are now. The files it speaks of are added to `paths`.

    Raises `ValueError` for anything else, and where there is a place no more.
    """
    try:
        kinds, rows, slot, _ = json.loads(text)
        makers = [_maker(kind, files, set() if paths is None else paths) for kind in kinds]
        made: list[Any] = [*_FIRST]
        for row in rows:
            if type(row) is str:
                made.append(row)
            else:
                values = [made[~one] if type(one) is int and one < 0 else one for one in row]
                made.append(makers[values[0]](*values[1:]))
        return made[~slot] if type(slot) is int and slot < 0 else slot
    except (TypeError, KeyError, IndexError, AttributeError, ImportError, RecursionError) as error:
        raise ValueError(f"not what was written: {error}") from error


class _Writer:
    def __init__(self, files: Files, spoken: Spoken) -> None:
        self._files, self._spoken = files, spoken
        self.kinds: dict[str, int] = {}
        self.rows: list[Any] = []
        self._equal: dict[object, int] = {}
        """The rows of what cannot change, by what they hold."""
        self._same: dict[int, tuple[int, object]] = {}
        """By the identity of an object: its row, and the object, which stays meanwhile."""
        self._lines: dict[tuple[str, int], int] = {}
        """The rows of lines, by where these begin."""
        self._counted: dict[tuple[str, int], tuple[int, int]] = {}
        """By files and offsets: the row of the place from which that is counted, and where that is."""

    @property
    def lines(self) -> list[int]:
        """The rows of lines in the order in which they stand in their files: another order is another text."""
        return [row for _, row in sorted(self._lines.items())]

    def slot(self, value: Any) -> int | str | None:
        """How a value stands in a row."""
        kind: Any = type(value)  # the type checker holds some classes for what cannot be hashed
        if kind is str:
            return value if len(value) <= _SHORT else self._once(value, value)
        if value is None or (kind is int and 0 <= value < _LONG):
            return value  # type: ignore[no-any-return]
        if kind is bool:
            return -1 if value else -2
        known = self._same.get(id(value))
        if known is None:
            known = self._same[id(value)] = self._row(kind, value), value
        return known[0]

    def _row(self, kind: Any, value: Any) -> int:
        if kind in _PLACED:
            return self._placed(kind, *_PLACED[kind](value))
        name, parts, may_change = _taken_apart(kind)
        if name == "set" or name == "frozenset":
            inside: Iterable[object] = sorted(value, key=None if all(type(one) is str for one in value) else self._text)
        else:
            inside = parts(value)
        row = [self.kinds.setdefault(name, len(self.kinds)), *map(self.slot, inside)]
        return self._added(row) if may_change else self._once(tuple(row), row)

    def _placed(self, kind: Any, path: str, offsets: tuple[int, ...], rest: Iterable[object]) -> int:
        """Something that stands in a file: between these bytes, each told by what it is near, as the first one is."""
        near, at = self._near(path, offsets[0])
        row: list[int | str | None] = [self.kinds.setdefault(_full_name(kind), len(self.kinds)), near, offsets[0] - at]
        for offset in offsets[1:]:
            other, _ = self._near(path, offset)
            row.append(offset - at if other == near else self._placed(NodePlace, path, (offset,), ()))
        row += map(self.slot, rest)
        return self._once(tuple(row), row)

    def _near(self, path: str, offset: int) -> tuple[int, int]:
        """The row of the place from which a place is counted, and where that is."""
        counted = self._counted.get((path, offset))
        if counted is None:
            counted = self._counted[path, offset] = self._found_near(path, offset)
        return counted

    def _found_near(self, path: str, offset: int) -> tuple[int, int]:
        near = self._files.pieces(path).near(offset)
        behind = self._spoken.setdefault(path, set())
        if offset > near.piece.body:
            behind.add((near.piece.name, near.line))
        if not near.line:
            return self._row(_In, (path, near.piece.name)), near.start
        row = self._row(_In, (path, near.piece.name, near.line))
        self._lines[path, near.start] = row
        return row, near.start

    def _text(self, value: object) -> str:
        return dumps(value, self._files)

    def _once(self, key: object, row: object) -> int:
        found = self._equal.get(key)
        if found is None:
            found = self._equal[key] = self._added(row)
        return found

    def _added(self, row: object) -> int:
        self.rows.append(row)
        return -len(self.rows) - len(_FIRST)


@cache
def _taken_apart(kind: Any) -> tuple[str, Callable[[Any], Iterable[object]], bool]:
    """How things of a kind are written: its name, what gives the parts, and whether they may change."""
    if kind in _BUILT_IN:
        return kind.__name__, _BUILT_IN[kind], False
    name = _full_name(kind)
    if kind is VersionSet or issubclass(kind, tuple):
        return name, iter, False
    if issubclass(kind, Enum):
        return name, lambda value: (value.name,), False
    if hasattr(kind, "__dataclass_fields__"):
        names = [one.name for one in fields(kind) if one.init]
        whole = attrgetter(*names) if len(names) > 1 else lambda value: tuple(getattr(value, name) for name in names)
        return name, whole, getattr(kind, "__hash__", None) in _CHANGING
    return "named", _name, False


class _In(tuple[str, ...]):
    """A piece of a file: its path, and the name of the piece; or a line of one, and its name."""


@cache
def _full_name(kind: Any) -> str:
    return f"{kind.__module__.removeprefix(_OWN)}:{kind.__qualname__}"


def _coded(value: Func | Class) -> tuple[str, tuple[int, ...], Iterable[object]]:
    code, kind = value.code, cast(Any, type(value))
    return code.path, (code.start, *code.head), [getattr(value, name) for name in _beside_code(kind)]


@cache
def _beside_code(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind) if one.name != "code")


_PLACED: dict[type[Any], Callable[[Any], tuple[str, tuple[int, ...], Iterable[object]]]] = {
    Span: lambda span: (span.path, (span.start, span.end), ()),
    NodePlace: lambda place: (place.path, (place.start,), ()),
    Func: _coded, Class: _coded,
}  # fmt: skip
"""What stands in a file: its path, the bytes, and what else there is to it."""


def _name(function: Any) -> Iterator[str]:
    name = name_of(function) if hasattr(function, "__qualname__") else ""
    if NAMED.get(name) is not function:
        raise NotWritten(f"there is no name for {function!r}")
    yield name


def _pairs(value: dict[Any, Any]) -> Iterator[Any]:
    for pair in value.items():
        yield from pair


_BUILT_IN: dict[type[Any], Callable[[Any], Iterable[object]]] = {
    tuple: iter, list: iter, dict: _pairs, set: iter, frozenset: iter,
    int: lambda value: (hex(value),), float: lambda value: (value.hex(),), bytes: lambda value: (value.hex(),),
    complex: lambda value: (value.real, value.imag), type(...): lambda _: (),
}  # fmt: skip
_MADE: dict[str, Callable[..., object]] = {
    "tuple": lambda *parts: parts, "list": lambda *parts: [*parts], "set": lambda *parts: {*parts},
    "frozenset": lambda *parts: frozenset(parts),
    "dict": lambda *parts: dict(zip(parts[::2], parts[1::2], strict=True)),
    "int": lambda text: int(text, 16), "float": float.fromhex, "bytes": bytes.fromhex, "complex": complex,
    "ellipsis": lambda: ..., "named": NAMED.__getitem__,
}  # fmt: skip


def _maker(name: str, files: Files, paths: set[str]) -> Callable[..., Any]:
    """What makes things of a kind out of their parts."""
    made = _MADE.get(name) or _own(name)
    if made is _In:
        return partial(_place, files, paths)
    return partial(made, files) if made in (_func, _class) else made


@cache
def _own(name: str) -> Callable[..., Any]:
    module, _, qualname = name.partition(":")
    kind = attrgetter(qualname)(import_module(_OWN + module))
    if kind in _MAKERS:
        return _MAKERS[kind]
    if kind is VersionSet:
        return lambda *minors: VersionSet(minors)
    if issubclass(kind, Enum):
        return lambda member: kind[member]
    if issubclass(kind, tuple):
        return kind  # type: ignore[no-any-return]
    names = [one.name for one in fields(kind) if one.init]
    if not any(one.kw_only for one in fields(kind)):
        return kind  # type: ignore[no-any-return]
    return lambda *parts: kind(**dict(zip(names, parts, strict=True)))


def _place(files: Files, paths: set[str], path: str, name: str, line: str = "") -> NodePlace:
    """Where a piece, or a line of it, begins."""
    paths.add(path)
    start = files.pieces(path).start_of(name, line)
    if start is None:
        raise ValueError(f"{path} has no {name} {line}")
    return NodePlace(path, start)


Offset = int | NodePlace
"""A further byte of a place: counted from what its first one is counted from, or a place of its own."""


def _at(at: NodePlace, offset: Offset) -> int:
    return at.start + offset if isinstance(offset, int) else offset.start


def _span(at: NodePlace, start: int, end: Offset) -> Span:
    return Span(at.path, at.start + start, _at(at, end))


def _node_place(at: NodePlace, start: int) -> NodePlace:
    return NodePlace(at.path, at.start + start)


def _func(files: Files, at: NodePlace, start: int, first: Offset, last: Offset, number: int, *rest: Any) -> Func:
    return Func(number, _code(files, at, start, first, last), *rest)


def _class(files: Files, at: NodePlace, start: int, first: Offset, last: Offset, number: int, *rest: Any) -> Class:
    return Class(number, _code(files, at, start, first, last), *rest)


def _code(files: Files, at: NodePlace, start: int, first: Offset, last: Offset) -> Code[Any]:
    head = _at(at, first), _at(at, last)
    return Code(at.path, at.start + start, head, find=partial(files.definition, at.path))


_MAKERS: dict[type[Any], Callable[..., Any]] = {Span: _span, NodePlace: _node_place, Func: _func, Class: _class}
"""What makes what stands in a file, of where its piece begins."""
