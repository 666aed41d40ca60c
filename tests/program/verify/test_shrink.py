"""Failing cases become small, without torch."""

from __future__ import annotations

from aoti_lint.program.verify.cases import Call, Case
from aoti_lint.program.verify.shrink import shrink
from tests.program.verify.spaces import space, tensor

BATCH = space(tensor("x", "s0", 8), ranges={"s0": (1, 64)}, base={"s0": 4})


def case(*sizes: int, **other: object) -> Case:
    calls = tuple(Call(sizes={"s0": size}, seed=number) for number, size in enumerate(sizes))
    return Case.model_validate({"name": "it", "kind": "size", "calls": calls, **other})


def test_a_size_shrinks_to_the_first_that_fails() -> None:
    found = shrink(BATCH, case(64), lambda smaller: smaller.calls[0].sizes["s0"] >= 11)
    assert found.calls[0].sizes == {"s0": 11}


def test_what_always_fails_becomes_the_smallest_of_all() -> None:
    found = shrink(BATCH, case(64, 3, 4, values="nan", layout="offset"), lambda _: True)
    assert found.calls == (Call(sizes={"s0": 1}, seed=0),)
    assert (found.values, found.layout) == ("normal", "plain")


def test_what_it_needs_is_kept() -> None:
    found = shrink(
        BATCH, case(8, 8, 8, values="nan"), lambda smaller: len(smaller.calls) > 1 and smaller.values == "nan"
    )
    assert len(found.calls) == 2
    assert found.values == "nan"
    assert found.calls[0].sizes == {"s0": 1}


def test_guards_hold_for_what_is_tried() -> None:
    even = space(tensor("x", "s0"), ranges={"s0": (2, 64)}, guards=("x.shape[0] % 2 == 0",), base={"s0": 4})
    tried: list[int] = []

    def fails(smaller: Case) -> bool:
        tried.append(smaller.calls[0].sizes["s0"])
        return tried[-1] > 20

    shrink(even, case(64), fails)
    assert all(size % 2 == 0 for size in tried)


def test_the_budget_is_kept() -> None:
    runs: list[Case] = []

    def fails(smaller: Case) -> bool:
        runs.append(smaller)
        return False

    assert shrink(BATCH, case(64, 32, 16), fails, budget=3) == case(64, 32, 16)
    assert len(runs) == 3
