"""A unit of an analysis: what it did, and what that depends on.

A unit is a module that is imported, the top level of a script, what a file outside Python starts, the functions of a
file, or an op that is tried; and, of all of these together, how they are joined with what is not Python, and what the
rules find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine.changes import Change, Wanted
from aoti_lint.machine.recorded import written
from aoti_lint.machine.recorded.questions import Questions

if TYPE_CHECKING:
    from aoti_lint.machine.recorded.written import Files

Kind = Literal["import", "script", "launched", "functions", "op", "join", "rules"]
Key = tuple[Kind, str, int]
"""What a unit is, the path of its file or the name of the op, and the phase it is run in."""
IMPORT = 0
"""The phase of the modules that are imported: what they do is done before anything that imports them."""
SCRIPTS, LAUNCHES, FUNCTIONS = 1, 2, 3
"""The phases in which the top levels of the reported files are run, what others start, and then their functions."""
BITS = 32
"""Those of an identity that count what a root made; those above are the number of the root."""
Topic = Literal["module", "effects", "object", "left", "demand", "op", "trial", "facts", "alike"]
"""What units leave for others: a module, what importing it does to the process, what they change in an object of
another one, what roots left in an object (a script: in its module), which functions of a module need not be run, what
is registered for an op, what a function did when it was tried, and the facts that all units told so far: the events of
a kind, or, under no name, all but those that wait until somebody asks for a kind; `alike` to those who do not keep how
things are numbered."""
Asked = tuple[Topic, "str | int"]
Did: TypeAlias = list[tuple[Change[Any], tuple[Any, ...]]]


class Part:
    """What a unit did about one thing, in order; read from its text when it is first wanted."""

    __slots__ = ("_at", "_did", "_text")

    def __init__(
        self,
        text: str | bytes | Callable[[], bytes],
        did: Did | None = None,
        at: Mapping[str, str | None] | None = None,
    ) -> None:
        """`did` is what the text says while the files it speaks of have these contents.

        The text may be what reads it, and raises `ValueError` where it is not there any more.
        """
        self._text, self._did, self._at = text, did, at or {}

    @property
    def text(self) -> str | bytes:
        """What was written. Raises `ValueError`."""
        return self._text() if callable(self._text) else self._text

    def did(self, files: Files) -> Did:
        """What was done. Raises `ValueError` where the text is not what was written."""
        if self._did is None or any(files.content(path) != content for path, content in self._at.items()):
            paths: set[str] = set()
            self._did = written.loads(self.text, files, paths)
            self._at = contents_of(paths, files)
        return self._did


@dataclass(slots=True, eq=False)
class Needs:
    """What a unit depends on."""

    found: dict[Asked, tuple[str, ...]]
    """What other units had left when it ran."""
    saw: dict[str, str]
    """The numbers of the units of the modules that it reaches, its own aside."""
    read: frozenset[int]
    """The objects of other modules that it looked into."""

    def told(self) -> dict[str, Any]:
        """As values of JSON's types."""
        found = [[topic, name, numbers] for (topic, name), numbers in self.found.items()]
        read: dict[int, list[int]] = {}
        for one in sorted(self.read):
            read.setdefault(one >> BITS, []).append(one & ((1 << BITS) - 1))
        return {"found": found, "saw": self.saw, "read": read}


def needs_of(told: Mapping[str, Any]) -> Needs:
    """The inverse of `told`, once more through JSON."""
    return Needs(
        {(topic, name): tuple(numbers) for topic, name, numbers in told["found"]},
        told["saw"],
        frozenset((int(number) << BITS) + low for number, those in told["read"].items() for low in those),
    )


@dataclass(slots=True, eq=False)
class Unit:
    """What one unit did, and what that depends on."""

    key: Key
    number: str
    """The same for a unit that does the same; where that cannot be told, for one that depends on the same."""
    modules: dict[str, int]
    """The modules whose top level it runs, with the numbers of their identities; several that import each other."""
    asked: Questions
    """Questions to the project, with the answers."""
    imports: list[str]
    """The modules it imports, in the order in which it first does."""
    left: dict[Asked, str]
    """What it leaves for others: the same text where that is the same."""
    facts: dict[str, list[str]]
    """By the kinds of events that it tells, and under no name for the other facts: the same text for the same.

    A second text is the same too where only what it made itself is numbered otherwise.
    """
    cost: int
    """What it spent (see `METER`)."""
    parts: list[tuple[Wanted | None, Part]] | None
    """What it did, by what that is about; None for what every analysis wants. None where it has to be run again."""
    _needs: Needs | Callable[[], Needs]
    _reach: frozenset[str] | None = field(default=None, init=False)

    @property
    def needs(self) -> Needs:
        """What else it depends on."""
        if callable(self._needs):
            self._needs = self._needs()
        return self._needs

    @property
    def reach(self) -> frozenset[str]:
        """The modules that it can reach: those it is, imports, and these reach."""
        if self._reach is None:
            self._reach = frozenset((*self.needs.saw, *self.modules))
        return self._reach

    def shorten(self, text: Callable[[Unit, int], bytes]) -> None:
        """Forget what it did, but for what every analysis wants: who asks again finds it by `text`."""
        self.parts = self.parts and [
            (about, Part(part.text if about is None else partial(text, self, at)))
            for at, (about, part) in enumerate(self.parts)
        ]

    def plain(self) -> str | bytes | None:
        """What it did that every analysis wants, as it is written, if that is anything. Raises `ValueError`."""
        return next((part.text for about, part in self.parts or () if about is None), None)


def contents_of(paths: Iterable[str], files: Files) -> dict[str, str | None]:
    """The contents of these files."""
    return {path: files.content(path) for path in paths}
