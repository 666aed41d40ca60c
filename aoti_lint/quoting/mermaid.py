"""Mermaid, the language of diagrams that GitHub and GitLab draw in Markdown."""

from __future__ import annotations

from aoti_lint.quoting.marked import Marked
from aoti_lint.quoting.terminal import line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final, Literal

    Shape = Literal["box", "file", "round"]

_SHAPES: Final = {"box": "[{}]", "file": "[({})]", "round": "([{}])"}
_KEPT: Final = " ,._-/()=:"
"""What a text may have, beside letters and digits, as it stands."""


class Mermaid(Marked):
    """Text that is part of a diagram."""

    __slots__ = ()


def label(*lines: str) -> Mermaid:
    """A label of these lines. All that could be Markdown, HTML or Mermaid in it is written by its number."""
    return Mermaid('"' + "<br/>".join("".join(map(_shown, line(one))) for one in lines) + '"')


def _shown(char: str) -> str:
    return char if char.isalnum() or char in _KEPT else f"#{ord(char)};"


def node(ident: str, shape: Shape, text: Mermaid, of: str) -> Mermaid:
    """A node, of a class of nodes."""
    return Mermaid(f"{_name(ident)}{_SHAPES[shape].format(text)}:::{_name(of)}")


def arrow(start: str, end: str, text: Mermaid | None, *, sure: bool) -> Mermaid:
    """An arrow, dotted where it is not `sure`."""
    said = "" if text is None else f"|{text}|"
    return Mermaid(f"{_name(start)} {'-->' if sure else '-.->'}{said} {_name(end)}")


def group(ident: str, text: Mermaid, inside: Iterable[Mermaid]) -> Mermaid:
    """Nodes in a frame."""
    return Mermaid("\n".join([f"subgraph {_name(ident)}[{text}]", *(f"  {one}" for one in inside), "end"]))


def diagram(parts: Iterable[Mermaid]) -> Mermaid:
    """A whole diagram."""
    return Mermaid("".join(f"{one}\n" for one in parts))


def _name(ident: str) -> str:
    if not (ident.isascii() and ident.isidentifier()):
        raise ValueError(f"{ident!r} is no name in a diagram")
    return ident
