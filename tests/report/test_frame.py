"""Code frames, drawn exactly."""

from __future__ import annotations

import textwrap

from aoti_lint.report.frame import Mark, frame, gutter_width


def drawn(source: str, *marks: Mark, width: int = 80) -> str:
    rows = textwrap.dedent(source).strip("\n").split("\n")
    lines = frame(list(marks), lambda row: rows[row - 1], gutter_width(marks), width)
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def expected(text: str) -> str:
    return textwrap.dedent(text).strip("\n")


def test_one_mark() -> None:
    source = """
    import torch
    model = load("m.pt2")
    """
    assert drawn(source, Mark(2, 9, 2, 22, "loaded here", "error")) == expected(
        """
        2 | model = load("m.pt2")
          |         ^^^^^^^^^^^^^ loaded here
        """
    )


def test_both_ends_in_one_file_and_what_lies_between() -> None:
    source = "\n".join(f"line_{row}()" for row in range(1, 13))
    marks = [Mark(12, 1, 12, 10, "loaded here", "error"), Mark(2, 1, 2, 7, "compiled here", "related"),
             Mark(4, 1, 4, 7, "moved here", "related")]  # fmt: skip
    assert drawn(source, *marks) == expected(
        """
         2 | line_2()
           | ------ compiled here
         3 | line_3()
         4 | line_4()
           | ------ moved here
        ...
        12 | line_12()
           | ^^^^^^^^^ loaded here
        """
    )


def test_two_marks_on_one_row() -> None:
    marks = [Mark(1, 1, 1, 17, "loaded here", "error"), Mark(1, 6, 1, 16, "compiled here", "related")]
    assert drawn("load(compile(m))", *marks) == expected(
        """
        1 | load(compile(m))
          | ^^^^^^^^^^^^^^^^ loaded here
          |      ---------- compiled here
        """
    )


def test_an_empty_span_still_shows() -> None:
    assert drawn("x", Mark(1, 2, 1, 2, "expected more", "error")) == expected(
        """
        1 | x
          |  ^ expected more
        """
    )


def test_a_mark_over_several_rows() -> None:
    source = """
    y = call(
        1,
    )
    """
    assert drawn(source, Mark(1, 5, 3, 2, "here", "error")) == expected(
        """
        1 |   y = call(
          |  _____^
        2 | |     1,
        3 | | )
          | |_^ here
        """
    )


def test_a_mark_from_the_margin_over_many_rows_is_shortened() -> None:
    source = "call(\n" + "    1,\n" * 6 + ")"
    assert drawn(source, Mark(1, 1, 8, 2, "here", "error")) == expected(
        """
        1 | / call(
        2 | |     1,
        ...
        8 | | )
          | |_^ here
        """
    )


def test_nested_marks_over_several_rows_keep_their_bars_apart() -> None:
    source = """
    with outer():
        y = call(
            1)
    """
    marks = [Mark(1, 1, 3, 11, "outer", "related"), Mark(2, 9, 3, 11, "inner", "error")]
    assert drawn(source, *marks) == expected(
        """
        1 | /   with outer():
        2 | |       y = call(
          | |  _________^
        3 | | |         1)
          | | |__________^ inner
          | |____________- outer
        """
    )


def test_a_span_that_ends_behind_a_newline_ends_on_the_row_before() -> None:
    assert drawn("call()\nnext()", Mark(1, 1, 2, 1, "here", "error")) == expected(
        """
        1 | call()
          | ^^^^^^ here
        """
    )


def test_long_lines_are_cut_around_the_mark() -> None:
    source = "x = [" + ", ".join(f"item_{n}" for n in range(60)) + "]"
    column = source.index("item_40") + 1
    shown, marked = drawn(source, Mark(1, column, 1, column + 7, "here", "error"), width=260).splitlines()
    assert shown.startswith("1 | ...33, item_34, item_35, item_36, ")
    assert shown.endswith(", item_59]")
    assert marked == "  | " + " " * shown[4:].index("item_40") + "^^^^^^^ here"
    _, marked, label = drawn(source, Mark(1, 1, 1, len(source) + 1, "all of it", "error"), width=244).splitlines()
    assert (marked, label) == ("  | " + "^" * 240, "  | all of it")


def test_a_line_of_two_rows_is_not_cut() -> None:
    source = "x = [" + ", ".join(f"item_{n}" for n in range(20)) + "]"
    shown = drawn(source, Mark(1, 1, 1, 2, "here", "error"), width=120)
    assert "item_19]" in shown
    assert "..." not in shown


def test_what_is_too_long_for_the_page_goes_on_below() -> None:
    source = """
    if x:
        path = torch._inductor.aoti_compile_and_package(program, package_path='m.pt2')
    """
    assert drawn(source, Mark(2, 12, 2, 83, "compiled for cuda here", "error"), width=60) == expected(
        """
        2 |     path = torch._inductor.aoti_compile_and_package(
          |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          |         program, package_path='m.pt2')
          |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
          |         compiled for cuda here
        """
    )
    assert drawn("y = model(x)", Mark(1, 5, 1, 13, "called with five rows here", "error"), width=40) == expected(
        """
        1 | y = model(x)
          |     ^^^^^^^^
          |     called with five rows here
        """
    )


def test_a_mark_over_several_rows_that_are_too_long() -> None:
    source = """
    made = call(first_argument,
        second_argument_with_a_long_name=1)
    """
    assert drawn(source, Mark(1, 8, 2, 40, "a label that is rather long", "error"), width=36) == expected(
        """
        1 |   made = call(first_argument,
          |  ________^
        2 | |     second_argument_with_a_long_name=1)
          | |_______________________________________^
          |     a label that is rather long
        """
    )


def test_tabs_and_wide_characters_keep_marks_in_place() -> None:
    assert drawn("if x:\n\tz = 日本(x)", Mark(2, 6, 2, 11, "here", "error")) == expected(
        """
        2 |     z = 日本(x)
          |         ^^^^^^^ here
        """
    )
