"""What builds and loads C++ extensions, and what the C++ in a script registers."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.linking.analysis import analyse
from aoti_lint.machine.facts import Facts
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.events.ops import NativeLibrary, OpDefinition, OpImpl
from aoti_lint.values.values import Const

LOAD = (
    "import os, pathlib, torch\nfrom torch.utils.cpp_extension import CppExtension, CUDAExtension, load, load_inline\n"
)
HERE = "os.path.dirname(os.path.abspath(__file__))"


def facts_of(folder: Path, text: str, path: str = "script.py") -> Facts:
    for name in ("csrc/a.cpp", "csrc/b.cu", path):
        folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
        folder.joinpath(name).write_text(text if name == path else "int f();", encoding="utf-8")
    return analyse(Project(folder, [path]), VersionSet.parse("2.13"))


@pytest.mark.parametrize(
    ("call", "sources", "loaded"),
    [
        ('load("ext", ["csrc/a.cpp", "csrc/b.cu"])', ("csrc/a.cpp", "csrc/b.cu"), True),
        ('load(name="ext", sources="csrc/a.cpp")', ("csrc/a.cpp",), True),
        (f'load("ext", [os.path.join({HERE}, "csrc", "a.cpp")])', ("csrc/a.cpp",), True),
        ('load("ext", [str(pathlib.Path(__file__).parent / "csrc" / "a.cpp")])', ("csrc/a.cpp",), True),
        (
            'torch.utils.cpp_extension.load("ext", [f"csrc/{n}" for n in ("a.cpp", "b.cu")])',
            ("csrc/a.cpp", "csrc/b.cu"),
            True,
        ),
        ('CppExtension("ext", ["csrc/a.cpp"])', ("csrc/a.cpp",), False),
        ('CUDAExtension(name="ext", sources=["csrc/a.cpp", "csrc/b.cu"])', ("csrc/a.cpp", "csrc/b.cu"), False),
        ('torch.ops.load_library("libext.so")', None, True),
        ('torch.classes.load_library("libext.so")', None, True),
        # Files that are not there, and such that nobody knows.
        ('load("ext", ["csrc/other.cpp"])', None, True),
        ('import glob\nload("ext", glob.glob("csrc/*"))', None, True),
        ('import sys\nload("ext", ["csrc/a.cpp", sys.argv[1]])', None, True),
    ],
)
def test_what_a_library_is_built_of(call: str, sources: tuple[str, ...] | None, loaded: bool, tmp_path: Path) -> None:
    [event] = facts_of(tmp_path, LOAD + call + "\n").of(NativeLibrary)
    assert (event.sources, event.loaded) == (sources, loaded)


def test_paths_beside_a_script_in_a_folder(tmp_path: Path) -> None:
    text = LOAD + f'load("ext", [os.path.join({HERE}, "a.cpp")])\n'
    [event] = facts_of(tmp_path, text, "csrc/script.py").of(NativeLibrary)
    assert event.sources == ("csrc/a.cpp",)


INLINE = '''
text = """
at::Tensor f(at::Tensor x) { return x; }
TORCH_LIBRARY(größe, m) { m.def("f(Tensor x) -> Tensor"); m.impl("f", torch::kCPU, &f); }
"""
'''


def test_a_text_is_told_as_the_script_runs(tmp_path: Path) -> None:
    text = LOAD + INLINE.replace("größe", "lib  /* größe */") + 'load_inline("ext", cpp_sources=[text])\n'
    facts = facts_of(tmp_path, text)
    [definition], [kernel] = facts.of(OpDefinition), facts.of(OpImpl)
    assert definition.op == kernel.op == Const("lib::f")
    assert definition.root == kernel.root == "script.py"
    data = text.encode()
    assert data[definition.span.start : definition.span.end].startswith(b'm.def("f(Tensor x)')
    assert kernel.kernel is not None
    assert kernel.kernel.name == "f"


@pytest.mark.parametrize("change", [("x; }", "x; }\\n"), ('text = """', 'text = "// f" + """')])
def test_a_text_that_is_not_there_as_it_is(change: tuple[str, str], tmp_path: Path) -> None:
    text = LOAD + INLINE.replace("größe", "lib").replace(*change) + 'load_inline("ext", text)\n'
    [definition] = facts_of(tmp_path, text).of(OpDefinition)
    data = text.encode()
    assert definition.op == Const("lib::f")
    assert data[definition.span.start : definition.span.end] == b"text"


def test_a_text_that_is_loaded_nowhere(tmp_path: Path) -> None:
    assert not list(facts_of(tmp_path, LOAD + INLINE.replace("größe", "lib")).of(OpDefinition))
