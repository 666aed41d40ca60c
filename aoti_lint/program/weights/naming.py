"""Text out of a file, made fit for a report."""

from __future__ import annotations

from aoti_lint.quoting.terminal import visible

LONGEST = 80
MAX_NAME = 4096
"""No longer name is taken for one of a tensor."""


def clean(text: str) -> str:
    """`text` with what UTF-8 cannot say (lone surrogates, which JSON escapes and pickles may hold) written out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def quoted(text: str) -> str:
    """`text` in quotation marks, on one line and not too long."""
    shown = clean(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")
    return f'"{visible(shown)}"'


def several(names: list[str] | tuple[str, ...], most: int = 3) -> str:
    """The first few names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(quoted(name) for name in names[:most]) + more
