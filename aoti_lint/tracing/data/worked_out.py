"""What is worked out of a number that torch does not know: whether a comparison has one answer for all such numbers.

The arithmetic stands in the key of the value. It is done with numbers that may well be there: if the answers differ,
torch cannot know the answer, whatever it knows of ranges and divisors.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, TypeAlias

from aoti_lint.lazily.regex import regex
from aoti_lint.values.identity import ident
from aoti_lint.values.sizes.reckoning import MAX_NUMBER
from aoti_lint.values.values import Unknown, Value

_ATOM = r"(?:@\d+@|-?\d+(?:\.\d+)?)"
_BINARY = regex(rf"<(?:float:)?\(({_ATOM})(\*\*|//|<<|>>|[-+*/%&|^])({_ATOM})\)>")
_UNARY = regex(rf"<(?:float:)?\(([-+])({_ATOM})\)>")
_CALL = regex(rf"<(abs|max|min|pow|round|sum)\(({_ATOM}(?:,{_ATOM})*)\)>")
_ROUNDED = regex(rf"<({_ATOM})math\.(ceil|floor|trunc)>")
_MOST_SHIFTED = 64
_MOST_STEPS = 16
_CONSTANTS = 6
"""Numbers in a comparison that are put together to find those at which its answer changes."""
_NEAR = range(-20, 41)
SURE_SIZES = 2
"""Up to which torch holds each size possible that the values of a tensor decide, however few elements that has."""

Step: TypeAlias = Callable[[int], Any]
"""What a part comes to, for one number."""


def _shifted(apply: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """An operator that makes large numbers of small ones."""

    def small(a: Any, b: Any) -> Any:
        if abs(b) > _MOST_SHIFTED:
            raise ValueError("too large to follow")
        return apply(a, b)

    return small


_OPERATORS: dict[str, Callable[..., Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "**": _shifted(operator.pow), "<<": _shifted(operator.lshift), ">>": _shifted(operator.rshift),
}  # fmt: skip
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": abs, "max": max, "min": min, "round": round, "sum": lambda *given: sum(given),
    "pow": _OPERATORS["**"], "ceil": math.ceil, "floor": math.floor, "trunc": math.trunc,
}  # fmt: skip
OF_MANY = frozenset({"max", "min", "sum"})
"""Functions of Python that take the numbers in a sequence."""
FOLLOWED = frozenset({"abs", "pow", "round", *OF_MANY})
"""Functions of Python whose results may have no key that says what they are of."""
_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def differs(
    op: str, values: Sequence[Value], unknown: Iterable[str], made: Mapping[str, str], most: int | None = None
) -> bool:
    """Whether `op` on two values has different answers for different numbers, of which the keys are `unknown`.

    It is so where one of these numbers is in it. `made` says by its key what a value is made of. Where `most` is given,
    the number is a size from 0 to that.
    """
    texts = [_spelt_out(ident(value), made) for value in values]
    inside = [key for key in unknown if any(f"<{key}>" in text for text in texts)]
    if op not in _COMPARED or len(inside) != 1:
        return False
    parts = [_step(text, inside[0]) for text in texts]
    if len(parts) != 2 or None in parts:
        return False
    answers = set()
    for number in _worth_trying(texts, inside[0], most):
        try:
            answers.add(bool(_COMPARED[op](*(part(number) for part in parts if part is not None))))
        except (ArithmeticError, TypeError, ValueError):
            continue  # there torch would raise as Python does
        if len(answers) > 1:
            return True
    return False


def is_made(value: Unknown, made: Mapping[str, str]) -> bool:
    """Whether a value may be arithmetic on a number."""
    return "<" in value.key or value.key in made


def _spelt_out(text: str, made: Mapping[str, str]) -> str:
    """With the calls in place of the values that they gave."""
    for _ in range(_MOST_STEPS):
        key = next((key for key in made if f"<{key}>" in text), None)
        if key is None:
            return text
        text = text.replace(f"<{key}>", f"<{made[key]}>")
    return text


def _step(text: str, unknown: str) -> Step | None:
    """What a text stands for; None where it is more than arithmetic."""
    steps: list[Step] = [lambda number: number]
    text = text.replace(f"<{unknown}>", "@0@")

    def value(atom: str) -> Step:
        if atom.startswith("@"):
            return steps[int(atom.strip("@"))]
        known = float(atom) if "." in atom else int(atom)
        return lambda _: known

    for _ in range(_MOST_STEPS):
        if binary := _BINARY.search(text):
            found, apply, atoms = binary, _OPERATORS[binary[2]], [binary[1], binary[3]]
        elif unary := _UNARY.search(text):
            found, apply, atoms = unary, operator.neg if unary[1] == "-" else operator.pos, [unary[2]]
        elif call := _CALL.search(text):
            found, apply, atoms = call, _FUNCTIONS[call[1]], call[2].split(",")
        elif rounded := _ROUNDED.search(text):
            found, apply, atoms = rounded, _FUNCTIONS[rounded[2]], [rounded[1]]
        else:
            break
        steps.append(_applied(apply, [value(atom) for atom in atoms]))
        text = f"{text[: found.start()]}@{len(steps) - 1}@{text[found.end() :]}"
    return value(text) if _ONE.fullmatch(text) else None


_ONE = regex(_ATOM)


def _applied(apply: Callable[..., Any], given: Sequence[Step]) -> Step:
    def step(number: int) -> Any:
        made = apply(*(one(number) for one in given))
        if abs(made) > MAX_NUMBER:
            raise ValueError("too large to follow")
        return made

    return step


_NUMBER = regex(r"(?<![\w.@:])\d+(?:\.\d+)?(?![\w.@])")


def _worth_trying(texts: Sequence[str], unknown: str, most: int | None) -> list[int]:
    """Numbers around 0, and around those in the comparison, their products and sums."""
    written = [math.floor(float(one)) for text in texts for one in _NUMBER.findall(text.replace(f"<{unknown}>", "@0@"))]
    known = sorted({one for one in written if one <= MAX_NUMBER})[:_CONSTANTS]
    reached = {*known, *(a * b for a, b in product(known, known)), *(a + b for a, b in product(known, known))}
    around = {sign * one + step for one in reached for sign in (1, -1) for step in (-1, 0, 1)}
    tried = sorted({*_NEAR, *around}, key=abs)
    return [one for one in tried if most is None or 0 <= one <= most]
