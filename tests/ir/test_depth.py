from __future__ import annotations

import pytest

from aoti_lint.ir.depth import MAX_DEPTH, is_too_deep


@pytest.mark.parametrize("more", [0, 1])
def test_the_limit(more: int) -> None:
    # A sum of n names is n - 1 operations over a name; the whole is a list.
    text = "x = [" + " + ".join(["a"] * (MAX_DEPTH - 1 + more)) + "]"
    assert is_too_deep(text) == bool(more)


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 1000 + ")" * 1000,
        "x = (\n" + "\n".join(["    a +"] * 1000) + "\na)",
        "x = ')'\ny = (\n" + "\n".join(["    a +"] * 1000) + "\na)",
        "y = a + \\\n" + "a + \\\n" * 1000 + "a",
        "x = " + "-" * 3000 + "1 = 2",
    ],
)
def test_deep(text: str) -> None:
    assert is_too_deep(text)


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
    assert not is_too_deep(text)


def test_brackets_in_each_other_in_a_pattern() -> None:
    assert is_too_deep("match t:\n    case " + "[" * 20 + "1" + "]" * 20 + ":\n        pass\n")
    assert is_too_deep("match t:\n    case (\n" + "[\n" * 20 + "1" + "]" * 20 + "):\n        pass\n")
    # As a tokenizer has them: in texts, and one after the other.
    case = "    case \"(\" | '[\\'[':  # [[\n        x = [1, (\n            '((')]\n"
    assert not is_too_deep("match t:\n" + case * 30)
