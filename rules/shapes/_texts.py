"""Names that are given as a list of texts."""

from __future__ import annotations

from aoti_lint.rule.values import Const, Tup, Value


def texts_of(names: Value) -> list[str] | None:
    """The texts in a list; None where it is no list, or they are not all known."""
    items = names.items if isinstance(names, Tup) else ()
    given = [one.value for one in items if isinstance(one, Const) and isinstance(one.value, str)]
    return given if isinstance(names, Tup) and len(given) == len(items) else None
