"""Rules stand on `aoti_lint.rule` alone, those of this repository as those of others."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

from tests.structure.imports import ROOT, arrows, modules, room_of

EXAMPLE = ROOT / "tests" / "packaging" / "example_rule" / "aoti_lint_example.py"
"""A rule as somebody else writes it."""


def test_rules_import_nothing_else_of_ours() -> None:
    of_rules = [one for one in arrows() if room_of(one.start) == "rules"]
    assert [str(one) for one in of_rules if room_of(one.end) not in ("rule", "rules")] == []


def test_the_example_of_a_package_of_rules_does_not_either() -> None:
    imported = {node.module for node in ast.walk(_tree(EXAMPLE)) if isinstance(node, ast.ImportFrom) and node.module}
    ours = {name for name in imported if name.startswith("aoti_lint")}
    assert ours
    assert {".".join(name.split(".")[:2]) for name in ours} == {"aoti_lint.rule"}


def test_what_rules_import_is_public() -> None:
    """`__all__` of a module of the interface names it."""
    names = [f"aoti_lint.{name}" for name in modules() if room_of(name) == "rule"]
    public = {name: set(getattr(importlib.import_module(name), "__all__", ())) for name in names}
    used = {
        (node.module, alias.name)
        for name, path in modules().items()
        if room_of(name) == "rules"
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("aoti_lint.")
        for alias in node.names
    }
    assert [(module, name) for module, name in sorted(used) if name not in public.get(module, set())] == []


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))
