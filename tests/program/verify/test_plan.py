"""Which cases are planned, without torch."""

from __future__ import annotations

import pytest

from aoti_lint.program.errors import Unreadable
from aoti_lint.program.verify.plan import Limits, largest, other_scalar, plan, smallest
from aoti_lint.program.verify.render import leaves
from aoti_lint.program.verify.space import solve
from tests.program.verify.spaces import scalar, space, tensor

BATCH = space(tensor("x", "s0", 8), ranges={"s0": (1, 64)}, base={"s0": 4})


def sizes(planned: object, symbol: str = "s0") -> set[int]:
    """The values of a symbol in the cases that vary it inside the contract."""
    assert isinstance(planned, list)
    return {call.sizes[symbol] for case in planned if case.kind in ("size", "empty") for call in case.calls}


def test_the_ends_of_a_range_and_telling_sizes_are_tried() -> None:
    assert {1, 2, 3, 5, 7, 13, 64} <= sizes(plan(BATCH, Limits()))


def test_no_case_inside_the_contract_leaves_it() -> None:
    for case in plan(BATCH, Limits()):
        inside = all(BATCH.valid(call.sizes) for call in case.calls) and case.change is None
        assert inside == case.inside, case.name


def test_no_two_cases_are_the_same() -> None:
    made = [case.model_dump(exclude={"name", "kind"}) for case in plan(BATCH, Limits())]
    assert all(made.count(each) == 1 for each in made)


def test_empty_is_tried_where_it_is_allowed() -> None:
    allowed = space(tensor("x", "s0", 8), ranges={"s0": (0, 64)}, base={"s0": 4})
    assert [case.name for case in plan(allowed, Limits()) if case.kind == "empty"] == ["x.shape[0] = 0"]
    assert not [case for case in plan(BATCH, Limits()) if case.kind == "empty"]


def test_guards_decide_which_sizes_are_tried() -> None:
    guarded = space(
        tensor("x", "s0"), ranges={"s0": (2, 200)}, guards=("x.shape[0] % 24 == 0",), base={"s0": 48}
    )  # fmt: skip
    found = sizes(plan(guarded, Limits()))
    assert {24, 72, 192} <= found
    assert all(size % 24 == 0 for size in found)


def test_sizes_that_go_together_are_found() -> None:
    two = space(
        tensor("x", "s0"), tensor("y", "s1"), ranges={"s0": (1, 64), "s1": (1, 128)}, guards=("s1 == 2*s0",),
        base={"s0": 4, "s1": 8},
    )  # fmt: skip
    assert two.complete("s0", 4) == {"s0": 4, "s1": 8}
    assert two.complete("s1", 2) == {"s0": 1, "s1": 2}
    assert two.complete("s1", 3) is None


def test_derived_dims_follow() -> None:
    derived = space(tensor("x", "s0"), tensor("y", "2*s0 + 1"), ranges={"s0": (1, 8)}, base={"s0": 3})
    case = next(case for case in plan(derived, Limits()) if case.name == "x.shape[0] = 8")
    assert [leaf.shape for leaf in leaves(derived, case, case.calls[0])] == [(8,), (17,)]


def test_the_largest_size_is_bounded_by_memory() -> None:
    big = space(tensor("x", "s0", 1000), ranges={"s0": (1, None)}, base={"s0": 2})
    found = largest(big, "s0", 100_000)
    assert found is not None
    assert 30 < found["s0"] <= 100
    assert all(
        big.elements(call.sizes) <= 100_000 for case in plan(big, Limits(elements=100_000)) for call in case.calls
    )


def test_the_smallest_size_satisfies_the_guards() -> None:
    guarded = space(tensor("x", "s0"), ranges={"s0": (0, None)}, guards=("x.shape[0] % 7 == 0",), base={"s0": 14})
    assert smallest(guarded, "s0") == {"s0": 7}


def test_without_an_example_sizes_are_found() -> None:
    guarded = space(tensor("x", "s0", "s1"), ranges={"s0": (9, 64), "s1": (2, None)}, guards=("s0 % 5 == 0", "s1 != 5"))
    assert guarded.valid(guarded.base)
    with pytest.raises(Unreadable, match="satisfy all guards"):
        space(tensor("x", "s0"), ranges={"s0": (2, 64)}, guards=("s0 < 2",))


def test_each_scalar_gets_another_value() -> None:
    frozen = space(tensor("x", 3), scalar("k", 2), scalar("flag", True), scalar("mode", "a"), scalar("nothing", None))
    assert [case.name for case in plan(frozen, Limits()) if case.kind == "scalar"] == [
        "k=3 instead of 2",
        "flag=False instead of True",
        "mode='a_other' instead of 'a'",
    ]
    assert other_scalar(0.5) == 1.5


def test_indices_stay_below_what_they_index() -> None:
    ids = space(tensor("ids", "s0", dtype="int64", below=(50, "3*s0")), ranges={"s0": (1, 64)}, base={"s0": 4})
    highs = {call.sizes["s0"]: leaves(ids, case, call)[0].high for case in plan(ids, Limits()) for call in case.calls}
    assert highs[4] == 12
    assert highs[64] == 50


def test_every_step_beyond_the_contract_is_tried() -> None:
    two = space(tensor("x", "s0", 8), tensor("y", "s0"), ranges={"s0": (2, 64)}, base={"s0": 4})
    assert {case.name for case in plan(two, Limits(outside=99)) if case.kind == "outside"} == {
        "x: transposed in memory",
        "x: shape[1] is 9 instead of 8",
        "x: shape[1] is 7 instead of 8",
        "x: shape[0] is 1, the smallest is 2",
        "x: shape[0] is 65, the largest is 64",
        "x: shape[0] is 3 where the others go with 4",
        "x: float64 instead of float32",
        "y: every second element of a larger tensor",
        "y: shape[0] is 3 where the others go with 4",
        "y: float64 instead of float32",
    }
    assert len([case for case in plan(two, Limits(outside=3)) if case.kind == "outside"]) == 3


def test_a_case_is_the_same_for_the_same_seed() -> None:
    assert plan(BATCH, Limits(seed=3)) == plan(BATCH, Limits(seed=3))
    assert plan(BATCH, Limits(seed=3)) != plan(BATCH, Limits(seed=4))


def test_symbols_are_solved_from_the_example() -> None:
    inputs = (tensor("x", "s0", 8), tensor("y", "2*s1 + 1", "s0"))
    shapes = [(item.shape or (), sizes) for item, sizes in zip(inputs, ((4, 8), (7, 4)), strict=True)]
    assert solve(shapes) == {"s0": 4, "s1": 3}
