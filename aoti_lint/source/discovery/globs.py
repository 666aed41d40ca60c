"""Patterns of `.gitignore` as expressions that take no longer for a name made to be slow.

`*a*a*a*b` is tried in all ways to share a name between its stars. The first place where what follows a star fits is
as good as any other, though, for every star but the last: so it is fixed, by a group in a look-ahead.
"""

from __future__ import annotations

import re
from itertools import count
from typing import AnyStr

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from aoti_lint.lazily.regex import regex

_STAR = r"\[\^/\]\*"
_CLASS = r"\[(?!\^/\])\^?\]?[^\]]*\]"
_ONE = rf"(?:\\.|\[\^/\](?![*+])|{_CLASS}|[^\\/\[\](){{}}*+?|^$.])"
_BETWEEN = regex(rf"{_STAR}({_ONE}+)(?={_STAR})")
_ANY_FOLDERS, _LEADING = "(?:/.+)?", "^(?:.+/)?"


class LinearPattern(GitIgnoreSpecPattern):
    """A pattern of `.gitignore`."""

    @classmethod
    def pattern_to_regex(cls, pattern: AnyStr) -> tuple[AnyStr | None, bool | None]:
        """The expression of a pattern, and whether it leaves files out."""
        text, include = super().pattern_to_regex(pattern)
        if isinstance(text, str):
            text = linear(text)
        return text, include


def linear(expression: str) -> str:
    """The same expression as pathspec makes it, with every star but the last of its kind at its first place."""
    names = (f"ps_{number}" for number in count())

    def fixed(inside: str) -> str:
        name = next(names)
        return f"(?=(?P<{name}>{inside}))(?P={name})"

    def within(found: re.Match[str]) -> str:
        # What stands in brackets is no slash.
        return fixed("[^/]*?" + re.sub(rf"\\.|{_CLASS}", _no_slash, found[1]))

    first, *rest = _BETWEEN.sub(within, expression).split(_ANY_FOLDERS)
    if not rest:
        return first
    if first.startswith(_LEADING):
        first = "^" + fixed(f"(?:.+?/)??{first.removeprefix(_LEADING)}(?=/)")
    return first + "".join(fixed(f"(?:/.+?)??{part}(?=/)") for part in rest[:-1]) + _ANY_FOLDERS + rest[-1]


def _no_slash(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith("\\") else f"(?!/){found[0]}"
