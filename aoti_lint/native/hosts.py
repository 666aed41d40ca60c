"""C++ that loads a package, or the library of a compiled model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.lazily.regex import regex
from aoti_lint.native.lexical import SpentMarks, Text
from aoti_lint.native.literals import Literals
from aoti_lint.native.macros import Macros, defines
from aoti_lint.native.syntax import arguments, raw

if TYPE_CHECKING:
    from tree_sitter import Node

_CLASS = rb"\bAOTIModel(?:PackageLoader|ContainerRunner(?P<%s>Cpu|Cuda|Xpu|Mps))\b"
_MADE = regex(
    _CLASS % b"one" + rb"\s*(?:\w+\s*)?[({]|\bmake_(?:unique|shared)\s*<[^<>;]{0,200}" + _CLASS % b"two" + rb"\s*>\s*\("
)
_INDEX = 4
"""The position of `device_index` in the constructor of a loader (torch 2.13, `aoti_package/model_package_loader.h`)."""
_MAIN = regex(rb"\bint\s+main\s*\(")
_OPEN = regex(
    rb"\b(?:dlopen|dlmopen|LoadLibrary\w*|DynamicLibrary|Py_Initialize\w*|scoped_interpreter|PYBIND11_\w+|PyInit_\w+"
    rb"|torch/extension\.h|torch/python\.h|Python\.h|pybind11)\b"
)


@dataclass(frozen=True, slots=True)
class Load:
    """A package, or the library of a model, is loaded at `span`: the one at the path `file`.

    `device` is the type of device that the runner of a library is for, empty for packages; `index` is the
    `device_index` that is given, where it is a number.
    """

    file: str
    span: Span
    device: str = ""
    index: int | None = None


def loads(data: bytes, path: str) -> Iterator[Load]:
    """Where C++ text loads packages, or libraries, whose paths it says.

    Not where it chooses among runners for a library: by `#if`, or by two runners for one path.
    """
    try:
        found = list(_loads(Text(data), path))
    except SpentMarks:
        return
    runners: dict[str, set[str]] = {}
    for one, _ in found:
        runners.setdefault(one.file, set()).add(one.device)
    for one, chosen in found:
        if not one.device or not (chosen or len(runners[one.file]) > 1):
            yield one


def _loads(text: Text, path: str) -> Iterator[tuple[Load, bool]]:
    """Each load, and whether it stands between `#if` and `#endif`."""
    literals = Literals(text, Macros(defines(text)))
    for found, start, end in text.calls(_MADE):
        args = arguments(text.code[start + 1 : end])
        file = literals.string(args[0]) if args else None
        if file:
            device = (found["one"] or found["two"] or b"").decode().lower()
            index = None if device else _number(args[_INDEX:])
            yield Load(file, Span(path, found.start(), end + 1), device, index), text.conditional(found.start())


def _number(args: list[Node]) -> int | None:
    """The number that the first of these is."""
    text = raw(args[0]) if args else b""
    return int(text) if text.isdigit() else None


def is_program(data: bytes) -> bool:
    """Whether C++ text has a `main`."""
    return _MAIN.search(Text(data).masked) is not None


def may_load_more(data: bytes) -> bool:
    """Whether C++ text may bring other libraries, or Python, into its process."""
    return _OPEN.search(Text(data).code) is not None
