"""What a source says without its comments: texts that differ in comments alone have the same."""

from __future__ import annotations

import tokenize
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.findings.logical import reader
from aoti_lint.native.syntax import whole
from aoti_lint.source.discovery.discover import is_native
from aoti_lint.source.settings.kinds import DOCKER, DOTENV, SHELL, YAML, kind_of
from aoti_lint.source.settings.read import read_settings
from aoti_lint.source.settings.tree import events
from aoti_lint.source.settings.words import parse
from aoti_lint.source.text import Source
from aoti_lint.text.problem import SourceProblem

if TYPE_CHECKING:
    from tree_sitter import Node

PYTHON, CPP = "python", "C++"
_LAYOUT = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
_COMMENT = "comment"


def language_of(source: Source) -> str:
    """Python, C++, or the kind of a file that sets environment variables."""
    if is_native(source.path):
        return CPP
    if source.notebook is not None:
        return PYTHON
    return kind_of(source.path, source.text.encode("utf-8", "surrogatepass")) or PYTHON


def code_of(source: Source) -> object:
    """Something that is equal for sources of one language that differ in comments alone.

    Raises `SourceProblem` for a source that cannot be read to its end.
    """
    language = language_of(source)
    data = source.text.encode("utf-8", "surrogatepass")
    if language == PYTHON:
        return _python(source)
    if language == CPP:
        return list(_nodes(whole(data)))
    if language == SHELL:
        return _shell(data)
    if language == YAML:
        # In a block, a comment is one of the shell's.
        return [
            (kind, _shell(text.encode()) if style == "|" else text, rest) for kind, text, style, rest in events(source)
        ]
    assert language in (DOCKER, DOTENV)
    return [(made.name, made.value) for made in read_settings(source).assignments]


def _python(source: Source) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = []
    try:
        for token in tokenize.generate_tokens(reader(source.lines).__next__):
            if token.type not in (tokenize.COMMENT, tokenize.NL):
                found.append((token.type, "" if token.type in _LAYOUT else token.string))
    except (tokenize.TokenError, SyntaxError) as error:
        raise SourceProblem(source.path, f"this Python cannot read it to its end: {error.args[0]}") from None
    return found


def _shell(data: bytes) -> list[tuple[int, str, bytes]]:
    return list(_nodes(parse(data).root_node))


def _nodes(root: Node) -> Iterator[tuple[int, str, bytes]]:
    """The nodes of a tree: how deep, of which type, and the text of those that have no others below."""
    todo = [(0, root)]
    while todo:
        depth, node = todo.pop()
        children = [child for child in node.children if child.type != _COMMENT]
        text = b"" if node.children else node.text or b""
        if node.children or text.strip():
            yield depth, node.type, text
        todo += ((depth + 1, child) for child in reversed(children))
