"""What the user chooses, and what it is where nobody chooses: options, variables, what files of settings hold."""

from __future__ import annotations

from operator import is_

from aoti_lint.lazily.dataclass import dataclass, field, replace
from aoti_lint.values.conditions import Cond
from aoti_lint.values.torch_values import DimValue, Tensor
from aoti_lint.values.values import NONE, Choice, Sym, Tup, Value


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
            case Tensor(shape=sizes) if sizes is not None and any(type(size) is Sym for size in sizes):
                shape = self._each(sizes)
                return value if shape is sizes else replace(value, shape=shape)
            case Tup(held):
                items = self._each(held)
                return value if items is held else replace(value, items=items)
            case DimValue(min=least, max=most):
                ends = self._each(held := (least, most))
                return value if ends is held else replace(value, min=ends[0], max=ends[1])
            case Choice(cond, then, other):
                arms = self._each(held := (then, other))
                return value if arms is held else Choice(cond, *arms)
            case _:
                return value

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

    def _each(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """All of them; the same tuple where each is what it was."""
        made = tuple(map(self.of, values))
        return values if all(map(is_, made, values)) else made
