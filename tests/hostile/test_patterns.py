"""Patterns of what is ignored that are none, or longer than any path."""

from __future__ import annotations

import pytest

from aoti_lint.source.discovery.ignores import Patterns
from tests.hostile.child import within_bounds


@pytest.mark.parametrize("pattern", ["[z-a]", "a" * 1_000_000, "*a" * 40_000], ids=["range", "long", "stars"])
def test_what_is_no_pattern_is_passed_over(pattern: str) -> None:
    assert within_bounds(lambda: Patterns("/x", [pattern, "b.py"]).verdict("/x/b.py", False)) == "True"
