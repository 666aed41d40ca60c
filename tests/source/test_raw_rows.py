"""Where in a notebook's file the rows of its cells are."""

from __future__ import annotations

import json

import pytest

from aoti_lint.source.notebooks.notebook import read_notebook
from aoti_lint.source.notebooks.raw_rows import raw_rows

LINES = ["import torch\n", 'x = "] } , { [ \\" \\\\"\n', "\n", "y = 1"]


def book(*sources: object, **others: object) -> dict[str, object]:
    cells = [{"cell_type": "code", "metadata": {"source": ["no\n"]}, "source": source} for source in sources]
    return {"nbformat": 4, "cells": cells, "metadata": {"cells": [{"source": ["no"]}]}, **others}


@pytest.mark.parametrize("indent", [1, 2, 4])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_string_a_row(indent: int, newline: str) -> None:
    text = json.dumps(book(["a\n"], LINES), indent=indent).replace("\n", newline)
    rows = raw_rows(text)[2]
    assert [json.loads(text.split("\n")[row - 1].strip().rstrip(",")) for row in rows] == LINES


def test_a_string_of_several_rows_and_rows_of_several_strings() -> None:
    text = json.dumps(book("a\nb\nc", ["a\nb", "c\n", "", "d\n"], [], ""), indent=1)
    found = raw_rows(text)
    (row,) = {*found[1]}
    assert len(found[1]) == 3
    assert json.loads(text.split("\n")[row - 1].partition(":")[2]) == "a\nb\nc"
    first, _, third, last = found[2][0], *found[2][1:], 0
    assert found[2] == [first, first, third] == [first, first, first + 2]
    assert last == 0
    assert (len(found.get(3, [])), len(found[4])) == (0, 1)


def test_all_on_one_row_and_what_is_no_source() -> None:
    text = json.dumps(book(LINES, [1, "a\n", None], {"source": ["b"]}, 7))
    assert set(raw_rows(text)[1]) == {1}


def test_a_notebook_knows_the_rows_of_its_cells() -> None:
    data = json.dumps(book("%matplotlib inline", LINES), indent=1).encode()
    notebook = read_notebook(data, "n.ipynb")
    for number, line in enumerate(LINES, start=1):
        row = notebook.raw_row(2, number)
        assert row is not None
        assert json.dumps(line).encode() in data.split(b"\n")[row - 1]
    assert notebook.raw_row(2, 5) is None
    assert notebook.raw_row(3, 1) is None
