"""A map as a graph of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from aoti_lint.map import words
from aoti_lint.map.mermaid import FILES
from aoti_lint.map.model import Map, Step
from aoti_lint.map.words import Found
from aoti_lint.quoting import dot as quoting
from aoti_lint.quoting.dot import Dot

_COLOURS: Final = {"error": "#b3261e", "warning": "#8a5300", "info": "#2f6fbf"}


def dot(drawn: Map) -> Dot:
    """The graph: a frame for each flow, around what no other flow has."""
    return quoting.graph([
        Dot("// aoti-lint map"),
        Dot("rankdir=LR;"),
        Dot('node [shape=box fontname="sans-serif" fontsize=10];'),
        Dot('edge [fontname="sans-serif" fontsize=10];'),
        *_body(drawn),
    ])  # fmt: skip


def _body(drawn: Map) -> Iterator[Dot]:
    found = Found(drawn)
    for one in drawn.steps:
        yield _node(one, found)
    shared = words.shared(drawn)
    for number, flow in enumerate(drawn.flows, 1):
        own = [quoting.node(ident) for ident in flow.steps if ident not in shared]
        yield quoting.group(str(number), own, label=flow.title)
    for arrow in drawn.arrows:
        codes = found.codes(arrow.findings)
        yield quoting.arrow(
            arrow.start, arrow.end, style=None if arrow.sure else "dashed", label=", ".join(codes) or None,
            color=_COLOURS.get(found.worst(arrow.findings)),
        )  # fmt: skip


def _node(step: Step, found: Found) -> Dot:
    text = quoting.label(*words.lines(step), *found.codes(step.findings))
    worst = found.worst(step.findings)
    return quoting.node(
        step.id, label=text, shape="note" if step.kind in FILES else None, color=_COLOURS.get(worst),
        penwidth="2" if worst else None,
    )  # fmt: skip
