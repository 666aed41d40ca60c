"""Files that programs name, in logs and in what they note: text of theirs, where there is one."""

from __future__ import annotations

from functools import lru_cache

from aoti_lint.files.opener import SOURCE, Kind, read_file


def text_of(path: str, kind: Kind = SOURCE) -> str:
    """All of a file; empty where there is none that can be read, such as a device."""
    try:
        return read_file(path, kind).decode("utf-8", "replace")
    except OSError:
        return ""


@lru_cache(maxsize=64)
def lines_of(path: str) -> tuple[str, ...]:
    """Its lines, as they were when they were asked for first."""
    return tuple(text_of(path).replace("\r\n", "\n").split("\n"))


def line_at(path: str, line: int) -> str:
    """One of them, without what is blank around it; empty where it is not there."""
    lines = lines_of(path)
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""
