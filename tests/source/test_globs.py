"""Patterns of `.gitignore`: they mean what pathspec says, and are quick for every name."""

from __future__ import annotations

import random

import pytest
from pathspec import GitIgnoreSpec

from aoti_lint.source.discovery.globs import LinearPattern


def test_they_mean_what_pathspec_says() -> None:
    made = random.Random(0)
    pieces = ("*", "*", "a", "b", "?", "/", "/**/", "[ab]", "[!c]", ".", "\\*")
    matched = 0
    for _ in range(1000):
        text = "".join(made.choices(pieces, k=made.randint(1, 9))).replace("//", "/")
        both = [GitIgnoreSpec.from_lines([text], factory) for factory in (None, LinearPattern)]
        for _ in range(20):
            path = "/".join("".join(made.choices("aab.", k=made.randint(1, 5))) for _ in range(made.randint(1, 5)))
            known, ours = (spec.check_file(path).include for spec in both)
            assert ours == known or ("[!" in text and "/" in path), (text, path)
            matched += known is True
    assert matched > 300


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a*a*a*a*a*a*a*b", "a" * 250),
        ("*[a]*[ab]*[a]*?*[a]*a*b", "a" * 250),
        ("**/a/**/a/**/a/**/a/**/b", "a/" * 1500 + "c"),
        ("a/**/*a*a*a*a/**/*a*a*a*a/**/b", "a/" + "aaaaaaaaaaaaaaaaaaaa/" * 150),
    ],
)
def test_no_name_makes_them_slow(pattern: str, path: str) -> None:
    # Tried in every way, these take longer than anybody waits.
    assert GitIgnoreSpec.from_lines([pattern], LinearPattern).check_file(path).include is None
