"""Everything that changes while code runs: variables, attributes, items, devices of modules, files written.

A stack of layers: a branch runs in a layer of its own, which is taken off afterwards and merged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from aoti_lint.values.meter import METER
from aoti_lint.values.values import Value

Cell = tuple[object, str]
"""An object's identity (or the name of a global table such as `files`) and a slot of it."""


class Layer(dict[Cell, Value]):
    """What one arm changed. `again` holds the cells that were written more than once, whose first value is lost.

    `since` is set in the first layer of a run of its own: no layer below holds what this run gave a later identity.
    `hidden` holds what could be seen of its cells before it, in the layers above the lowest.
    """

    def __init__(self) -> None:
        self.again: set[Cell] = set()
        self.since: int | None = None
        self.hidden: dict[Cell, Value | None] = {}


class Stack(NamedTuple):
    """Layers from a time on, and what those above the lowest hold together."""

    layers: list[Layer]
    depth: int
    held: dict[Cell, Value]
    given: frozenset[object]


class Store:
    def __init__(self, wake: Callable[[object], bool] = lambda owner: False) -> None:
        """`wake` is asked for an owner of which nothing is known: it may put cells of it where all find them."""
        self._wake = wake
        self.layers: list[Layer] = [Layer()]
        self._lasting = self.layers[0]
        self._held: dict[Cell, Value] = {}
        """What the layers above the lowest hold, the upper ones before the lower: nothing is sought layer by layer."""
        self._given: frozenset[object] = frozenset()
        """The owners of what lies in these layers that what runs has not written itself."""
        self.seen: set[object] = set()
        """The owners that what runs has asked for something that it did not write itself."""
        self._slots: list[dict[object, dict[str, None]]] = [{}, {}]
        """By owners, in the order in which they were written first: the slots of what lasts, and those of what runs."""

    def read(self, owner: object, slot: str) -> Value | None:
        cell = (owner, slot)
        found = self._held.get(cell)
        if found is not None:
            if owner in self._given:
                self.seen.add(owner)
            return found
        self.seen.add(owner)
        found = self._lasting.get(cell)
        return self._lasting.get(cell) if found is None and self._wake(owner) else found

    def peek(self, owner: object, slot: str) -> Value | None:
        """The same, which does not count as seen."""
        before, self.seen = self.seen, set()
        try:
            return self.read(owner, slot)
        finally:
            self.seen = before

    def write(self, owner: object, slot: str, value: Value) -> None:
        METER.spent += 1
        if METER.spent > METER.limit:
            METER.spend(0)
        slots = self._slots[-1]
        if owner in slots:
            slots[owner][slot] = None
        else:
            slots[owner] = {slot: None}
        cell, top = (owner, slot), self.layers[-1]
        if cell in top:
            top.again.add(cell)
        elif top is not self._lasting:
            top.hidden[cell] = self._held.get(cell)
        top[cell] = value
        if top is not self._lasting:
            self._held[cell] = value

    def put_below(self, cells: Mapping[Cell, Value]) -> None:
        """Put cells below what runs: it sees them where it asks for them, and has not written them."""
        METER.spend(len(cells))
        for owner, slot in cells:
            self._slots[-1].setdefault(owner, {})[slot] = None
        above, layer = self.pop(), Layer()
        layer.update(cells)
        self.put_back(layer)
        self.put_back(above)
        self._given |= {owner for owner, _ in cells}

    def slots(self, owner: object) -> Iterator[tuple[str, Value]]:
        """All slots of `owner` that have a value now, in the order they were first written."""
        self.seen.add(owner)
        self._wake(owner)
        found = [one[owner] for one in self._slots if owner in one]
        slots = list(found[0] if len(found) == 1 else dict.fromkeys(slot for one in found for slot in one))
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
        lasting, known = self._lasting, self._slots[0].setdefault(owner, {})
        for slot, value in slots.items():
            lasting[owner, slot] = value
            known[slot] = None

    def push(self, since: int | None = None) -> Layer:
        self.layers.append(layer := Layer())
        layer.since = since
        return layer

    def pop(self) -> Layer:
        """Take the top layer off; what it changed is returned and no longer seen."""
        layer, held = self.layers.pop(), self._held
        for cell, before in layer.hidden.items():
            if before is None:
                del held[cell]
            else:
                held[cell] = before
        layer.hidden.clear()
        return layer

    def put_back(self, layer: Layer) -> None:
        """Put a layer on top that was taken off."""
        self.layers.append(layer)
        layer.hidden = {cell: self._held.get(cell) for cell in layer}
        self._held.update(layer)

    def stack(self) -> Stack:
        """What there is now, for `restore`."""
        return Stack(self.layers, len(self.layers), self._held, self._given)

    def restore(self, before: Stack) -> None:
        """Take off all layers since."""
        self.layers, depth, self._held, self._given = before
        while len(self.layers) > depth:
            self.pop()

    def stand_on(self, layer: Layer) -> None:
        """Until `restore`, only what lasts lies below this layer, which what runs has not written."""
        self.layers, self._held = [self._lasting, layer], dict(layer)
        self._given = frozenset(owner for owner, _ in layer)

    def drop(self, layers: Iterable[dict[Cell, Value]], is_own: Callable[[object], bool]) -> None:
        """What only these layers know of, which nobody will see again, takes no more room."""
        own = [cell for layer in layers for cell in layer if is_own(cell[0])]
        for owner in {owner for owner, _ in own} - {cell[0] for cell in own if cell in self.layers[0]}:
            self._slots[-1].pop(owner, None)

    def commit(self, changes: dict[Cell, Value]) -> None:
        top, held = self.layers[-1], self._held
        if top is not self._lasting:
            for cell in changes:
                if cell not in top:
                    top.hidden[cell] = held.get(cell)
            held.update(changes)
        top.update(changes)
