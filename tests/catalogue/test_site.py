"""Where more is said of a rule."""

from __future__ import annotations

import pytest

from aoti_lint.catalogue.registry import load
from aoti_lint.catalogue.site import ADDRESS, page_of
from aoti_lint.rule import Rule


class Theirs(Rule):
    """Something.

    Sources:
        Seen, and https://example.org/theirs.html says so.
    """

    code = "EX101"


class Silent(Rule):
    """Something."""

    code = "EX102"


@pytest.mark.parametrize(
    ("rule", "address"),
    [
        (load().by_code["AOTI301"], f"{ADDRESS}rules/AOTI301/"),
        (Theirs(), "https://example.org/theirs.html"),
        (Silent(), None),
    ],
)
def test_the_page_of_a_rule(rule: Rule, address: str | None) -> None:
    assert page_of(rule) == address
