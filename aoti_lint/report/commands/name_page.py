"""The page of one name, as `aoti-lint explain` prints it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.torch_api.guide.row import Row

if TYPE_CHECKING:
    from aoti_lint.report.styled import Line

WIDTH = 100


def page(row: Row, used: str = "") -> Iterator[Line]:
    """The lines of the page. `used` says who uses the name."""
    yield [(row.name, "message"), (f" ({row.kind.one}; {row.there})", "")]
    yield []
    yield from _text(row.does)
    yield []
    if row.moment is not None:
        yield from _text(f"Read: {row.moment.value}. {row.moment.note}".rstrip(), "Read:")
    if row.phases:
        yield from _text(f"Matters for: {row.matters_for}", "Matters for:")
    if row.output:
        yield from _text(f"Output: {row.output}", "Output:")
    yield from _text(f"Known from: {row.source}", "Known from:")
    if row.values:
        yield []
        yield [("Values:", "name")]
        for value, meaning in row.values.items():
            yield from _text(f"{value or 'empty'}: {meaning}", indent="  ")
    if row.corrections:
        yield []
        yield [("Where guides mislead:", "name")]
        for correction in row.corrections:
            yield from _text(f"- They say: {correction.said}", indent="  ")
            yield from _text(f"So it is: {correction.really}", indent="    ")
            yield from _text(f"Proof: {correction.proof}", indent="    ")
    if used:
        yield []
        yield from _text(f"Used by: {used}", "Used by:")
    if row.see:
        yield []
        yield from _text(f"See also: {', '.join(row.see)}", "See also:")


def setting_page(name: str, does: str, where: str, option: str) -> Iterator[Line]:
    """The lines of the page of a setting of our own: what it is for, where it is written, and its option if any."""
    yield [(name, "message"), (" (setting of aoti-lint)", "")]
    yield []
    yield from _text(does)
    yield []
    yield from _text(f"Written as: {where}", "Written as:")
    if option:
        yield from _text(f"Option: {option}", "Option:")
    yield from _text("In force: aoti-lint --show-settings says what holds here, and where that comes from", "In force:")


def _text(text: str, heading: str = "", indent: str = "") -> Iterator[Line]:
    """The text in lines of the page's width, its `heading` in bold."""
    first, *rest = textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent + "  " * bool(heading or indent),
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    yield [(heading, "name"), (first[len(heading) :], "")]
    yield from ([(line, "")] for line in rest)
