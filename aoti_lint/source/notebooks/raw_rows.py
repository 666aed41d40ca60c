"""Where in the JSON of a notebook the rows of its cells are written."""

from __future__ import annotations

import json

from aoti_lint.source.notebooks.raw_sources import members


def raw_rows(text: str) -> dict[int, list[int]]:
    """For each cell, by its number from 1, the row of the file for each row of its source.

    `text` is valid JSON. Rows of the file that one string holds are one and the same.
    """
    found: dict[int, list[int]] = {}
    row, known = 1, 0
    begin, _ = dict(members(text, text.index("{")))["cells"]
    for index, (cell, _) in members(text, begin):
        source = dict(members(text, cell)).get("source") if text[cell] == "{" else None
        if source is None:
            continue
        listed = text[source[0]] == "["
        rows, fresh = found.setdefault(int(index) + 1, []), True
        for start, end in [place for _, place in members(text, source[0])] if listed else [source]:
            if text[start] == '"':
                row, known = row + text.count("\n", known, start), start
                value = str(json.loads(text[start:end]))
                rows += [row] * (value.count("\n") + fresh - value.endswith("\n"))
                fresh = value.endswith("\n")
    return found
