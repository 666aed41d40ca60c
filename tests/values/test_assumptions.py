"""What follows from what is assumed, for questions that join others."""

from __future__ import annotations

import itertools
import random

import pytest

from aoti_lint.values.assumptions import closed, joined
from aoti_lint.values.conditions import Cond, consistent
from aoti_lint.values.values import FALSE, TRUE, Choice, Const, Value

A, B, C = (Cond((name,)) for name in "ABC")
MODES = [Cond(("eq", "mode", Const(text))) for text in ("cpu", "cuda")]


def _both(one: Cond, other: Cond) -> Cond:
    return Cond(("bool", one.key, other.key), joined=joined(Choice(one, Choice(other, TRUE, FALSE), FALSE)))


def _either(one: Cond, other: Cond) -> Cond:
    return Cond(("bool", "or", one.key, other.key), joined=joined(Choice(one, TRUE, Choice(other, TRUE, FALSE))))


def test_both_hold_where_both_are_asked_for() -> None:
    both = _both(A, B)
    assert closed({both: True}, {}) == {both: True, A: True, B: True}


def test_nothing_follows_from_one_of_two() -> None:
    both = _both(A, B)
    assert closed({both: False}, {}) == {both: False}


def test_the_other_follows_once_one_is_answered() -> None:
    both = _both(A, B)
    before = closed({both: False}, {})
    assert closed({**before, A: True}, before) == {both: False, A: True, B: False}


def test_what_follows_leads_on() -> None:
    inner, outer = _either(A, B), _both(_either(A, B), C)
    before = closed({outer: True}, {})
    assert before == {outer: True, inner: True, C: True}
    assert closed({**before, A: False}, before)[B] is True


def test_one_mode_rules_out_the_other() -> None:
    cpu, cuda = MODES
    either = _either(cuda, A)
    before = closed({either: True}, {})
    assert closed({**before, cpu: True}, before)[A] is True


@pytest.mark.parametrize("seed", range(200))
def test_step_by_step_is_all_at_once(seed: int) -> None:
    """What follows does not hang on the order in which it is assumed, and is true for each way that is left."""
    made = random.Random(seed)
    plain = [*(Cond((name,)) for name in "ABCD"), *MODES]

    def tree(depth: int, left: list[Cond]) -> Value:
        if not depth or not left:
            return made.choice([TRUE, FALSE])
        cond = made.choice(left)
        rest = [one for one in left if one != cond]
        then, other = tree(depth - 1, rest), tree(depth - 1, rest)
        return then if then == other else Choice(cond, then, other)

    questions = list(plain)
    for number in range(3):
        truth = tree(3, questions)
        if isinstance(truth, Choice):
            questions.append(Cond(("bool", number), joined=joined(truth)))
    assumed = consistent((cond, made.random() < 0.5) for cond in made.sample(questions, 4)) or {}
    whole = closed(assumed, {})
    path: dict[Cond, bool] = {}
    for cond, answer in assumed.items():
        path = closed({**path, cond: answer}, path)
    ways = [dict(zip(plain, way, strict=True)) for way in itertools.product([False, True], repeat=len(plain))]
    possible = [way for way in ways if _agrees(way, assumed)]
    if possible:
        assert path == whole
        assert possible == [way for way in ways if _agrees(way, whole)]


def _agrees(way: dict[Cond, bool], assumed: dict[Cond, bool]) -> bool:
    """Whether answers to all plain questions, one mode at most, give those that are assumed."""
    if all(way[mode] for mode in MODES):
        return False
    return all(_says(cond, way) == answer for cond, answer in assumed.items())


def _says(cond: Cond, way: dict[Cond, bool]) -> bool:
    if cond in way:
        return way[cond]
    truth: Value = cond.joined.truth  # type: ignore[attr-defined]
    while isinstance(truth, Choice):
        truth = truth.then if _says(truth.cond, way) else truth.other
    return truth == TRUE
