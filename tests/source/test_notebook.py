from __future__ import annotations

import json
import re
from typing import Any

import pytest

from aoti_lint.ir.lower import lower
from aoti_lint.source.text import Source, read_source
from aoti_lint.text.problem import SourceProblem


def code(source: str | list[str], **metadata: Any) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": 1, "metadata": metadata, "outputs": [{"x": "é"}], "source": source}


def notebook(*cells: object, **metadata: object) -> bytes:
    document = {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


MARKDOWN = {"cell_type": "markdown", "metadata": {}, "source": ["# x = 1\n"]}
DATA = notebook(
    MARKDOWN,
    code(["import torch\n", "%load_ext x\n", "\n", "def f():\n", "    !ls é\n"]),
    {"cell_type": "raw", "source": "raw"},
    code("y = await f()"),
    code([]),
)


def read(data: bytes) -> Source:
    return read_source(data, "a.ipynb")


def test_virtual_text() -> None:
    source = read(DATA)
    assert source.kind == "notebook"
    assert source.text == (
        "# %% cell 2\nimport torch\n_#oad_ext x\n\ndef f():\n    _#s é\n\n# %% cell 4\ny = await f()\n# %% cell 5\n\n"
    )
    assert len(lower(source.text, "a.ipynb").body) == 4


def test_places() -> None:
    source = read(DATA)
    assert source.notebook is not None
    places = [source.cell(row) for row in range(1, source.lines.rows + 1)]
    assert places == [
        None, (2, 1), (2, 2), (2, 3), (2, 4), (2, 5), (2, 6), None, (4, 1), None, (5, 1), None,
    ]  # fmt: skip
    for row, place in enumerate(places, start=1):
        if place is not None:
            assert source.notebook.row(*place) == row
    assert source.notebook.row(1, 1) is None
    assert source.notebook.row(4, 2) is None


def test_unchanged_bytes() -> None:
    odd = b'\xef\xbb\xbf{"metadata":{}, "cells" :[ {"cell_type":"code","source":"x"}]}\n\n'
    for data in (DATA, odd):
        source = read(data)
        assert source.write_back(source.text) == data


@pytest.mark.parametrize("indent", [None, 1, 4, "\t"])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_only_the_edited_cell_changes(indent: int | str | None, ascii_only: bool) -> None:
    data = (json.dumps(json.loads(DATA), indent=indent, ensure_ascii=ascii_only) + "\n").encode()
    source = read(data)
    edited = source.text.replace("import torch\n", "import torch\nimport é\n").replace("await f()", "await f(1)")
    expected = json.loads(data)
    expected["cells"][1]["source"] = ["import torch\n", "import é\n", *expected["cells"][1]["source"][1:]]
    expected["cells"][3]["source"] = "y = await f(1)"
    written = source.write_back(edited)
    assert written == (json.dumps(expected, indent=indent, ensure_ascii=ascii_only) + "\n").encode()


def test_compact_stays_compact() -> None:
    data = b'{"cells":[{"cell_type":"code","source":["x\\n","y"]}]}'
    source = read(data)
    assert source.write_back(source.text.replace("y", "z")) == data.replace(b"y", b"z").replace(b"tzpe", b"type")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # Lists of lines on one line each, in a document with a line for each key.
        ('{\n "cells": [\n  {"cell_type": "code", "source": ["x\\n", "y"]}\n ]}',
         '{\n "cells": [\n  {"cell_type": "code", "source": ["new\\n", "x\\n", "y"]}\n ]}'),
        ('\ufeff{"b":1 , "cells":[ {"source" :[\n"x" ], "cell_type":"code", "a":1.50}], "b":[ ]}\n\n',
         '\ufeff{"b":1 , "cells":[ {"source" :[\n"new\\n",\n"x" ], "cell_type":"code", "a":1.50}], "b":[ ]}\n\n'),
        ('{"cells":[{"cell_type":"code","source":[]},{"cell_type":"code","source":"x"}]}',
         '{"cells":[{"cell_type":"code","source":["new\\n"]},{"cell_type":"code","source":"new\\nx"}]}'),
        # Only code cells have a source in Python.
        ('{"cells":[1,{"cell_type":"raw"},{"cell_type":"code","source":"x"},[]]}',
         '{"cells":[1,{"cell_type":"raw"},{"cell_type":"code","source":"new\\nx"},[]]}'),
        # What is written with escapes, and need not be, stays so.
        ('{"cells":[{"cell_type":"code","source":["\\u00e9 = \\u0031\\n","é"]}]}',
         '{"cells":[{"cell_type":"code","source":["new\\n","\\u00e9 = \\u0031\\n","é"]}]}'),
    ],
)  # fmt: skip
def test_nothing_but_the_lines_is_written_anew(before: str, after: str) -> None:
    source = read(before.encode())
    marked = re.sub(r"(?m)^(# %% cell \d+\n)", r"\1new\n", source.text)
    assert source.write_back(marked).decode() == after


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text.replace("# %% cell 4\n", ""),
        lambda text: text.replace("_#oad_ext x\n", ""),
        lambda text: "x = 1\n" + text,
        lambda text: text.removesuffix("\n\n"),
        lambda text: "",
    ],
)
def test_edits_that_lose_something(edit: Any) -> None:
    source = read(DATA)
    with pytest.raises(SourceProblem, match="new text"):
        source.write_back(edit(source.text))


def test_markers_in_the_cells() -> None:
    source = read(notebook(code("# %% cell 1\nx\n"), code("# %%% cell 2")))
    assert source.text.startswith("# %%%% cell 1\n# %% cell 1\nx\n")
    assert source.cell(2) == (1, 1)
    assert json.loads(source.write_back(source.text.replace("x", "y")))["cells"][0]["source"] == "# %% cell 1\ny\n"


@pytest.mark.parametrize(
    "data",
    [
        notebook(code("x <- 1"), kernelspec={"language": "R"}),
        notebook(code("x <- 1"), language_info={"name": "julia"}, kernelspec={"language": "python"}),
        notebook(code("SELECT 1", vscode={"languageId": "sql"}), MARKDOWN),
        notebook(
            "odd", {"cell_type": "code"}, {"cell_type": "code", "source": [1]}, {"cell_type": "code", "source": 2}
        ),
        notebook(),
    ],
)
def test_no_python_in_it(data: bytes) -> None:
    source = read(data)
    assert source.text == ""
    assert source.write_back("") == data


@pytest.mark.parametrize(
    "metadata", [{}, {"kernelspec": {"language": "Python"}}, {"language_info": {"name": "ipython"}}]
)
def test_python_in_it(metadata: dict[str, Any]) -> None:
    assert "x = 1\n" in read(notebook(code("x = 1"), **metadata)).text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no valid JSON"),
        (b"{", "no valid JSON"),
        (b"\xff", "no UTF-8 text"),
        (b"[]", "not a JSON object"),
        (b"{}", "no list of cells"),
        (b'{"cells": {}}', "no list of cells"),
        (b'{"worksheets": []}', "nbconvert"),
        (b"[" * 200_000, "nested too deeply"),
    ],
)
def test_what_is_no_notebook(data: bytes, message: str) -> None:
    with pytest.raises(SourceProblem, match=message):
        read(data)


def test_half_a_surrogate_pair() -> None:
    source = read(b'{"cells": [{"cell_type": "code", "source": "x = \'\\ud800\'"}]}')
    with pytest.raises(SourceProblem, match="surrogate"):
        lower(source.text, "a.ipynb")
    assert b"\\ud800" in source.write_back(source.text.replace("x", "y"))
