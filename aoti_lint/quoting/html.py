"""HTML, and XML: every text is escaped, unless it was built here."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Final

from aoti_lint.quoting.marked import Marked, commands, hidden, named

_EMPTY: Final = {"meta", "br", "input", "rect", "line", "circle", "path"}
"""Elements without an end."""


class Html(Marked):
    """Text that is HTML already."""

    __slots__ = ()


def escape(text: str) -> Html:
    """`text` as HTML shows it; what is not seen, turns text or must not be in HTML is written out."""
    return Html("\n".join(map(_line, text.split("\n"))))


def _line(text: str) -> str:
    odd = set(commands(text))
    return "".join(
        f"&#{ord(c)};" if at in odd else named(c) if c != "\t" and hidden(c) else html.escape(c)
        for at, c in enumerate(text)
    )


def el(name: str, /, *children: str | Html | None, **attributes: str | int | float | None) -> Html:
    """An element. Children that are no `Html` are escaped, None is left out.

    Attributes are escaped; a trailing underscore is cut off (`class_`), others become hyphens, None leaves one out.
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _EMPTY:
        return Html(f"<{name}{given}>" if name in ("meta", "br", "input") else f"<{name}{given}/>")
    return Html(f"<{name}{given}>{joined(children)}</{name}>")


def joined(children: Iterable[str | Html | None], between: str = "") -> Html:
    """Several things one after the other."""
    return Html(escape(between).join(c if isinstance(c, Html) else escape(c) for c in children if c is not None))


def whole(root: Html) -> Html:
    """A document."""
    return Html(f"<!DOCTYPE html>\n{root}\n")


def xml(root: Html) -> Html:
    """A document of XML 1.0. It is ASCII, and so the same in any encoding."""
    allowed = root.translate({0xFFFE: "\\ufffe", 0xFFFF: "\\uffff"})
    text = allowed.encode("ascii", "xmlcharrefreplace").decode()
    return Html(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n')
