"""A few random scripts, run in torch and read by the linter; `python -m tests.random_scripts` takes thousands."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import pytest

from tests.random_scripts.judge import Judge, Verdict
from tests.random_scripts.minimise import smaller
from tests.random_scripts.outcomes import Outcomes
from tests.random_scripts.scripts import script
from tests.random_scripts.torch_side import Ended

SEED, COUNT = 0, 30


@pytest.fixture(scope="module")
def verdicts() -> list[Verdict]:
    if importlib.util.find_spec("torch") is None:
        pytest.skip("needs torch")
    with Judge() as judge:
        return list(judge.all((number, script(SEED, number, packages=10**9)) for number in range(COUNT)))


def test_nothing_that_works_is_said_to_fail(verdicts: list[Verdict]) -> None:
    assert not [f"{one.number}: {said}" for one in verdicts for said in one.false]


def test_scripts_of_both_kinds_are_judged(verdicts: list[Verdict]) -> None:
    """Most work, some do not, and something is said of most of those."""
    failed = [one for one in verdicts if not one.ended.works]
    assert len(failed) >= 3
    assert len(verdicts) - len(failed) >= 15
    assert sum(bool(one.said) for one in failed) >= len(failed) / 2
    assert not [one for one in failed if one.ended.error.startswith(("Died", "SyntaxError", "NameError"))]


def test_outcomes_are_read_as_they_were_kept(tmp_path: Path) -> None:
    ended = Ended("ValueError", "no", (3, 1), 0.5)
    Outcomes(tmp_path / "kept").keep("a = 1", ended)
    assert Outcomes(tmp_path / "kept").of("a = 1") == ended
    assert Outcomes(tmp_path / "kept").of("a = 2") is None


def test_scripts_are_python_and_the_same_each_time() -> None:
    texts = [script(SEED, number) for number in range(300)]
    assert texts == [script(SEED, number) for number in range(300)]
    assert len(set(texts)) == len(texts)
    for text in texts:
        ast.parse(text)


def test_smaller_scripts_lack_one_statement() -> None:
    assert sorted(smaller("if a:\n    b\nc\nd\n")) == ["c\nd", "if a:\n    b\nc", "if a:\n    b\nd"]
