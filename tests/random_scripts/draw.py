"""Chance, and the text of numbers: what every part of the generator draws from."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """Chance by a seed. The same seed gives the same script in every process."""

    def __init__(self, seed: int, number: int) -> None:
        self._random = random.Random(f"{seed}/{number}")

    def chance(self, share: float) -> bool:
        return self._random.random() < share

    def pick(self, *choices: T) -> T:
        return self._random.choice(choices)

    def one(self, choices: Sequence[T]) -> T:
        return self._random.choice(choices)

    def weighted(self, *choices: tuple[float, T]) -> T:
        return self._random.choices([one for _, one in choices], [weight for weight, _ in choices])[0]

    def number(self, low: int, high: int) -> int:
        return self._random.randint(low, high)

    def some(self, choices: Sequence[T], low: int, high: int) -> list[T]:
        """Between `low` and `high` of the choices, in their order."""
        count = min(len(choices), self.number(low, high))
        kept = sorted(self._random.sample(range(len(choices)), count))
        return [choices[index] for index in kept]

    def shuffled(self, choices: Sequence[T]) -> list[T]:
        return self._random.sample(choices, len(choices))


@dataclass
class Scope:
    """Names that stand for numbers at one place of a script, for those who do not write `16` everywhere."""

    draw: Draw
    names: list[tuple[str, int]] = field(default_factory=list)

    def add(self, name: str, value: int) -> None:
        self.names.append((name, value))

    def text(self, value: int, share: float = 0.6) -> str:
        """The number as it is, as a name, or as a name with some arithmetic."""
        if not self.draw.chance(share):
            return str(value)
        found = [name for name, of in self.names if of == value]
        found += [f"{name} * 2" for name, of in self.names if of * 2 == value]
        found += [f"{name} // 2" for name, of in self.names if of == value * 2]
        return self.draw.one(found) if found else str(value)


def indented(lines: Sequence[str], by: int = 1) -> list[str]:
    return [f"{'    ' * by}{line}" if line else "" for line in lines]
