"""A unit while it is run: what is known so far of what it does, and of what that depends on."""

from __future__ import annotations

from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine.changes import Wanted
from aoti_lint.machine.units import Asked, Did, Key, Question


@dataclass(slots=True, eq=False)
class Open:
    """A unit that is run now."""

    key: Key
    before: int
    """What was spent when it began."""
    changed: frozenset[int]
    """The objects that what runs around it has changed something of, which nobody else knows yet."""
    modules: dict[str, int] = field(default_factory=dict)
    asked: dict[Question, object] = field(default_factory=dict)
    topics: set[Asked] = field(default_factory=set)
    imports: dict[str, None] = field(default_factory=dict)
    parts: dict[Wanted | None, Did] = field(default_factory=dict)
    """What it did, by what that is about."""
    read: set[object] = field(default_factory=set)
    """The objects it looked into."""
    looked: set[tuple[str, int]] = field(default_factory=set)
    """The definitions it looked at: the file of each, and the byte it begins at."""
    once: set[object] = field(default_factory=set)
    """What it did that it need not do twice."""
    left: dict[Asked, list[object]] = field(default_factory=dict)
    """What it leaves for others, as far as that is more, or less, than what it did about it."""
    is_whole: bool = True
    """Whether all that it depends on is written down."""
    within: bool = False
    """Whether it belongs to the unit around it, since it reaches into a module that is not imported to its end."""

    def take(self, inner: Open) -> None:
        """A unit inside of this one belongs to it."""
        self.modules |= inner.modules
        for path in inner.modules:
            self.imports.pop(path, None)
        self.topics |= inner.topics
        self.read |= inner.read
        self.looked |= inner.looked
        self.imports |= dict.fromkeys(path for path in inner.imports if path not in self.modules)
        for about, did in inner.parts.items():
            self.parts.setdefault(about, []).extend(did)
        self.is_whole = self.is_whole and inner.is_whole
        for question, answer in inner.asked.items():
            self.asked.setdefault(question, answer)
        for asked, what in inner.left.items():
            self.left.setdefault(asked, []).extend(what)
