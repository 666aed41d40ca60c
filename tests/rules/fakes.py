"""Rules for the tests of what surrounds rules."""

from __future__ import annotations

from collections.abc import Iterable

from aoti_lint.catalogue.registry import Registry
from aoti_lint.diagnostics import Diagnostic
from aoti_lint.machine.facts import Facts
from aoti_lint.rule import Rule


class SilentRule(Rule):
    """Finds nothing."""

    def check(self, facts: Facts) -> Iterable[Diagnostic]:
        return ()


def rule_class(code: str, name: str) -> type[Rule]:
    """A rule that finds nothing."""
    return type(f"Rule{code}", (SilentRule,), {"code": code, "name": name})


def registry(**rules: str) -> Registry:
    """A registry of such rules: names by code, with `_` for `-`."""
    made = Registry()
    for code, name in rules.items():
        made.add(rule_class(code, name.replace("_", "-")), "the test")
    return made
