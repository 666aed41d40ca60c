"""Everything that changes while code runs: variables, attributes, items, devices of modules, files written.

A stack of layers: a branch runs in a layer of its own, which is taken off afterwards and merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

from aoti_lint.values.meter import METER
from aoti_lint.values.values import Value

Cell = tuple[object, str]
"""An object's identity (or the name of a global table such as `files`) and a slot of it."""


class Layer(dict[Cell, Value]):
    """What one arm changed. `again` holds the cells that were written more than once, whose first value is lost.

    `since` is set in the first layer of a run of its own: no layer below holds what this run gave a later identity.
    """

    def __init__(self) -> None:
        super().__init__()
        self.again: set[Cell] = set()
        self.since: int | None = None


class Store:
    def __init__(self, wake: Callable[[object], bool] = lambda owner: False) -> None:
        """`wake` is asked for an owner of which nothing is known: it may put cells of it where all find them."""
        self._wake = wake
        self.layers: list[dict[Cell, Value]] = [{}]
        self.seen: set[object] = set()
        """The owners that what runs has asked for something that it did not write itself."""
        self._slots: list[dict[object, dict[str, None]]] = [{}, {}]
        """By owners, in the order in which they were written first: the slots of what lasts, and those of what runs."""

    def read(self, owner: object, slot: str) -> Value | None:
        cell = (owner, slot)
        for layer in reversed(self.layers):
            found = layer.get(cell)
            if found is not None:
                if type(layer) is not Layer:
                    self.seen.add(owner)
                return found
        self.seen.add(owner)
        return self.layers[0].get(cell) if self._wake(owner) else None

    def peek(self, owner: object, slot: str) -> Value | None:
        """The same, which does not count as seen."""
        before, self.seen = self.seen, set()
        try:
            return self.read(owner, slot)
        finally:
            self.seen = before

    def write(self, owner: object, slot: str, value: Value) -> None:
        METER.spend()
        self._slots[-1].setdefault(owner, {})[slot] = None
        top = self.layers[-1]
        if (owner, slot) in top and isinstance(top, Layer):
            top.again.add((owner, slot))
        top[owner, slot] = value

    def put_below(self, cells: Mapping[Cell, Value]) -> None:
        """Put cells below what runs: it sees them where it asks for them, and has not written them."""
        METER.spend(len(cells))
        for owner, slot in cells:
            self._slots[-1].setdefault(owner, {})[slot] = None
        self.layers.insert(-1, {**cells})

    def slots(self, owner: object) -> Iterator[tuple[str, Value]]:
        """All slots of `owner` that have a value now, in the order they were first written."""
        self.seen.add(owner)
        self._wake(owner)
        slots = list(dict.fromkeys(slot for one in self._slots if owner in one for slot in one[owner]))
        METER.spend(len(slots))
        for slot in slots:
            value = self.read(owner, slot)
            if value is not None:
                yield slot, value

    @contextmanager
    def alone(self, *, inside: int) -> Iterator[set[object]]:
        """What runs finds slots in an order that only itself, what lasts and the `inside` outermost units decide.

        Gives the owners that it has `seen`.
        """
        before = self._slots, self.seen
        self._slots, self.seen = [*before[0][: 1 + inside], {}], set()
        try:
            yield self.seen
        finally:
            self._slots, self.seen = before

    def in_order(self, cells: Mapping[Cell, Value]) -> dict[Cell, Value]:
        """The cells, those of each owner in the order in which they were first written."""
        owners = dict.fromkeys(owner for owner, _ in cells)
        first = [(o, slot) for o in owners for one in self._slots[1:] if o in one for slot in one[o]]
        return {cell: cells[cell] for cell in dict.fromkeys([*first, *cells]) if cell in cells}

    def keep(self, owner: object, slots: Mapping[str, Value]) -> None:
        """Put what an owner holds where all that runs later finds it."""
        lasting, known = self.layers[0], self._slots[0].setdefault(owner, {})
        for slot, value in slots.items():
            lasting[owner, slot] = value
            known[slot] = None

    def push(self, since: int | None = None) -> None:
        self.layers.append(layer := Layer())
        layer.since = since

    def pop(self) -> dict[Cell, Value]:
        """Take the top layer off; what it changed is returned and no longer seen."""
        return self.layers.pop()

    def drop(self, layers: Iterable[dict[Cell, Value]], is_own: Callable[[object], bool]) -> None:
        """What only these layers know of, which nobody will see again, takes no more room."""
        own = [cell for layer in layers for cell in layer if is_own(cell[0])]
        for owner in {owner for owner, _ in own} - {cell[0] for cell in own if cell in self.layers[0]}:
            self._slots[-1].pop(owner, None)

    def commit(self, changes: dict[Cell, Value]) -> None:
        self.layers[-1].update(changes)
