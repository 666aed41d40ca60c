"""What is imported inside a function is heavy and seldom needed; else imports stand at the top, where they are seen."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from functools import cache

import pytest

from tests.structure.imports import ROOT, circles, edges, modules

ROOMS = (
    "values", "machine", "language", "models", "tracing", "roots", "linking", "native", "source", "coverage",
    "catalogue", "files", "findings", "engine",
)  # fmt: skip
"""The rooms that this holds of, with the modules above all rooms."""
LATE = {
    "ast": "2 ms, only for what has changed",
    "difflib": "only for what is wrong",
    "fractions": "4 ms with decimal, and few sizes are divided",
    "importlib.metadata": "100 ms, and few have rule packages",
    "json": "only for what is remembered",
    "pathlib": "3 ms, which a run that finds nothing to do need not pay",
    "pathspec": "30 ms, and many folders have no patterns",
    "tomli": "only where there is a configuration",
    "tomllib": "only where there is a configuration",
    "torch": "seconds; only for a program in memory",
    "tree_sitter": "20 ms, and few projects have shell or C++",
    "tree_sitter_bash": "20 ms",
    "tree_sitter_cpp": "20 ms",
    "configparser": "6 ms, and few scripts read such a file",
    "yaml": "20 ms, and few projects name a workflow",
    "aoti_lint.native.cmake": "only for programs in C++",
    "aoti_lint.native.hosts": "only for programs in C++",
    "aoti_lint.native.model": "only for ops in C++",
    "aoti_lint.native.read": "only for ops in C++",
    "aoti_lint.native.runs": "only for programs in C++",
    "aoti_lint.catalogue.rule_docs": "only where there are findings",
    "aoti_lint.files.formats": "only where there is a configuration",
    "aoti_lint.source.interest.examine": "ast, which a run over files that do not matter does without",
    "aoti_lint.source.discovery.globs": "pathspec",
    "aoti_lint.source.lowered": "json, the IR",
    "aoti_lint.source.notebooks.notebook": "json and ast",
}
STARTERS = {
    "": "what a library of torch's user asks for, which the command line does not need",
    "__main__": "nothing may be imported before the path is safe",
    **dict.fromkeys(
        ("engine.check", "engine.sources", "engine.analysis", "engine.run"),
        "a run that finds nothing to do loads nothing of what analyses",
    ),
    "pytest_plugin": "every run of pytest loads it",
}
"""Modules whose work is to load others when there is something to do."""


@cache
def late() -> tuple[tuple[str, str], ...]:
    """The imports inside functions, as the module that does it and the one that it names."""
    found: list[tuple[str, str]] = []
    for name, path in modules().items():
        if name.partition(".")[0] in ROOMS or path.parent == ROOT / "aoti_lint":
            tree = ast.parse(path.read_text(encoding="utf-8"))
            functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
            for node in {node for function in functions for node in ast.walk(function)}:
                if isinstance(node, ast.Import):
                    found += [(name, alias.name) for alias in node.names]
                elif isinstance(node, ast.ImportFrom):
                    found.append((name, node.module or ""))
    return tuple(sorted(found))


def test_only_what_is_heavy_is_imported_late() -> None:
    assert [one for one in late() if one[0] not in STARTERS and one[1] not in LATE] == []


def test_nothing_is_listed_in_vain() -> None:
    assert {end for start, end in late() if start not in STARTERS} == set(LATE)
    assert {start for start, _ in late() if start in STARTERS} == set(STARTERS)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process of its own for each module takes too long")
def test_any_module_of_a_circle_can_be_loaded_first() -> None:
    """Each in a process that has loaded what is below."""
    (circle,) = circles(edges())
    below = sorted({end for start in circle for end in edges()[start] if end not in circle})
    code = f"""
import importlib, os
for name in {below}:
    if not name.startswith("language"):
        importlib.import_module(f"aoti_lint.{{name}}")
for name in {sorted(circle)}:
    if os.fork() == 0:
        importlib.import_module(f"aoti_lint.{{name}}")
        os._exit(0)
    if os.wait()[1]:
        print(name)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "", done.stderr
