from __future__ import annotations

import pytest

from aoti_lint.text.lines import LineIndex

TEXTS = ["", "a", "a\n", "ab\ncd", "a\r\nb\rc\n\nd", "é日\n𝒳y\r\n\u2028z\x0c\x85", "\n", "\r\n\r\n", "a𝒳b𝒳"]


@pytest.mark.parametrize("text", TEXTS)
def test_there_and_back(text: str) -> None:
    lines = LineIndex(text)
    for index in range(len(text) + 1):
        offset = len(text[:index].encode())
        assert lines.byte_to_char(offset) == index
        assert lines.char_to_byte(index) == offset
        row, column = lines.position(offset)
        in_newline = text[index - 1 : index + 1] == "\r\n"
        before = text[:index].replace("\r\n", "\n").replace("\r", "\n")
        if not in_newline:
            assert row == before.count("\n") + 1
            assert lines.line_text(row)[: column - 1] == before.rpartition("\n")[2]
            assert lines.offset(row, column) == offset


def test_rows() -> None:
    assert LineIndex("a\r\nb\rc\n").rows == 4
    assert [LineIndex("a\r\nb\rc\n").line_text(row) for row in (1, 2, 3, 4)] == ["a", "b", "c", ""]
    assert LineIndex("a\x0cb\u2028c").rows == 1


def test_columns_are_characters() -> None:
    lines = LineIndex("x = '𝒳' + é")
    offset = len("x = '𝒳' + ".encode())
    assert lines.position(offset) == (1, 11)


@pytest.mark.parametrize("text", ["é\nb", "e\nb"])
def test_places_outside(text: str) -> None:
    lines = LineIndex(text)
    end = len(text.encode())
    assert lines.position(-5) == (1, 1)
    assert lines.position(1000) == (2, 2)
    assert lines.offset(0, 0) == 0
    assert lines.offset(1, 99) == end - 2
    assert lines.offset(99, 99) == end


def test_offset_inside_a_character() -> None:
    lines = LineIndex("日b")
    assert [lines.byte_to_char(offset) for offset in range(5)] == [0, 0, 0, 1, 2]
