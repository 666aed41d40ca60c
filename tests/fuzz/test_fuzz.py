"""A few cases of every kind, and all that once failed; `python -m tests.fuzz` runs more."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.fuzz.case import FOUND, Case
from tests.fuzz.kinds import GROUPS
from tests.fuzz.watch import Subject

EXAMPLES = 10
"""Of each kind."""
MAKERS = {maker.__name__: maker for makers in GROUPS.values() for maker in makers}


@pytest.fixture(scope="module")
def warm() -> Iterator[Subject]:
    """A process that runs one case after another."""
    with Subject() as made:
        yield made


@pytest.fixture(scope="module")
def fresh() -> Iterator[Subject]:
    """Processes that run one case each, with another order of sets."""
    with Subject(forks=True, seed=1) as made:
        yield made


def holds(case: Case, warm: Subject, fresh: Subject) -> None:
    first, second = warm.run(case, twice=True), fresh.run(case)
    assert not first.faults, case.to_json()
    assert not second.faults, case.to_json()
    assert first.answers == second.answers, case.to_json()


@pytest.mark.parametrize("kind", MAKERS)
def test_cases_hold(kind: str, warm: Subject, fresh: Subject) -> None:
    @settings(
        max_examples=EXAMPLES, derandomize=True, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(st.randoms(use_true_random=False, note_method_calls=False))
    def each(numbers: Random) -> None:
        holds(MAKERS[kind](numbers), warm, fresh)

    each()


@pytest.mark.parametrize("name", sorted(path.name for path in FOUND.glob("*.json")))
def test_what_failed_once_holds(name: str, warm: Subject, fresh: Subject) -> None:
    holds(Case.from_json((FOUND / name).read_text(encoding="ascii")), warm, fresh)
