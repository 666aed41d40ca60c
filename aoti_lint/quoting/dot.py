"""DOT, the language of Graphviz."""

from __future__ import annotations

from aoti_lint.quoting.marked import Marked
from aoti_lint.quoting.terminal import line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Dot(Marked):
    """Text that is part of a graph."""

    __slots__ = ()


def label(*lines: str) -> Dot:
    """A label of these lines. A backslash would begin an escape of Graphviz's, and `&` an entity of HTML."""
    shown = (line(one).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') for one in lines)
    return Dot('"' + "\\n".join(shown) + '"')


def node(ident: str, **attributes: str | Dot | None) -> Dot:
    """A node. Attributes that are no `Dot` are quoted, None leaves one out."""
    return Dot(f"{label(ident)}{_given(attributes)};")


def arrow(start: str, end: str, **attributes: str | Dot | None) -> Dot:
    """An arrow from one node to another one."""
    return Dot(f"{label(start)} -> {label(end)}{_given(attributes)};")


def group(ident: str, inside: Iterable[Dot], **attributes: str | Dot | None) -> Dot:
    """Nodes in a frame."""
    given = [f"  {key}={_value(one)};" for key, one in attributes.items() if one is not None]
    return Dot("\n".join([f"subgraph {label(f'cluster {ident}')} {{", *given, *(f"  {one}" for one in inside), "}"]))


def graph(parts: Iterable[Dot]) -> Dot:
    """A whole graph."""
    return Dot("digraph {\n" + "".join(f"{one}\n" for one in parts) + "}\n")


def _given(attributes: dict[str, str | Dot | None]) -> str:
    said = [f"{key}={_value(one)}" for key, one in attributes.items() if one is not None]
    return f" [{' '.join(said)}]" if said else ""


def _value(text: str | Dot) -> Dot:
    return text if isinstance(text, Dot) else label(text)
