"""The file that may be meant where there is none of a name."""

from __future__ import annotations

import os
from itertools import islice

from aoti_lint.errors import CannotRun, nearest

MOST_NAMES = 2_000
"""Names in a folder that are compared, which takes a tenth of a second."""


def names_in(folder: str) -> list[str]:
    """The names of what is in a folder; none where it cannot be read."""
    try:
        with os.scandir(folder or ".") as entries:
            return sorted(entry.name for entry in islice(entries, MOST_NAMES))
    except (OSError, ValueError):
        return []


def beside(path: str) -> str:
    """`; did you mean 'serve.py'?` for what is nearly called so, beside where `path` would be, or nothing."""
    folder, name = os.path.split(path)
    rest = ""
    while folder and not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        rest = os.path.join(name, rest) if rest else name
        folder, name = os.path.split(folder)
    near = nearest(name, names_in(folder))
    if near is None:
        return ""
    whole = os.path.join(folder, near, rest) if rest else os.path.join(folder, near)
    return f"; did you mean {whole!r}?" if os.path.lexists(whole) else ""


def cannot_open(path: str, error: OSError) -> CannotRun:
    """What there is to say where a named file cannot be opened."""
    near = beside(path) if isinstance(error, FileNotFoundError) else ""
    return CannotRun(f"{path}: {error.strerror or error}{near}")
