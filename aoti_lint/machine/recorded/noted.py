"""What was asked while something was made that several units use: whoever uses it depends on that, too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine.recorded.questions import Question
from aoti_lint.machine.recorded.unit import Asked
from aoti_lint.values.code import LOOKED
from aoti_lint.values.meter import METER


@dataclass(slots=True, eq=False)
class Noted:
    """What was asked so far; of a unit that runs, or of something that is made for several."""

    asked: dict[Question, object] = field(default_factory=dict)
    topics: set[Asked] = field(default_factory=set)
    """What of others it asked for."""
    looked: set[tuple[str, int]] = field(default_factory=set)
    """The definitions that were looked at: the file of each, and the byte it begins at."""
    within: set[Noted] = field(default_factory=set)
    """What was noted of all else that it uses."""
    cost: int = 0
    """What it took to make."""

    def add(self, other: Noted) -> bool:
        """It uses what `other` was noted of; False where that is known."""
        if other in self.within:
            return False
        self.within |= {other, *other.within}
        for question, answer in other.asked.items():
            self.asked.setdefault(question, answer)
        self.topics |= other.topics
        self.looked |= other.looked
        return True


class Notes:
    """All that is noted of one unit, and of what is made in it for others, too."""

    def __init__(self) -> None:
        self.unit = Noted()
        self._making: list[Noted] = []

    def __iter__(self) -> Iterator[Noted]:
        """Where it is noted what is asked now."""
        yield self.unit
        yield from self._making

    @contextmanager
    def making(self) -> Iterator[Noted]:
        """Something is made in here that others will use, too: gives what is noted of it."""
        one, before = Noted(), METER.spent
        self._making.append(one)
        try:
            with LOOKED.apart() as one.looked:
                yield one
        finally:
            self._making.pop()
            one.cost = METER.spent - before
            LOOKED.at |= one.looked
            for around in self:
                around.within |= {one, *one.within}

    def use(self, made: Noted) -> None:
        """Use something that was made before, at the cost of making it."""
        if [one.add(made) for one in self][-1]:
            METER.spend(made.cost)
