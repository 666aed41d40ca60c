"""AOTI401 of a library in C++ that gets its name where it is built."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.judging import lint_files

SOURCE = """\
#include <torch/library.h>

TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, ops) {
  ops.def("a(Tensor x) -> Tensor");
  ops.def("b(Tensor x) -> Tensor");
  ops.def("into(Tensor! out, Tensor x) -> ()");
}
"""
FAKE = 'import torch\n\n\n@torch.library.register_fake(name + "::a")\ndef _(x):\n    return torch.empty_like(x)\n'


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"ops.cpp": SOURCE}, True),
        ({"ops.cpp": SOURCE.replace("_EXPAND", "_FRAGMENT")}, True),
        ({"ops.cpp": SOURCE, "fakes.py": FAKE}, False),
        ({"ops.cpp": SOURCE.replace('  ops.def("b(Tensor x) -> Tensor");\n', "")}, False),
    ],
)
def test_it_is_told_once(files: dict[str, str], told: bool, tmp_path: Path) -> None:
    found = [one for one in lint_files(tmp_path / "run", files, torch="2.13") if one.code == "AOTI401"]
    assert [str(one.severity) for one in found if str(one.severity) != "info"] == ["warning"] * told
