"""What C++ sources say of custom operators."""

from __future__ import annotations

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.native.functions import Function

UNKNOWN = "?"
"""Stands for a name, a schema or a dispatch key that the text does not tell."""
ANY_KEY = ""
"""The dispatch key of a kernel that is registered for none: it serves all, and is traced through."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A C++ function that is registered for an op: its name as written, empty for a lambda, and itself, if found.

    Kernels that no trace enters, such as those for CUDA, are not looked for.
    """

    name: str
    function: Function | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """`m.def(…)`: `op` is `ns::name`, with `?` for what is not known; `schema` is its text or None.

    `module` is the Python module in which the library says that the fake is. `conditional`: some builds leave it out,
    or may.
    """

    op: str
    schema: str | None
    tags: tuple[str, ...]
    module: str | None
    span: Span
    conditional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Implementation:
    """A kernel is registered for `op` and the dispatch key `key`."""

    op: str
    key: str
    kernel: Kernel | None
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """`TORCH_LIBRARY(ns, m) { … }`, of which a process has one for each namespace. `conditional` as in `Definition`."""

    namespace: str
    span: Span
    conditional: bool


Registration = Definition | Implementation | Library
