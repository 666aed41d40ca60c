"""What the user chooses, and what it is where nobody chooses: options, variables, what files of settings hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aoti_lint.lazily.dataclass import dataclass, field, replace
from aoti_lint.values.conditions import Cond
from aoti_lint.values.values import NONE, Choice, DimValue, Sym, Tensor, Tup, Value

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(slots=True, eq=False)
class Defaults:
    """Looks at values while a piece of code runs: `met` are those that the user chooses, by the words for them.

    If they are `taken`, each is its default there.
    """

    taken: bool
    met: dict[str, None] = field(default_factory=dict)

    def of(self, value: Value) -> Value:
        """A value as it is where this looks on."""
        match value:
            case Sym():
                return self._chosen(value)
            case Tensor(shape=shape) if shape is not None and any(type(size) is Sym for size in shape):
                made: Value = replace(value, shape=self._each(shape))
            case Tup(items):
                made = replace(value, items=self._each(items))
            case DimValue(min=least, max=most):
                made = replace(value, min=self.of(least), max=self.of(most))
            case Choice(cond, then, other):
                made = Choice(cond, self.of(then), self.of(other))
            case _:
                return value
        return made if self.taken else value

    def assumed(self) -> dict[Cond, bool]:
        """What has to hold for what was found."""
        return {Cond(("kept", words), "default", f"{words} keeps its value"): True for words in self.met}

    def _chosen(self, value: Sym) -> Value:
        usual = value.default
        # Who calls a function whose parameter is None by default gives something where it matters.
        if usual is None or value.key.startswith("machine:") or (value.function and usual == NONE):
            return value
        self.met.setdefault(value.origin)
        return self.of(usual) if self.taken else value

    def _each(self, values: Iterable[Value]) -> tuple[Value, ...]:
        return tuple(map(self.of, values))
