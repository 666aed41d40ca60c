"""Screen columns of source text."""

from __future__ import annotations

from aoti_lint.report.columns import cut, shown


def test_ascii_is_itself() -> None:
    assert shown("x = 1") == ("x = 1", [0, 1, 2, 3, 4, 5])


def test_tabs_reach_the_next_stop() -> None:
    assert shown("a\tb") == ("a   b", [0, 1, 4, 5])


def test_wide_and_combining_characters() -> None:
    assert shown("日x")[1] == [0, 2, 3]
    assert shown("e\u0301x")[1] == [0, 1, 1, 2]


def test_nothing_that_steers_a_terminal_gets_through() -> None:
    text, columns = shown("a\x1b[31mb\u202ec\u2028d")
    assert text == "a\\x1b[31mb\\u202ec\\u2028d"
    assert columns[-1] == len(text)


def test_cut_keeps_columns_when_it_halves_a_wide_character() -> None:
    assert cut("a日b", 0, 2) == "a "
    assert cut("a日b", 2, 4) == " b"
    assert shown(cut("日本語", 1, 5))[1][-1] == 4
