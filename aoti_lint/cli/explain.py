"""`aoti-lint explain`: the documentation of rules."""

from __future__ import annotations

import inspect
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from aoti_lint.registry import load
from aoti_lint.report.output import Output
from aoti_lint.rule import Rule
from aoti_lint.rule_docs import SECTIONS

if TYPE_CHECKING:
    from aoti_lint.report.frame import Line


def run(words: list[str]) -> int:
    """Print the pages of the rules asked for, or the list of all rules."""
    parser = ArgumentParser(prog="aoti-lint explain", description="Say what a rule finds, why, and what to do.")
    parser.add_argument(
        "rules", nargs="*", metavar="RULE", help="a code, a name, a prefix of codes, or 'all'; none lists them"
    )
    asked = parser.parse_args(words).rules
    registry = load()
    with Output(None) as output:
        if not asked:
            output.styled(_table(registry))
        for number, rule in enumerate(dict.fromkeys(rule for word in asked for rule in registry.find(word))):
            if number:
                output.styled([[]])
            output.styled(_page(rule))
    return 0


def _table(rules: Iterable[Rule]) -> Iterator[Line]:
    for rule in rules:
        first = (inspect.getdoc(type(rule)) or "").partition("\n")[0]
        yield [(f"{rule.code}  ", "message"), (f"{rule.name:<36}  ", "name"), (first, "")]


def _page(rule: Rule) -> Iterator[Line]:
    severity = rule.severity.value
    yield [(f"{rule.code} {rule.name}", "message"), (f" ({severity}; {rule.outcome.value})", "")]
    yield []
    for line in (inspect.getdoc(type(rule)) or "").splitlines():
        heading = line.endswith(":") and line[:-1] in SECTIONS
        yield [(line, "name" if heading else "")]
    yield []
    yield [(f"To accept a finding: # aoti-lint: ignore[{rule.code}]", "")]
