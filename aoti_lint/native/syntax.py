"""Trees of pieces of C++."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_NAME = "name"


@cache
def _parser() -> Parser:
    # Takes 20 ms to load, and only projects with such sources need it.
    import tree_sitter_cpp
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_cpp.language()))


def arguments(code: bytes) -> list[Node]:
    """The trees of what stands between the brackets of a call, one an argument. Places count from one before `code`."""
    root = _parser().parse(b"f(" + code + b");").root_node
    for node in walk(root):
        if node.type == "argument_list":
            return [child for child in node.named_children if child.type != "comment"]
    return []


def whole(code: bytes) -> Node:
    """The tree of a whole source."""
    return _parser().parse(code).root_node


def parse_function(code: bytes) -> Node:
    """The tree of a function whose brackets and body are `code`. Its places count from 6 before `code`."""
    return _parser().parse(b"void f" + code).root_node


def walk(node: Node) -> Iterator[Node]:
    """`node` and all below it, in the order of the text."""
    todo = [node]
    while todo:
        one = todo.pop()
        yield one
        todo.extend(reversed(one.named_children))


def raw(node: Node | None) -> bytes:
    """The bytes of a node."""
    return b"" if node is None else node.text or b""


def name_of(node: Node | None) -> bytes:
    """A name as it is written, without template arguments: `at::native::add` of `at::native::add<float>`."""
    scopes: list[bytes] = []
    while node is not None:
        if node.type in ("template_function", "template_type", "template_method"):
            node = node.child_by_field_name(_NAME)
        elif node.type in ("dependent_name", "dependent_type") and node.named_children:
            node = node.named_children[0]
        elif node.type == "qualified_identifier":
            scopes += filter(None, [raw(node.child_by_field_name("scope"))])
            node = node.child_by_field_name(_NAME)
        else:
            break
    return b"::".join([*scopes, raw(node)])


def last(name: bytes) -> bytes:
    """The last part of a qualified name."""
    return name.rsplit(b"::", 1)[-1].strip()
