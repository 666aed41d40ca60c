"""Suppression comments by the ten thousands: each is looked at once, and a comment names so many rules at most."""

from __future__ import annotations

import pytest

from aoti_lint.catalogue.registry import load
from aoti_lint.findings.logical import LogicalLines, PlainLines
from aoti_lint.findings.suppress import MAX_WORDS, Suppressions
from aoti_lint.source.text import read_source
from tests.findings.test_suppress import found_at
from tests.hostile.child import within_bounds

MANY = 20_000


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("x = 1  # aoti-lint: ignore[" + ",".join(f"AOTI{n:05d}" for n in range(MANY)) + "]\n", MAX_WORDS),
        ("x = 1  # aoti-lint: ignore[" + ",".join(["AOTI101"] * MANY) + "]\n", MAX_WORDS),
        ("x = 1  # noqa: " + ", ".join(["AOTI101"] * MANY) + "\n", MAX_WORDS),
        ("x = 1  " + "# aoti-lint: ignore[AOTI101]" * MANY + "\n", MAX_WORDS),
        ("x = 1  " + "# aoti-lint: ignore" * MANY + "\n", MAX_WORDS),
        ("x = 1  # aoti-lint: ignore" + "[" * (10 * MANY) + "\n", 1),
        ("".join(f"x = {n}  # aoti-lint: ignore[AOTI{n:05d}]\n" for n in range(MANY)), MANY),
        ("x = (\n" + "1,  # aoti-lint: ignore[AOTI101]\n" * MANY + ")\n", MANY),
    ],
    ids=["codes", "one code", "noqa", "in one line", "without codes", "brackets", "unknown rules", "one statement"],
)
def test_many_comments(text: str, read: int) -> None:
    def work() -> int:
        source = read_source(text.encode(), "a.py")
        comments = Suppressions(source, LogicalLines(source.lines), load())
        found = found_at(text, text.partition(" ")[0])
        suppressed = [comments.hides(found.code, found.span.start) for _ in range(MANY)]
        unused = comments.unused(frozenset(["AOTI101"]))
        return len(unused) + len(comments.malformed) + any(suppressed) * read

    assert read <= int(within_bounds(work)) <= 2 * read + 1


def test_comments_below_each_other() -> None:
    text = "# aoti-lint: ignore[AOTI101]\n" * MANY + "python serve.py\n"

    def work() -> tuple[int, int]:
        source = read_source(text.encode(), "a.sh")
        comments = Suppressions(source, PlainLines(source.lines), load())
        start = found_at(text, "python").span.start
        return sum(comments.hides("AOTI101", start) for _ in range(MANY)), len(comments.unused(frozenset(["AOTI101"])))

    assert within_bounds(work) == f"({MANY}, 0)"


def test_what_is_left_out_is_said() -> None:
    source = read_source(b"x = 1  # noqa: " + b", ".join([b"AOTI101"] * (MAX_WORDS + 2)) + b"\n", "a.py")
    (problem,) = Suppressions(source, LogicalLines(source.lines), load()).malformed
    assert f"may name {MAX_WORDS} rules" in problem.message
