"""Regular expressions that are compiled when they are first used."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from aoti_lint.lazily.regex import regex


def test_it_is_as_what_is_compiled() -> None:
    word = regex("[a-z]+", re.IGNORECASE)
    found = word.search("12 Abc")
    assert found is not None
    assert found[0] == "Abc"
    assert word.findall("a 1 b") == ["a", "b"]
    assert word.sub("-", "a1b") == "-1-"
    assert (word.pattern, word.flags) == ("[a-z]+", re.compile("[a-z]+", re.IGNORECASE).flags)
    assert regex(rb"\d").fullmatch(b"1") is not None


def test_nothing_is_compiled_before_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[object] = []

    def noted(*given: Any, compile_: Callable[..., object] = re.compile) -> object:
        compiled.append(given)
        return compile_(*given)

    monkeypatch.setattr(re, "compile", noted)
    one = regex("a")
    assert compiled == []
    assert [one.match("a") is None, one.match("b") is None] == [False, True]
    assert compiled == [("a", 0)]


def test_one_that_is_wrong_says_so_when_it_is_used() -> None:
    wrong = regex("(")
    with pytest.raises(re.error):
        wrong.match("a")
