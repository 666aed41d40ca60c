"""The store: what is read is what the uppermost layer that has it holds, however layers come and go."""

from __future__ import annotations

import random

import pytest

from aoti_lint.values.store import Cell, Layer, Stack, Store
from aoti_lint.values.values import Const, Value

CELLS: list[Cell] = [(owner, slot) for owner in (1, 2, "files") for slot in ("a", "b")]

STEPS = ("write", "write", "write", "push", "pop", "put back", "put below", "commit", "keep", "stack", "restore")


def _sought(store: Store, cell: Cell) -> Value | None:
    """What the layers hold, sought one by one."""
    return next((layer[cell] for layer in reversed(store.layers) if cell in layer), None)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_read_is_what_the_uppermost_layer_holds(seed: int) -> None:
    chance, store = random.Random(seed), Store()
    taken: list[Layer] = []
    before: list[Stack] = []
    for number in range(300):
        deep = len(store.layers) > (before[-1].depth if before else 1)
        match chance.choice(STEPS):
            case "write":
                store.write(*chance.choice(CELLS), Const(number))
            case "push":
                store.push()
            case "pop" if deep and len(store.layers) > 2:
                taken.append(store.pop())
            case "put back" if taken:
                store.put_back(taken.pop())
            case "commit" if taken:
                store.commit(taken.pop())
            case "keep":
                owner, slot = chance.choice(CELLS)
                store.keep(owner, {slot: Const(number)})
            case "put below" if deep and len(store.layers) > 2:
                store.put_below({chance.choice(CELLS): Const(number)})
            case "stack":
                before.append(store.stack())
                if chance.random() < 0.3:
                    bound = Layer()
                    bound[chance.choice(CELLS)] = Const(number)
                    store.stand_on(bound)
                store.push()
            case "restore" if before:
                store.restore(before.pop())
            case _:
                continue
        assert [store.read(*cell) for cell in CELLS] == [_sought(store, cell) for cell in CELLS]


def test_what_something_else_wrote_is_seen() -> None:
    """What lasts, what lies below, and what is not there; not what was written since."""
    store = Store()
    store.keep(1, {"a": Const(1)})
    store.push()
    store.put_below({(2, "a"): Const(2)})
    store.write(3, "a", Const(3))
    with store.alone(inside=0) as seen:
        assert [store.read(owner, "a") for owner in (1, 2, 3, 4)] == [Const(1), Const(2), Const(3), None]
        assert store.peek(5, "a") is None
    assert seen == {1, 2, 4}


def test_what_was_asleep_is_found() -> None:
    """An owner of which nothing is known may have to be woken."""

    def wake(owner: object) -> bool:
        asked.append(owner)
        store.keep(owner, {"a": Const(1)})
        return owner == 1

    asked: list[object] = []
    store = Store(wake)
    store.push()
    assert store.read(1, "a") == Const(1)
    assert store.read(1, "a") == Const(1)
    assert asked == [1]
    assert list(store.slots(1)) == [("a", Const(1))]


def test_a_cell_that_a_layer_wrote_twice_is_known() -> None:
    store = Store()
    store.push()
    for number in range(2):
        store.write(1, "a", Const(number))
    store.write(1, "b", Const(2))
    assert store.pop().again == {(1, "a")}
    assert store.read(1, "a") is None
