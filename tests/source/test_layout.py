"""What is taken for the same statements with other comments and blank lines between them."""

from __future__ import annotations

import random
from textwrap import dedent

import pytest

from aoti_lint.files.cache import content_hash
from aoti_lint.source.remembered.layout import Moved, bare, moved

SCRIPT = dedent("""\
    import torch

    # The model.
    class Net(torch.nn.Module):
        def forward(self, x):
            text = '''one
    # two

    three'''
            return call(
                x,

                # no gradient
                None,
            )

    @torch.no_grad()

    def run(model):
        if model:
            return 1

        elif not (
            model
        ):
            pass
        total = 1 + \\
            2

        match model:

            case 1:
                pass

    run(Net())
    """)


def look(before: str, after: str) -> Moved | None:
    data = before.encode()
    return moved(content_hash(data), bare(data), after.encode())


def between(begin: str, *lines: str, script: str = SCRIPT) -> str:
    """The script with lines put in before the one that begins so, which there is once."""
    rows = script.split("\n")
    (at,) = [number for number, row in enumerate(rows) if row.startswith(begin)]
    return "\n".join([*rows[:at], *lines, *rows[at:]])


@pytest.mark.parametrize(
    "begin",
    ["import", "class", "    def", "        text", "        return call", "@torch", "    elif", "    total", "run("],
)
@pytest.mark.parametrize("lines", [["# edited"], [""], ["", "# The batch varies.", "#", "  "]])
def test_rows_follow(begin: str, lines: list[str]) -> None:
    now = between(begin, *lines)
    found = look(SCRIPT, now)
    assert found is not None
    rows = now.split("\n")
    for row, line in enumerate(SCRIPT.split("\n"), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            at = found.row(row)
            assert at is not None
            assert rows[at - 1] == line
    back = look(now, SCRIPT)
    assert back is not None
    assert look(SCRIPT, SCRIPT) is not None


@pytest.mark.parametrize("begun", ["# edited", ""])
def test_what_stands_in_a_string_is_part_of_it(begun: str) -> None:
    assert look(SCRIPT, between("three", begun)) is None


@pytest.mark.parametrize(
    ("begin", "torn"),
    [
        ("            x,", ["            x,", "        return call", "            None"]),
        ("            None", ["            x,", "        )"]),
        ("def run", ["@torch", "def run", "    if model"]),
        ("        model", ["    elif", "        model", "        pass"]),
        ("        case", ["    match", "        case", "            pass"]),
    ],
)
@pytest.mark.parametrize("begun", ["# edited", ""])
def test_a_statement_that_has_one_in_it_is_another_text(begin: str, torn: list[str], begun: str) -> None:
    found = look(SCRIPT, between(begin, begun))
    assert found is not None
    rows = SCRIPT.split("\n")
    gone = [row for row in range(1, len(rows)) if found.row(row) is None and rows[row - 1].strip(" #")]
    there = {rows[row - 1] for row in gone}
    assert all(any(line.startswith(one) for line in there) for one in torn)
    assert found.row(rows.index("import torch") + 1) == 1
    assert found.row(rows.index("run(Net())") + 1) == rows.index("run(Net())") + 2


def test_so_is_what_a_backslash_goes_on_with() -> None:
    assert look(SCRIPT, between("        2", "")) is None


@pytest.mark.parametrize("comment", ["# aoti-lint: ignore[AOTI301]", "# noqa: AOTI301", "    # noqa: AOTI3"])
def test_a_comment_that_suppresses_is_code(comment: str) -> None:
    assert look(SCRIPT, between("run(", comment)) is None
    assert look(between("run(", comment), SCRIPT) is None


@pytest.mark.parametrize("changed", ["import torch\nx = 2\n", "import torch\n", "x = 1\nimport torch\n", ""])
def test_other_code_is_another_file(changed: str) -> None:
    assert look("import torch\nx = 1\n", changed) is None


@pytest.mark.parametrize("before", ["\f\nx = 1\n", "x = 1\r\n", "# coding: latin-1\nx = 1\n"])
def test_files_of_other_kinds_are_left_alone(before: str) -> None:
    assert look(before, before + "# edited\n") is None
    assert look(before, before.replace("x = 1", "# edited\nx = 1")) is None


def test_nothing_is_whole_that_something_has_changed_in_or_beside() -> None:
    found = look("a = 1\nb = 2\nc = 3\nd = 4\n", "a = 1\nb = 2\n# edited\nc = 3\nd = 4\n")
    assert found is not None
    assert [found.whole(row, row) for row in (1, 2, 3, 4)] == [True, False, False, True]
    assert not found.whole(1, 4)


def test_a_layout_that_is_not_that_of_the_file_is_of_no_use() -> None:
    data = b"import torch\n\nx = 1\n"
    for lines in ([], [(2, "# other"), (4, "")], [(1, ""), (4, "")]):
        assert moved(content_hash(data), lines, data) is None


@pytest.mark.parametrize("seed", range(20))
def test_python_sees_the_same_statements(seed: int) -> None:
    import ast

    pick, lines = random.Random(seed), SCRIPT.split("\n")
    for _ in range(3):
        lines.insert(pick.randrange(len(lines)), pick.choice(["", "# edited", "    # edited"]))
    text = "\n".join(lines)
    if look(SCRIPT, text) is not None:
        assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(SCRIPT))


@pytest.mark.parametrize("line", ["x = (\n", "x = '\0'\n", "if x:\n"])
def test_what_is_no_python_is_left_alone(line: str) -> None:
    assert look(line, f"# edited\n{line}") is None
