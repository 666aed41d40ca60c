"""What the C++ sources of a project define."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Facts
from aoti_lint.rule.events import NativeBlock, OpDefinition
from aoti_lint.rule.project import is_native

from ._schemas import name_of


class Natives:
    """What C++ sources define in every build, by namespace and by the name of the op."""

    def __init__(self, facts: Facts) -> None:
        self.events: dict[str, list[NativeBlock | OpDefinition]] = {}
        events: list[NativeBlock | OpDefinition] = [*facts.of(NativeBlock), *facts.of(OpDefinition)]
        for event in events:
            name = event.namespace if isinstance(event, NativeBlock) else name_of(event)
            if name is not None and not event.conditional and is_native(event.span.path):
                self.events.setdefault(name, []).append(event)

    def of(self, sources: tuple[str, ...]) -> Iterator[tuple[str, NativeBlock | OpDefinition]]:
        """What some of the files define."""
        for name, events in self.events.items():
            yield from ((name, event) for path in sources for event in events if event.span.path == path)
