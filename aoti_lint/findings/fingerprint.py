"""A name for a finding that survives changes elsewhere in the file.

It is made of the rule, the file, the function or class, the statement without its layout, comments and quotes, and the
number of the finding among equal ones. There are no line numbers in it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from aoti_lint.diagnostics import Diagnostic
from aoti_lint.files.cache import content_hash
from aoti_lint.ir import nodes

_NO_HEADER = frozenset(("start", "end", "name_start", "code"))
_BODIES = frozenset(("body", "orelse", "handlers", "final", "cases"))


Place = tuple[str, "int | None"]
"""The qualified name of what is around an offset, and where the statement there begins; None where there is none."""


def fill(
    diagnostics: Iterable[Diagnostic],
    place_of: Callable[[str, int], Place],
    shape_at: Callable[[str, int], str],
    line_at: Callable[[str, int], str],
    copies: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Set the fingerprint of findings, and the qualified name where the rule did not.

    The findings come in the order of their places. `place_of` says where an offset of a path is, `shape_at` is
    the shape of the statement that begins there, `line_at` the line. They have the fingerprints that they would have in
    the `copies` of their files as well.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    shapes: dict[tuple[str, int], str] = {}
    for diagnostic in diagnostics:
        path = diagnostic.span.path
        name, start = place_of(path, diagnostic.span.start)
        diagnostic.qualified_name = diagnostic.qualified_name or name
        if start is None:
            text = line_at(path, diagnostic.span.start).strip()
        elif (known := shapes.get((path, start))) is not None:
            text = known
        else:
            text = shapes[path, start] = shape_at(path, start)
        key = (diagnostic.code, diagnostic.span.path, diagnostic.qualified_name, text)
        seen[key] += 1
        diagnostic.fingerprint = _hashed(*key, str(seen[key]))
        others = (copies or {}).get(path, ())
        code, _, *rest = key
        diagnostic.copies = tuple((one, _hashed(code, one, *rest, str(seen[key]))) for one in others)


def _hashed(*parts: str) -> str:
    return content_hash("\0".join(parts).encode("utf-8", "surrogatepass"), 8)


def place_in(module: nodes.Module | None, offset: int) -> Place:
    """Where an offset of a module is; None is no Python and has no statements."""
    names, statement = locate(module, offset) if module is not None else ([], None)
    return ".".join(names), None if statement is None else statement.start


def locate(module: nodes.Module, offset: int) -> tuple[list[str], nodes.Node | None]:
    """The names of the functions and classes around a byte offset, and the innermost statement there."""
    names: list[str] = []
    statement: nodes.Node | None = None
    inside: Sequence[nodes.Node] = module.body
    while True:
        index = bisect_right(inside, offset, key=_start) - 1
        if index < 0 or offset >= inside[index].end:
            return names, statement
        found = inside[index]
        if isinstance(statement, (nodes.FunctionDef, nodes.ClassDef)):
            names.append(statement.name)
        statement = found
        inside = sorted(_children(found), key=_start)


def _start(node: nodes.Node) -> int:
    return node.start


def _children(statement: nodes.Node) -> Iterator[nodes.Node]:
    for name in _BODIES:
        children = getattr(statement, name, None)
        if isinstance(children, list):
            yield from children


def shape(value: object) -> str:
    """A statement as text without places, layout and comments; of a compound statement the header only."""
    text: list[str] = []
    # No recursion: what is nested deeper than Python's stack has a name, too. Marks are done, values are not.
    todo: list[tuple[str, object]] = [("", value)]
    while todo:
        mark, one = todo.pop()
        text.append(mark)
        if mark:
            continue
        if isinstance(one, list):
            opening, parts, closing = "[", one, "]"
        elif is_dataclass(one):
            opening, parts, closing = f"{type(one).__name__}(", _parts(one), ")"
        else:
            text.append(repr(one))
            continue
        text.append(opening)
        todo.append((closing, None))
        for index in range(len(parts) - 1, -1, -1):
            todo.append(("", parts[index]))
            if index:
                todo.append((",", None))
    return "".join(text)


def _parts(node: Any) -> list[object]:
    values = ((item.name, getattr(node, item.name)) for item in fields(node) if item.name not in _NO_HEADER)
    return [value for name, value in values if not (name in _BODIES and isinstance(value, list))]
