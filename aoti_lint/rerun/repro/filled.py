"""Fills in the marks of a template."""

from __future__ import annotations

import re


def filled(template: str, **values: str) -> str:
    """The template with each `@NAME@` replaced; a mark without a value stays."""
    return re.sub(r"@([A-Z]+)@", lambda match: values.get(match[1], match[0]), template)


def number(value: float) -> str:
    """A number as Python writes it."""
    return f'float("{value}")' if value != value or value in (float("inf"), float("-inf")) else repr(value)
