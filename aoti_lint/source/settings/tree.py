"""YAML as nodes with places: no tags are heeded, no objects made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeGuard, TypeVar

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.regex import regex
from aoti_lint.source.settings.snippet import Snippet
from aoti_lint.source.text import Source
from aoti_lint.text.problem import SourceProblem

if TYPE_CHECKING:
    from yaml.nodes import MappingNode, Node, ScalarNode

T = TypeVar("T")
_MERGE = "<<"
_DEEPEST = 3
_MOST_MERGED = 20
_MOST_ITEMS = 20_000
_NEWLINE = regex(r"\r\n?|\n")


def documents(source: Source) -> list[Node]:
    """The documents of a file. Raises `SourceProblem` for what is no YAML."""
    import yaml  # takes 20 ms, and only runs that name such a file need it

    found = _read(source, lambda text: yaml.compose_all(text, Loader=yaml.SafeLoader))
    return [node for node in found if node is not None]


def events(source: Source) -> list[tuple[str, str, str | None, object]]:
    """What a file says in the order of its text: its kind, its text and how that is written (`|`: a block), the rest.

    Raises `SourceProblem` for what is no YAML.
    """
    import yaml

    found = _read(source, lambda text: yaml.parse(text, Loader=yaml.SafeLoader))
    return [
        (type(one).__name__, getattr(one, "value", ""), getattr(one, "style", None),
         (getattr(one, "anchor", None), getattr(one, "tag", None)))
        for one in found
    ]  # fmt: skip


def _read(source: Source, parse: Callable[[str], Iterable[T]]) -> list[T]:
    import yaml

    try:
        return list(parse(source.text))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        offset = None if mark is None else source.lines.char_to_byte(min(mark.index, len(source.text)))
        what = getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be read"
        raise SourceProblem(source.path, f"this is no valid YAML: {what}", offset) from None
    except RecursionError:
        raise SourceProblem(source.path, "nested too deeply to be read") from None


def is_mapping(node: Node | None) -> TypeGuard[MappingNode]:
    """Whether a node has keys."""
    return node is not None and node.id == "mapping"


def is_scalar(node: Node | None) -> TypeGuard[ScalarNode]:
    """Whether a node is one text."""
    return node is not None and node.id == "scalar"


def entries(node: Node | None, depth: int = 0) -> dict[str, tuple[ScalarNode, Node]]:
    """The entries of a mapping, keys and values, those it merges from others (`<<`) first; of anything else none."""
    found: dict[str, tuple[ScalarNode, Node]] = {}
    if not is_mapping(node) or depth > _DEEPEST:
        return found
    own: dict[str, tuple[ScalarNode, Node]] = {}
    for key, value in node.value:
        if not is_scalar(key):
            continue
        if key.value == _MERGE:
            # Bounded: a few lines of aliases can stand for more than there is memory.
            for merged in reversed(value.value[:_MOST_MERGED] if value.id == "sequence" else [value]):
                found.update(entries(merged, depth + 1))
        else:
            own[key.value] = (key, value)
    return {**found, **own}


def child(node: Node | None, *path: str) -> Node | None:
    """The node under these keys, if there is one."""
    for key in path:
        found = entries(node).get(key)
        if found is None:
            return None
        node = found[1]
    return node


def items(node: Node | None) -> list[Node]:
    """The items of a list, those of the lists in it among them; a single node is its own list."""
    found: list[Node] = []
    todo = [] if node is None else [node]
    for _ in range(_MOST_ITEMS):
        if not todo:
            break
        one = todo.pop()
        if one.id != "sequence":
            found.append(one)
        elif len(todo) < _MOST_ITEMS:
            todo += reversed(one.value)
    return found


def is_null(node: Node) -> bool:
    """Whether a value is left out, or is `null`."""
    return is_scalar(node) and node.tag.endswith(":null")


def span_of(source: Source, first: Node, last: Node) -> Span:
    """From the start of one node to the end of another, without the newline at its end."""
    start, end = first.start_mark.index, last.end_mark.index
    end = start + len(source.text[start:end].rstrip())
    to_byte = source.lines.char_to_byte
    return Span(source.path, to_byte(start), to_byte(end))


def snippet_of(source: Source, node: ScalarNode) -> Snippet:
    """The text of a scalar with the places of its characters; one place for all where it is folded or has escapes."""
    start, end = node.start_mark.index, node.end_mark.index
    written = source.text[start:end]
    if node.style == "|":
        parts = _block(written, start, node.value)
        if parts is not None:
            return Snippet(source.path, source.lines, node.value, parts)
    else:
        at = written.find(node.value)
        if at >= 0:
            return Snippet(source.path, source.lines, node.value, [(0, start + at)])
    return Snippet(source.path, source.lines, node.value, [], span_of(source, node, node))


def _block(written: str, start: int, value: str) -> list[tuple[int, int]] | None:
    """For each line of a literal block its index in the value and in the file; None where they do not agree."""
    newline = _NEWLINE.search(written)
    position = len(written) if newline is None else newline.end()
    parts, index = [], 0
    for line in value.split("\n"):
        if index >= len(value):
            break
        end = _NEWLINE.search(written, position)
        stop = len(written) if end is None else end.start()
        row = written[position:stop]
        if not row.endswith(line):
            return None
        parts.append((index, start + position + len(row) - len(line)))
        index += len(line) + 1
        position = stop if end is None else end.end()
    return parts or None
