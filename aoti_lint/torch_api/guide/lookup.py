"""Finds the row of a name."""

from __future__ import annotations

from functools import cache

from aoti_lint.torch_api.guide import files, functions, keys, logs, more_variables, variables
from aoti_lint.torch_api.guide.row import Row

_SHORTEST = 4
"""Shorter words are too common to be meant as the end of a dotted name."""


@cache
def rows() -> tuple[Row, ...]:
    """All rows, in the order of their kinds."""
    parts = (variables, more_variables, keys, logs, functions, files)
    return tuple(row for part in parts for row in part.ROWS)


@cache
def _by_name() -> dict[str, Row]:
    named = {alias: row for row in rows() for alias in row.aliases}
    return named | {row.name: row for row in rows()}


@cache
def _by_lower() -> dict[str, Row]:
    lower: dict[str, Row] = {}
    for name, row in _by_name().items():
        lower.setdefault(name.lower(), row)
    return lower


def find(word: str) -> list[Row]:
    """The rows that a word means: a name, another spelling of one, the same ignoring case, or the end of dotted names.

    `NAME=value` means NAME, and `config.` stands for `torch._inductor.config.`.
    """
    name = word.partition("=")[0].strip()
    row = _by_name().get(name) or _by_lower().get(name.lower())
    if row is not None:
        return [row]
    end = "." + name.removeprefix("config.").removesuffix("()").lower()
    if len(end) <= _SHORTEST:
        return []
    return [row for row in rows() if row.name.lower().endswith(end)]


def known() -> list[str]:
    """All names and their other spellings, for a suggestion."""
    return list(_by_name())
