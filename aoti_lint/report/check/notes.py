"""What is said of a finding in words, in every format that has a place for them."""

from __future__ import annotations

from aoti_lint.lazily.regex import regex
from aoti_lint.quoting.marked import named
from aoti_lint.report.check.summary import count, dashes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

MOST_COPIES = 3
"""More files in which the same stands are counted; the JSON document has them all."""
_FORGED = regex(r":(?=(?:cell \d+:)?\d+:\d+: )")


def notes(diagnostic: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What a finding says beside its message, each with what it is: what to do first."""
    if diagnostic["help"]:
        yield "help", diagnostic["help"]
    if diagnostic["fix"]:
        yield f"fix ({diagnostic['fix']['applicability']})", diagnostic["fix"]["message"]
    yield "outcome", diagnostic["outcome"] + _sure(diagnostic)
    if diagnostic["versions"]:
        yield "versions", "torch " + dashes(", ".join(diagnostic["versions"]))
    for note in diagnostic["notes"]:
        yield "note", note
    if diagnostic["copies"]:
        yield "copies", f"the same code is in {_some(diagnostic['copies'])}"


def new_lines(fix: dict[str, Any] | None) -> list[str]:
    """The lines that a fix adds, where it adds whole lines: the change of a word is said in its title."""
    added = [edit["content"].strip("\r\n") for edit in fix["edits"]] if fix else []
    return [line for text in added for line in text.splitlines()] if any("\n" in text for text in added) else []


def _sure(diagnostic: dict[str, Any]) -> str:
    """How sure it is, and what keeps it from being certain."""
    if diagnostic["confidence"] == "certain":
        return ""
    why = f": {dashes(diagnostic['doubt'])}" if diagnostic["doubt"] else ""
    return f" ({diagnostic['confidence']}{why})"


def _some(names: list[str]) -> str:
    """The names of files, and how many more there are than a person reads."""
    more = len(names) - MOST_COPIES
    told = ", ".join(names[:MOST_COPIES])
    return told if more <= 0 else f"{told} and {count(more, 'more file')}"


def inside(place: dict[str, Any]) -> str:
    """`in member:row` of a place in an archive, without the row where none is known; empty for others."""
    # Other places than those of findings have none.
    found = place.get("inside")
    if found is None:
        return ""
    # What belongs to a library lies beside it.
    there = "in" if place["filename"].endswith(".pt2") else "beside it in"
    return f"{there} {found['member']}" + ("" if found["row"] is None else f":{found['row']}")


def where(place: dict[str, Any]) -> str:
    """`path:row:column`, with the cell of a notebook. No name of a file looks like the whole of a finding's line."""
    cell = "" if place["cell"] is None else f"cell {place['cell']}:"
    start = place["location"]
    filename = _FORGED.sub(lambda colon: named(colon[0]), place["filename"])
    return f"{filename}:{cell}{start['row']}:{start['column']}"
