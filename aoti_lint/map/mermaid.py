"""A map as a diagram of Mermaid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from aoti_lint.map import words
from aoti_lint.map.model import Map, Step
from aoti_lint.map.words import Found
from aoti_lint.quoting import mermaid as quoting
from aoti_lint.quoting.mermaid import Mermaid

if TYPE_CHECKING:
    from aoti_lint.quoting.mermaid import Shape

FILES: Final = ("save", "package", "bundle", "archive")
"""The kinds that are files."""
_HEAD: Final = (
    Mermaid("%% aoti-lint map"),
    Mermaid("flowchart LR"),
    Mermaid("classDef plain text-align:left"),
    Mermaid("classDef error stroke:#b3261e,stroke-width:3px,text-align:left"),
    Mermaid("classDef warning stroke:#8a5300,stroke-width:3px,text-align:left"),
    Mermaid("classDef info stroke:#2f6fbf,stroke-width:2px,text-align:left"),
)


def mermaid(drawn: Map) -> Mermaid:
    """The diagram: a frame for each flow, around what no other flow has."""
    return quoting.diagram([*_HEAD, *_body(drawn)])


def _body(drawn: Map) -> Iterator[Mermaid]:
    found, steps = Found(drawn), {one.id: one for one in drawn.steps}
    shared = words.shared(drawn)
    for ident in (*shared, *drawn.apart):
        yield _node(steps[ident], found)
    for number, flow in enumerate(drawn.flows, 1):
        inside = [_node(steps[ident], found) for ident in flow.steps if ident not in shared]
        yield quoting.group(f"f{number}", quoting.label(flow.title), inside)
    for one in drawn.arrows:
        codes = found.codes(one.findings)
        yield quoting.arrow(one.start, one.end, quoting.label(", ".join(codes)) if codes else None, sure=one.sure)


def _node(step: Step, found: Found) -> Mermaid:
    shape: Shape = "file" if step.kind in FILES else "round" if step.kind in ("call", "host") else "box"
    text = quoting.label(*words.lines(step), *found.codes(step.findings))
    return quoting.node(step.id, shape, text, found.worst(step.findings) or "plain")
