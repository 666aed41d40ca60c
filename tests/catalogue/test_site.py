"""Where more is said of a rule."""

from __future__ import annotations

import pytest

from aoti_lint.catalogue import site
from aoti_lint.catalogue.registry import load
from aoti_lint.catalogue.site import page_of
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
        (load().rule("AOTI301"), "https://example.org/site/rules/AOTI301/"),
        (Theirs(), "https://example.org/theirs.html"),
        (Silent(), None),
    ],
)
def test_the_page_of_a_rule(rule: Rule, address: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "ADDRESS", "https://example.org/site/")
    assert page_of(rule) == address


def test_before_there_is_a_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "ADDRESS", "")
    assert str(page_of(load().rule("AOTI301"))).startswith("https://docs.pytorch.org/")
