"""Builds HTML in which every text is escaped, unless it was built here."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Final

from aoti_lint.program.weights.naming import clean

_EMPTY: Final = {"meta", "br", "rect", "line", "circle", "path"}
"""Elements without an end."""


class Html(str):
    """Text that is HTML already. Nothing else may make one of what a user wrote."""

    __slots__ = ()


def escape(text: str) -> Html:
    """`text` as HTML shows it; characters that HTML must not have are written out."""
    shown = "".join(c if c.isprintable() or c in "\n\t" else f"\\x{ord(c):02x}" for c in clean(text))
    return Html(html.escape(shown, quote=True))


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
        return Html(f"<{name}{given}>" if name in ("meta", "br") else f"<{name}{given}/>")
    return Html(f"<{name}{given}>{joined(children)}</{name}>")


def joined(children: Iterable[str | Html | None], between: str = "") -> Html:
    """Several things one after the other."""
    return Html(escape(between).join(c if isinstance(c, Html) else escape(c) for c in children if c is not None))
