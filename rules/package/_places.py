"""Where in the project the line is that a node of a program was traced from."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from aoti_lint.rule import Facts, Related, Span

if TYPE_CHECKING:
    from aoti_lint.rule.contents import OpUse, Place


class Told(TypedDict):
    """What a finding about a program says of a node: its line as a related place, or as the label of the archive."""

    related: tuple[Related, ...]
    label: str


def origin(facts: Facts, call: OpUse, message: str) -> Told:
    """The line that a node was traced from: shown where the project has it, else said as the program has it.

    Programs name files of the machine they were exported on. A file of the project is the same if its path ends alike
    and the line still has the same text.
    """
    place = call.place
    if place is None:
        return {"related": (), "label": ""}
    span = _in_project(facts, place)
    if span is not None:
        return {"related": (Related(span, message),), "label": ""}
    text = f": {place.text}" if place.text else ""
    return {"related": (), "label": f"{message}: {place.file}:{place.line}{text}"}


def _in_project(facts: Facts, place: Place) -> Span | None:
    parts = place.file.replace("\\", "/").split("/")
    known = [*facts.project.all_files, *facts.project.context()]
    for length in range(len(parts), 0, -1):
        ending = "/".join(parts[-length:])
        found = {path for path in known if path == ending or path.endswith("/" + ending)}
        if not found and ending.endswith(".py") and ".." not in parts and facts.project.is_file(ending):
            found = {ending}
        spans = {span for path in found if (span := _line(facts, path, place)) is not None}
        if len(spans) == 1:
            return spans.pop()
        if found:
            return None
    return None


def _line(facts: Facts, path: str, place: Place) -> Span | None:
    source = facts.project.source(path)
    if source is None or not place.text or not 1 <= place.line <= source.lines.rows:
        return None
    text = source.lines.line_text(place.line)
    # The text of a program is cut off at some length.
    if not text.strip().startswith(place.text):
        return None
    start = len(text) - len(text.lstrip()) + 1
    return Span(path, source.lines.offset(place.line, start), source.lines.offset(place.line, len(text) + 1))
