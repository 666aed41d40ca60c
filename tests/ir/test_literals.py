from __future__ import annotations

import pytest

from aoti_lint.ir.literals import format_text_value, number_value, string_value


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("'a'", "a"),
        ('""', ""),
        ('"""a"b"""', 'a"b'),
        ("''''a'''", "'a"),
        ("'a\\nb'", "a\nb"),
        ("r'a\\nb'", "a\\nb"),
        ("Rb'a\\nb'", b"a\\nb"),
        ("b'\\xff'", b"\xff"),
        ("U'é'", "é"),
        ("'''a\r\nb\rc'''", "a\nb\nc"),
        ("'''\\\r\na'''", "a"),
    ],
)
def test_strings(raw: str, value: str | bytes) -> None:
    assert string_value(raw) == value


@pytest.mark.parametrize(
    ("text", "start", "value"),
    [
        ("a{{b}}", "f'", "a{b}"),
        ("\\n", "f'", "\n"),
        ("\\n", "fr'", "\\n"),
        ('"\\n\'"', 'f"""', '"\n\'"'),
        ("\\\"\\\\'\\''", "f'", "\"\\'''"),
        ("\"'\\t", 'F"""', "\"'\t"),
        ("a\r\nb", "f'''", "a\nb"),
        ("\\N{EM DASH}", 'f"', "—"),
    ],
)
def test_text_in_formats(text: str, start: str, value: str) -> None:
    assert format_text_value(text, start) == value


@pytest.mark.parametrize("raw", ["'\\x'", "'\\N{nothing}'", "b'é'"])
def test_wrong_escapes(raw: str) -> None:
    with pytest.raises(SyntaxError):
        string_value(raw)


@pytest.mark.parametrize(("raw", "value"), [("1_000", 1000), ("0XfF", 255), ("1e3", 1000.0), ("3J", 3j), (".5", 0.5)])
def test_numbers(raw: str, value: complex) -> None:
    assert number_value(raw) == value
    assert type(number_value(raw)) is type(value)
