"""C++ programs that load a package."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from aoti_lint.diagnostics import Span
from aoti_lint.native.lexical import Text
from aoti_lint.native.literals import Literals
from aoti_lint.native.macros import Macros, defines
from aoti_lint.native.syntax import arguments

_MADE = re.compile(
    rb"\bAOTIModelPackageLoader\b\s*\w*\s*[({]|\bmake_(?:unique|shared)\s*<[^<>;]*\bAOTIModelPackageLoader\s*>\s*\("
)
_MAIN = re.compile(rb"\bint\s+main\s*\(")
_OPEN = re.compile(
    rb"\b(?:dlopen|dlmopen|LoadLibrary\w*|DynamicLibrary|Py_Initialize\w*|scoped_interpreter|PYBIND11_\w+|PyInit_\w+"
    rb"|torch/extension\.h|torch/python\.h|Python\.h|pybind11)\b"
)


@dataclass(frozen=True, slots=True)
class Load:
    """A package is loaded at `span`: the one at the path `file`."""

    file: str
    span: Span


def loads(data: bytes, path: str) -> Iterator[Load]:
    """Where C++ text loads packages whose paths it says."""
    text = Text(data)
    literals = Literals(text, Macros(defines(text)))
    for found, start, end in text.calls(_MADE):
        args = arguments(text.code[start + 1 : end])
        file = literals.string(args[0]) if args else None
        if file:
            yield Load(file, Span(path, found.start(), end + 1))


def is_program(data: bytes) -> bool:
    """Whether C++ text has a `main`."""
    return _MAIN.search(Text(data).masked) is not None


def may_load_more(data: bytes) -> bool:
    """Whether C++ text may bring other libraries, or Python, into its process."""
    return _OPEN.search(Text(data).code) is not None
