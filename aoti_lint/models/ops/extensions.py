"""C++ extensions: `torch.utils.cpp_extension`, which builds and loads them, and what loads those built before.

Run on torch 2.13: `load` and `load_inline` load what they build, and all registrations in it run then.
"""

from __future__ import annotations

from aoti_lint.language.data import containers
from aoti_lint.language.data.paths import file_name
from aoti_lint.language.effects.api_calls import places
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.ops.native_ops import tell_text
from aoti_lint.models.process.settings_files import project_file
from aoti_lint.source.discovery.discover import NATIVE_SUFFIXES
from aoti_lint.source.interest.needles import registers
from aoti_lint.values.call import Call
from aoti_lint.values.events.ops import NativeLibrary
from aoti_lint.values.torch_values import NO_FILE
from aoti_lint.values.values import NONE, Const, Value

TEXTS = {"cpp_sources": 1, "cuda_sources": 2, "sycl_sources": None}
"""The arguments of `load_inline` that hold C++, and their places."""


@function("torch.utils.cpp_extension.load")
def _load(m: Machine, call: Call) -> Value:
    sources = _sources(m, call.arg(1, "sources") or NONE)
    m.emit(NativeLibrary, call.node, api="torch.utils.cpp_extension.load", sources=sources, file=NO_FILE, loaded=True)
    return m.unknown(call.node, "a module in C++")


def _builder(name: str) -> None:
    @function(name)
    def model(m: Machine, call: Call) -> Value:
        sources = _sources(m, call.arg(1, "sources") or NONE)
        m.emit(NativeLibrary, call.node, api=name, sources=sources, file=NO_FILE, loaded=False)
        return m.unknown(call.node, "an extension to build")


for _name in ("torch.utils.cpp_extension.CppExtension", "torch.utils.cpp_extension.CUDAExtension",
              "torch.utils.cpp_extension.SyclExtension", "setuptools.Extension"):  # fmt: skip
    _builder(_name)


@function("torch.classes.load_library")
def _load_classes(m: Machine, call: Call) -> Value:
    file = file_name(m, call.arg(0, "path") or NONE)
    m.emit(NativeLibrary, call.node, api="torch.classes.load_library", sources=None, file=file, loaded=True)
    return NONE


@function("torch.utils.cpp_extension.load_inline")
def _load_inline(m: Machine, call: Call) -> Value:
    given = [text for name, index in TEXTS.items() for text in _texts(m, call.arg(index, name) or NONE)]
    name = "torch.utils.cpp_extension.load_inline"
    m.emit(NativeLibrary, call.node, api=name, sources=(), file=NO_FILE, loaded=True)
    if any(registers(text.encode("utf-8", "surrogatepass")) for text in given):
        _read_texts(m, call, [text.encode("utf-8", "surrogatepass") for text in given])
    return m.unknown(call.node, "a module in C++")


def _read_texts(m: Machine, call: Call, texts: list[bytes]) -> None:
    """Tell what the texts register: at their places in the script if all of them stand there once as they are."""
    path = m.frame.module.path
    source = m.project.source(path)
    data = b"" if source is None else source.text.encode("utf-8", "surrogatepass")
    if all(data.count(text) == 1 for text in texts):
        made = bytearray(b"\n" * len(data))
        for text in texts:
            start = data.index(text)
            made[start : start + len(text)] = text
        tell_text(m, path, bytes(made), None)
        return
    found = places(m, call)
    tell_text(m, path, b"\n".join(texts), found.get(1) or found.get("cpp_sources") or m.span(call.node))


def _texts(m: Machine, value: Value) -> list[str]:
    """The texts in an argument that takes one or a list of them, as far as they are known."""
    value = m.see(value)
    items = [value] if isinstance(value, Const) else containers.items_of(m, value) or []
    known = [m.see(item) for item in items]
    return [item.value for item in known if isinstance(item, Const) and isinstance(item.value, str) and item.value]


def _sources(m: Machine, value: Value) -> tuple[str, ...] | None:
    """The C++ files of the project in a list of sources; None where one of them is not known."""
    value = m.see(value)
    items = [value] if isinstance(value, Const) and value != NONE else containers.items_of(m, value)
    found = [project_file(m, item, NATIVE_SUFFIXES) for item in items or ()]
    return tuple(path for path in found if path is not None) if items and None not in found else None
