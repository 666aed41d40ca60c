"""What is nested too deeply, in sources that Python reads and in those that only libcst may."""

from __future__ import annotations

import pytest

from aoti_lint.ir import nodes
from aoti_lint.ir.from_libcst.depth import is_too_deep
from aoti_lint.ir.lower import Bodies, lower
from aoti_lint.ir.stack import MAX_DEPTH
from aoti_lint.text.problem import SourceProblem

# Syntax of 3.15.
NEWER = "lazy import a\n"


def refused(text: str) -> bool:
    """Whether a source is told to be nested too deeply."""
    try:
        lower(text, "a.py")
    except SourceProblem as problem:
        return "too deeply" in problem.message
    return False


def chain(count: int) -> str:
    # A sum of n names is n - 1 operations over a name; the whole is a list.
    return "x = [" + " + ".join(["a"] * (count - 1)) + "]"


@pytest.mark.parametrize("more", [0, 1])
def test_the_limit(more: int) -> None:
    assert refused(chain(MAX_DEPTH + more)) == bool(more)


@pytest.mark.parametrize("more", [0, 1])
def test_the_limit_in_a_body_that_is_lowered_later(more: int) -> None:
    text = f"def f():\n    {chain(MAX_DEPTH + more)}\n"
    problems: list[SourceProblem] = []
    (function,) = lower(text, "a.py", Bodies(text, "a.py", problem=problems.append)).body
    assert isinstance(function, nodes.FunctionDef)
    assert isinstance(function.code, nodes.Later)
    assert isinstance(function.body[0], nodes.Return if more else nodes.Assign)
    assert [problem.message for problem in problems] == ["nested too deeply to be analysed"] * more


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 1000 + ")" * 1000,
        "x = (\n" + "\n".join(["    a +"] * 1000) + "\na)",
        "x = ')'\ny = (\n" + "\n".join(["    a +"] * 1000) + "\na)",
        "y = a + \\\n" + "a + \\\n" * 1000 + "a",
        "x = " + "-" * 3000 + "1 = 2",
        NEWER + "x = ')'\ny = (\n" + "\n".join(["    a +"] * 3000) + "\na)",
        NEWER + "y = a + \\\n" + "a + \\\n" * 3000 + "a",
    ],
)
def test_deep(text: str) -> None:
    assert refused(text)


@pytest.mark.parametrize(
    "text",
    [
        "x = '" + "(" * 1000 + "'\n" + "y = a + b\n" * 1000,
        "x = [" + "-1.5, " * 1000 + "]",
        "x = (\n" + "    'a'\n" * 1000 + ")",
        "def f(:\n" + "    a + b\n" * 1000,
        "x = 1\n" * 1000,
        "x = 'a\0' + [" + "-1, " * 600 + "]",
    ],
)
def test_not_deep(text: str) -> None:
    assert not refused(text)
    assert not is_too_deep(text)


def test_brackets_in_each_other_in_a_pattern() -> None:
    assert is_too_deep("match t:\n    case " + "[" * 20 + "1" + "]" * 20 + ":\n        pass\n")
    assert is_too_deep("match t:\n    case (\n" + "[\n" * 20 + "1" + "]" * 20 + "):\n        pass\n")
    # As a tokenizer has them: in texts, and one after the other.
    case = "    case \"(\" | '[\\'[':  # [[\n        x = [1, (\n            '((')]\n"
    assert not is_too_deep("match t:\n" + case * 30)
