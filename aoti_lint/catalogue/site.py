"""Where the pages of rules are on the web."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from aoti_lint.rule import Rule

ADDRESS: Final[str] = ""
"""Where the site that `scripts/make_site.py` makes is published, with a `/` at its end; empty: nowhere yet. It stands
here alone: whoever publishes it changes this line, and all reports link there."""


def page_of(rule: Rule) -> str | None:
    """The address of what there is to read about a rule: our page of it, or else the first of its sources."""
    if ADDRESS and type(rule).__module__.startswith("aoti_lint.rules."):
        return f"{ADDRESS}rules/{rule.code}/"
    from aoti_lint.catalogue.rule_docs import read

    return read(type(rule).__doc__ or "").url
