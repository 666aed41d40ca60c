"""What a check imports neither compiles methods nor patterns on the way: that is left for those that are used."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.structure.imports import modules, room_of

ROOMS = (
    "catalogue", "diagnostics", "findings", "ir", "language", "linking", "machine", "models", "native", "roots", "rule",
    "source", "text", "torch_api", "tracing", "values",
)  # fmt: skip
DATACLASSES = {"diagnostics.Span": "it is ordered"}
"""Those of Python's own that are left, and why."""


def statements() -> Iterator[tuple[str, ast.stmt]]:
    """The statements of the modules that a check imports, each with the name of its module."""
    for name, path in modules().items():
        if room_of(name) in ROOMS:
            for statement in ast.parse(path.read_text(encoding="utf-8")).body:
                yield name, statement


def test_patterns_are_compiled_when_they_are_used() -> None:
    assert [
        f"{name}:{one.lineno}"
        for name, one in statements()
        if isinstance(one, ast.Assign | ast.AnnAssign)
        and isinstance(one.value, ast.Call)
        and ast.unparse(one.value.func) == "re.compile"
    ] == []


def test_methods_of_dataclasses_are_made_when_they_are_called() -> None:
    own: set[str] = set()
    late: set[str] = set()
    for name, one in statements():
        if isinstance(one, ast.ImportFrom) and any(alias.name == "dataclass" for alias in one.names):
            (own if one.module == "dataclasses" else late).add(name)
    classes = {
        f"{name}.{one.name}"
        for name, one in statements()
        if isinstance(one, ast.ClassDef)
        for decorator in one.decorator_list
        if ast.unparse(decorator).startswith("dataclasses.dataclass")
        or (name in own and ast.unparse(decorator).startswith("dataclass"))
    }
    assert classes == DATACLASSES.keys()
    assert own.isdisjoint(late)
