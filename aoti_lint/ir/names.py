"""Names as Python knows them."""

from __future__ import annotations

import unicodedata


def identifier(name: str) -> str:
    """The name that is meant by its spelling in the source."""
    return name if name.isascii() else unicodedata.normalize("NFKC", name)
