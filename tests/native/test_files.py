"""C++ files as they lie about: named or not, in any encoding, broken, large."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from aoti_lint.config import Config
from aoti_lint.engine.check import check
from aoti_lint.native.model import Implementation
from aoti_lint.native.read import Natives
from aoti_lint.options import Options
from aoti_lint.source.text import read_source

TEXT = """// Größe
at::Tensor f_meta(const at::Tensor& x) { return at::empty(x.sizes(), x.options()); }
TORCH_LIBRARY(lib, m) { m.def("f(Tensor x) -> Tensor"); }
TORCH_LIBRARY_IMPL(lib, Meta, m) { m.impl("f", &f_meta); }
"""


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), "utf-8"),
        (b"\xef\xbb\xbf" + TEXT.encode(), "utf-8"),
        (TEXT.encode("latin-1"), "latin-1"),
        (TEXT.encode("utf-16"), "utf-16"),
        (b"// -*- coding: koi8-r -*-\n" + TEXT.encode(), "utf-8"),
        (TEXT.replace("\n", "\r\n").encode(), "utf-8"),
        (TEXT.replace("Größe", "\0").encode(), "utf-8"),
    ],
)
def test_encodings(data: bytes, encoding: str, tmp_path: Path) -> None:
    (tmp_path / "ops.cpp").write_bytes(data)
    document = check(Options([str(tmp_path)], Config(), cache=False, torch_version="2.13")).document
    assert not document["errors"]
    (found,) = document["diagnostics"]
    row = 3 if b"koi8" in data else 2
    assert (found["code"], found["location"]["row"], found["location"]["column"]) == ("AOTI421", row, 59)
    assert read_source(data, "ops.cpp").encoding == encoding


@pytest.mark.parametrize("suffix", ["cpp", "cc", "cxx", "cu", "cuh", "h", "hpp", "hip", "mm"])
def test_suffixes(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"ops.{suffix}"
    path.write_text(TEXT, encoding="utf-8")
    for named in (path, tmp_path):
        document = check(Options([str(named)], Config(), cache=False, torch_version="2.13")).document
        assert [found["code"] for found in document["diagnostics"]] == ["AOTI421"]


def test_a_file_that_registers_nothing_is_quiet(tmp_path: Path) -> None:
    (tmp_path / "other.cpp").write_text("int main() { return 0; }", encoding="utf-8")
    summary = check(Options([str(tmp_path)], Config(), cache=False)).document["summary"]
    assert (summary["files"], summary["analysed"], summary["quiet"]) == (1, 0, 1)


def test_the_parser_is_loaded_for_cpp_only(tmp_path: Path) -> None:
    script = """
import torch

@torch.library.custom_op("lib::f", mutates_args=())
def f(x: torch.Tensor) -> torch.Tensor:
    return x.clone()
"""
    (tmp_path / "ops.py").write_text(script, encoding="utf-8")
    code = (
        "import sys; from aoti_lint.cli.main import main; "
        "main(['check', '--no-cache', '--exit-zero', '--output-file', 'report', 'ops.py']); "
        "assert 'aoti_lint.linking.analysis' in sys.modules; assert 'tree_sitter_cpp' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


def test_a_large_file_takes_little_time() -> None:
    """Three megabytes, mostly of code that no registration names."""
    other = "void g{0}(at::Tensor x) {{ if (x.dim() < {0}) {{ k<<<1, 2>>>(x.data_ptr<float>()); }} }} // {0}\n"
    text = ("".join(map(other.format, range(30_000))) + TEXT).encode()
    start = time.process_time()
    assert len(list(Natives(["ops.cpp"], lambda path: text).registrations())) == 3  # the block, and two in it
    assert time.process_time() - start < 5


def test_deep_nesting() -> None:
    body = "{" * 20_000 + "g(x.size(0));" + "}" * 20_000
    text = f'at::Tensor f(at::Tensor x) {{ {body} }}\nTORCH_LIBRARY_IMPL(lib, Meta, m) {{ m.impl("f", &f); }}'.encode()
    (found,) = Natives(["ops.cpp"], lambda path: text).registrations()
    assert isinstance(found, Implementation)
    assert found.op == "lib::f"
