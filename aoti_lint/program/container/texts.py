"""JSON out of an archive, in bounded memory and depth."""

from __future__ import annotations

from typing import Any

from aoti_lint.files import formats
from aoti_lint.program.errors import Unreadable

MAX_JSON = 64 << 20
"""Bytes of one JSON member. The program of a model with 80 layers has about 15 MB, and ten times that in memory."""


def parse_json(data: bytes, name: str) -> dict[str, Any]:
    """The object that `data` is. Raises `Unreadable` when it is not JSON, not an object, or nested too deeply."""
    try:
        value = formats.parse_json(data)
    except formats.Malformed as error:
        raise Unreadable(f"{name} is {error}") from None
    if not isinstance(value, dict):
        raise Unreadable(f"{name} should hold an object, and holds something else")
    return value
