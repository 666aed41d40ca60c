"""Writes `docs/causes.md`, which rules find the causes that `aoti-lint triage` names, and why none finds the others.

    python scripts/make_cause_page.py

The same causes give the same bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "causes.md"
sys.path.insert(0, str(ROOT))

from aoti_lint.triage.causes import FAMILIES  # noqa: E402

HEAD = """\
<!-- Made by scripts/make_cause_page.py from aoti_lint/triage/causes/. Do not edit. -->

# Causes of failed runs

What `aoti-lint triage LOG` names, with the rules that find it before the run, where the sources show it, or why none
does. `aoti-lint explain CAUSE` says how a cause comes about and what to do.
"""


def page() -> str:
    """The whole page."""
    return "\n\n".join([HEAD.rstrip("\n"), *("\n".join(_table(family)) for family in FAMILIES)]) + "\n"


def _table(family: ModuleType) -> Iterator[str]:
    heading = (family.__doc__ or "").partition("\n")[0].rstrip(".")
    yield from (f"## {heading}", "", "| Cause | What is wrong | Found before the run |", "| --- | --- | --- |")
    for cause in family.CAUSES:
        found = ", ".join(cause.rules) or cause.unseen
        yield f"| {cause.name} | {_plain(cause.title)} | {_plain(found)} |"


def _plain(text: str) -> str:
    """Words in which nothing is markup."""
    return "".join(f"\\{letter}" if letter in "\\|*_<>[]`" else letter for letter in text)


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
