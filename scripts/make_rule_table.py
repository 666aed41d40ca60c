"""Writes `docs/rules.md`, the table of all rules, from the classes in `rules/`.

    python scripts/make_rule_table.py

The same rules give the same bytes.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "rules.md"
sys.path.insert(0, str(ROOT))

from aoti_lint.catalogue.registry import load  # noqa: E402
from aoti_lint.rule import Rule  # noqa: E402

FAMILIES = {
    "device": "Devices",
    "api": "Names and arguments of torch",
    "shapes": "Shapes and inputs",
    "ops": "Custom operators",
    "flags": "Variables, settings and `torch.compile`",
    "package": "Programs and packages",
    "model": "The model that is exported",
    "tool": "Comments and files",
}
"""The folders of `rules/`, in the order of the page, and what each is about."""

HEAD = """\
<!-- Made by scripts/make_rule_table.py from rules/. Do not edit. -->

# All rules

`aoti-lint explain AOTI301` says what happens, with the message of torch, why, what to write instead, and on which torch
this was tried. `aoti-lint explain` lists all rules, `aoti-lint explain all` prints everything. Programs take
`aoti-lint explain AOTI301 --output-format json`, and a wiki `aoti-lint explain AOTI301 --output-format md`.

"What follows" is the severity of a finding that is certain, and what happens when the code runs.
"""


def page(link: Callable[[Rule], str]) -> str:
    """The whole page. `link` gives where more is said of a rule."""
    parts = [HEAD]
    parts += ["\n".join(_table(name, link)) for name in FAMILIES]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def of_family(name: str) -> list[Rule]:
    """The rules of one folder, by code."""
    return [rule for rule in load() if _parts(rule)[:-1] == ["aoti_lint", "rules", name]]


def source(rule: Rule) -> str:
    """Where the class of a rule is, seen from the page: its docstring is what there is to say of it."""
    return f"../{'/'.join(_parts(rule)[1:])}.py"


def _parts(rule: Rule) -> list[str]:
    return type(rule).__module__.split(".")


def _table(name: str, link: Callable[[Rule], str]) -> Iterator[str]:
    yield from (f"## {FAMILIES[name]}", "", "| Rule | Finds | What follows |", "| --- | --- | --- |")
    for rule in of_family(name):
        summary = " ".join((inspect.getdoc(type(rule)) or "").partition("\n\n")[0].split()).replace("|", "\\|")
        yield f"| [{rule.code}]({link(rule)}) {rule.name} | {summary} | {rule.severity.value}: {rule.outcome.value} |"


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(source), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
