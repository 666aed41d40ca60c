"""How long a `torch.library.Library` lives."""

from __future__ import annotations

from functools import partial

from aoti_lint.rule import Facts
from aoti_lint.rule.events import Event, OpLibrary, OpLibraryEnd, Order


class Libraries:
    """The libraries that scripts make, by the number that events have of them, and when each is destroyed."""

    def __init__(self, facts: Facts) -> None:
        self.made = {event.ident: event for event in facts.of(OpLibrary)}
        self.ended: dict[int, Order] = {}
        for event in facts.of(OpLibraryEnd):
            self.ended.setdefault(event.ident, event.order)

    def holds(self, library: int | None, happens: Event) -> bool:
        """Whether one is still there when something happens; true of None, which stands for torch's own."""
        if library is None:
            return True
        made, ended = self.made.get(library), self.ended.get(library)
        return made is not None and (ended is None or ended > happens.order) and is_held(made, happens)

    def stays(self, library: int | None) -> bool:
        """Whether one is there to the end of its script; true of None."""
        return library is None or (library in self.made and library not in self.ended and not self.made[library].ends)


def libraries(facts: Facts) -> Libraries:
    """The same for all that ask for it."""
    return facts.once("libraries", partial(Libraries, facts))


def is_held(library: OpLibrary, happens: Event) -> bool:
    """Whether a library that nothing destroys is still there when something happens after it was made."""
    if not library.ends:
        return True
    running = happens.root == library.root and happens.chain[: len(library.chain)] == library.chain
    return library.ends == "function" and running and happens.order > library.order
