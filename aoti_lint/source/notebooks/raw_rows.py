"""Where in the JSON of a notebook the rows of its cells are written."""

from __future__ import annotations

import json
import re

from aoti_lint.lazily.regex import regex

_TOKEN = regex(r'"(?:[^"\\]|\\.)*"|[\[\]{},]|\n', re.DOTALL)


def raw_rows(text: str) -> dict[int, list[int]]:
    """For each cell, by its number from 1, the row of the file for each row of its source.

    `text` is valid JSON. Rows of the file that one string holds are one and the same.
    """
    found: dict[int, list[int]] = {}
    path: list[str | int | None] = []
    """In objects the key, in arrays the index; None where a key comes next."""
    row, fresh = 1, True
    for token in _TOKEN.finditer(text):
        one = token[0]
        if one == "\n":
            row += 1
        elif one in "[{":
            path.append(0 if one == "[" else None)
        elif one in "]}":
            path.pop()
        elif one == ",":
            path[-1] = path[-1] + 1 if isinstance(path[-1], int) else None
        elif path[-1] is None:
            path[-1] = str(json.loads(one))
        elif path[0] == "cells" and path[2:3] == ["source"] and isinstance(path[1], int):
            if path[3:] in ([], [0]):
                found[path[1] + 1], fresh = [], True
            value = str(json.loads(one))
            starts = value.count("\n") + fresh - value.endswith("\n")
            found.setdefault(path[1] + 1, []).extend([row] * starts)
            fresh = value.endswith("\n")
    return found
