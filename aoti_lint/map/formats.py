"""The forms a map is written in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from aoti_lint.lazily.regex import regex
from aoti_lint.quoting.json import of_model
from aoti_lint.quoting.marked import Marked

if TYPE_CHECKING:
    from aoti_lint.map.model import Map
    from aoti_lint.report.check.told import Told

SUFFIXES: Final = {".html": "html", ".htm": "html", ".mmd": "mermaid", ".mermaid": "mermaid", ".dot": "dot",
                   ".gv": "dot", ".json": "json"}  # fmt: skip
"""The format that the name of a file asks for."""
FORMATS: Final = ("html", "mermaid", "dot", "json")
BEGINS: Final = regex(
    rb'<!DOCTYPE html>\s*<html lang="en"><head>(?:<meta [^>]*>)*<title>Map of aoti-lint[:<]'
    rb'|%% aoti-lint map|digraph \{\s*// aoti-lint map|\{\s*"format": "aoti-lint-map/1"'
)


def is_map(head: bytes) -> bool:
    """Whether a file that begins so is a map: a new one may take its place."""
    return BEGINS.match(head) is not None


def written(form: str, drawn: Map, told: Told) -> Marked:
    """A map in one of `FORMATS`; `told` has the lines of what is found."""
    if form == "json":
        return of_model(drawn)
    if form == "mermaid":
        from aoti_lint.map.mermaid import mermaid

        return mermaid(drawn)
    if form == "dot":
        from aoti_lint.map.dot import dot

        return dot(drawn)
    from aoti_lint.map.page import html

    return html(drawn, told)
