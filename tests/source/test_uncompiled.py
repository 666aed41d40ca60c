"""Scripts that Python's parser reads and its compiler refuses: nothing of them runs, and that is what is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.options import Options

EXPORT = "torch.export.export(torch.nn.Linear(8, 8), (torch.randn(2, 8),)).module()(torch.randn(3, 8))\n"
REFUSED = [
    "import torch\nfrom __future__ import annotations\n",
    "from __future__ import hoverboards\nimport torch\n",
    "import torch\nif torch:\n    return\n",
    "import torch\nä = 1; nonlocal ä\n",
    "import torch\ndef build(size, size):\n    pass\n",
    "import torch\nbreak\n",
    "import torch\nyield 1\n",
]


def found(folder: Path, name: str, text: str, **options: Any) -> tuple[list[str], list[dict[str, Any]]]:
    """The codes of what is found in a file, and what is wrong with it."""
    path = folder / name
    path.write_text(text)
    document = check(Options([str(path)], Config(), **options)).document
    return [one["code"] for one in document["diagnostics"]], document["errors"]


@pytest.mark.parametrize("text", REFUSED)
def test_what_python_refuses_is_told_in_its_words(text: str, tmp_path: Path) -> None:
    """Once from the sources, and again where all is known from before."""
    with pytest.raises(SyntaxError) as refused:
        compile(text + EXPORT, "a.py", "exec", dont_inherit=True)
    for _ in range(2):
        codes, errors = found(tmp_path, "a.py", text + EXPORT, cache_dir=str(tmp_path / "kept"))
        assert codes == []
        assert [one["message"] for one in errors] == [f"invalid syntax: {refused.value.msg}"]
        assert errors[0]["location"]["row"] == refused.value.lineno


def test_what_it_takes_is_no_error(tmp_path: Path) -> None:
    text = '"""What it is."""\nfrom __future__ import annotations\nimport torch\n' + EXPORT
    assert found(tmp_path, "a.py", text, cache=False) == (["AOTI301"], [])


def test_cells_are_compiled_for_themselves(tmp_path: Path) -> None:
    """A notebook may import from the future in any cell, and wait at its top level."""
    cells = ["import torch\n", "from __future__ import annotations\nawait torch\n", EXPORT]
    text = json.dumps({
        "cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "source": one} for one in cells],
        "metadata": {}, "nbformat": 4, "nbformat_minor": 5,
    })  # fmt: skip
    assert found(tmp_path, "a.ipynb", text, cache=False) == (["AOTI301"], [])
