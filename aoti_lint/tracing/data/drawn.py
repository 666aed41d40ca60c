"""What looks on for numbers that are drawn at random, or read of a clock, while the forward of a model runs."""

from __future__ import annotations

from collections.abc import Iterable

from aoti_lint.ir import nodes
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine.machine import Machine
from aoti_lint.tracing.data import asking
from aoti_lint.tracing.data.asserts import only_checks, part_of_the_program
from aoti_lint.tracing.trial_observer import Watch
from aoti_lint.values.call import Call
from aoti_lint.values.conditions import Cond
from aoti_lint.values.events.forwards import DataUse
from aoti_lint.values.judge import catches
from aoti_lint.values.values import Obj, SliceValue, Tup, Unknown, Value


@dataclass(slots=True)
class DrawnWatch(Watch):
    """`handlers` is how many handlers stood around the export."""

    handlers: int = 0
    uses: list[DataUse] = field(default_factory=list)
    drawn: dict[str, tuple[nodes.Node, str]] = field(default_factory=dict)
    """Where numbers were drawn at random or a clock was read, and the function that did it, by their keys."""
    seeded: tuple[nodes.Node, str, dict[Cond, bool]] | None = None
    """Where a seed was set, of which nothing was drawn yet: by what, and what was assumed there."""

    def _use(self, m: Machine, kind: str, node: nodes.Node | None, name: str = "", *, lenient: bool = False) -> None:
        at = node or m.frame.at
        caught = frozenset(t for guard in m.root.guards[self.handlers :] for t in guard.types)
        if at is not None and not catches(caught, "RuntimeError", "UserError"):
            asserted, checked = part_of_the_program(m.frame.at, at, name)
            path = tuple(m.root.path.items())
            checks = only_checks(m.frame.at)
            self.uses.append(DataUse(kind, name, m.span(at), asserted or lenient, path, checked, checks))

    def _draws(self, m: Machine, site: Call, name: str, made: Value) -> None:
        """A function was called, which may draw something, or set the seed."""
        if name in asking.DRAWING and isinstance(made, Unknown | Obj):
            self.drawn[_key(made)] = site.node, name
        elif name in asking.SHUFFLING:
            self._use(m, "drawn", site.node, name)
        elif name in asking.SEEDING:
            self.seeded = site.node, name, dict(m.root.path)
        elif name in asking.RANDOM and self.seeded is not None and "generator" not in site.kwargs:
            node, setting, path = self.seeded
            if path.items() <= m.root.path.items():
                self._use(m, "drawn", node, setting)
            self.seeded = None

    def _drawn_in(self, value: Value) -> tuple[nodes.Node, str] | None:
        """Where a number was drawn of which this one is made, or which it is, and by what."""
        if not self.drawn or not isinstance(value, Unknown | Obj):
            return None
        return next((found for key, found in self.drawn.items() if _key(value) == key or is_of(value, key)), None)

    def _uses_drawn(self, m: Machine, values: Iterable[Value]) -> None:
        """Something on tensors is worked out of these."""
        for seen in map(m.see, values) if self.drawn else ():
            if isinstance(seen, Tup):
                self._uses_drawn(m, seen.items)
            parts = (seen.lower, seen.upper) if isinstance(seen, SliceValue) else (seen,)
            for node, name in filter(None, map(self._drawn_in, parts)):
                self._use(m, "drawn", node, name)


def _key(made: Unknown | Obj) -> str:
    """What a number is known by, or an array of numbers."""
    return made.key if isinstance(made, Unknown) else f"{made.ident}"


def is_of(value: Value, key: str) -> bool:
    """Whether a number is the one with this key, an attribute of it, or is worked out of it."""
    found = value.key if isinstance(value, Unknown) else ""
    return found == key or found.startswith(f"{key}.") or f"<{key}>" in found or f"<{key}." in found
