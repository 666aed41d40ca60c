"""What units asked of the project, and whether it answers as it did."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.source.remembered.asked import LOOKED_INTO, OF_CONTENT, OF_NAMES

Question = tuple[str, tuple[Any, ...]]
"""What a project is asked, and with which arguments."""


class Answering(Protocol):
    """Who answers for the project."""

    def answer(self, question: str, given: tuple[Any, ...]) -> object:
        """What the project answers a question that a unit once asked."""

    def content(self, path: str) -> str | None:
        """A hash of what a file holds; None where it cannot be read."""

    def names(self) -> Any:
        """What the answers so far depend on of the names of files and folders, of JSON's types."""

    def has_names(self, names: Any) -> bool:
        """Whether that is what it was; the run depends on it from now on."""


class Questions(Protocol):
    """The questions of one unit."""

    def is_answered_alike(self, m: Answering) -> bool:
        """Whether the project answers all of them as it did."""

    def looked_into(self) -> Iterable[str]:
        """The files that were looked into, not only searched."""

    def told(self) -> Mapping[Question, object]:
        """The questions, with the answers."""


@dataclass(slots=True, eq=False)
class Answers:
    """Questions of a unit that this analysis asked, or of one that is kept for itself."""

    answers: dict[Question, object]
    table: Table | None = None
    """That of an analysis in which files and folders had the names they had for this unit, if one is known."""

    def is_answered_alike(self, m: Answering) -> bool:
        """Whether the project answers all of them as it did."""
        sure = OF_NAMES if self.table is not None and self.table.has_names(m) else ()
        return all(asked[0] in sure or m.answer(*asked) == answer for asked, answer in self.answers.items())

    def looked_into(self) -> Iterable[str]:
        """The files that were looked into, not only searched."""
        return {given[0] for question, given in self.answers if question in LOOKED_INTO}

    def told(self) -> Mapping[Question, object]:
        """The questions, with the answers."""
        return self.answers


class Table:
    """The questions of all units of an analysis, each once, and what told the answers of many of them."""

    def __init__(self, rows: Sequence[Sequence[Any]], contents: Mapping[str, str | None], names: Any) -> None:
        """`rows` hold questions, what they were given, and the answers; `contents` are hashes of the files then.

        `names` is what the project told of the names of files and folders.
        """
        self._rows, self._contents, self._names = rows, contents, names
        self._asking: Answering | None = None
        """Who was asked last: what follows is what that one answered."""
        self._same: list[bool | None] = []
        self._has_names = False
        self.looked_into = [given[0] if question in LOOKED_INTO else None for question, given, _ in rows]
        """By the numbers of questions: the file that is looked into for the answer, if one is."""

    def is_alike(self, m: Answering, numbers: Iterable[int]) -> bool:
        """Whether the project answers these questions as it did."""
        self._ask(m)
        same = self._same
        for number in numbers:
            known = same[number]
            if known is None:
                question, given, answer = self._rows[number]
                known = same[number] = m.answer(question, tuple(given)) == answer
            if not known:
                return False
        return True

    def row(self, number: int) -> tuple[Question, object]:
        """A question, with its answer."""
        question, given, answer = self._rows[number]
        return (question, tuple(given)), answer

    def has_names(self, m: Answering) -> bool:
        """Whether files and folders have the names they had."""
        self._ask(m)
        return self._has_names

    def _ask(self, m: Answering) -> None:
        """Find out which answers are surely the same, many at a time."""
        if m is self._asking:
            return
        self._asking, self._has_names = m, m.has_names(self._names)
        contents = {path for path, known in self._contents.items() if known is not None and m.content(path) == known}
        sure = OF_NAMES if self._has_names else ()
        # Where a file had no answer, what is wrong with it has to be told again.
        self._same = [
            True
            if question in sure or (question in OF_CONTENT and given[0] in contents and answer is not None)
            else None
            for question, given, answer in self._rows
        ]


@dataclass(slots=True, eq=False)
class Numbered:
    """Questions of a unit that stand in a table."""

    table: Table
    numbers: list[int]

    def is_answered_alike(self, m: Answering) -> bool:
        """Whether the project answers all of them as it did."""
        return self.table.is_alike(m, self.numbers)

    def looked_into(self) -> Iterable[str]:
        """The files that were looked into, not only searched."""
        files = self.table.looked_into
        return filter(None, [files[number] for number in self.numbers])

    def told(self) -> Mapping[Question, object]:
        """The questions, with the answers."""
        return dict(map(self.table.row, self.numbers))


def tabled(
    asked: Iterable[Questions], content: Callable[[str], str | None]
) -> tuple[list[list[Any]], dict[str, str | None], list[list[int]]]:
    """The rows and the contents of a `Table` of what units asked, and the numbers of the questions of each."""
    rows: list[list[Any]] = []
    places: dict[Question, int] = {}
    numbers: list[list[int]] = []
    contents: dict[str, str | None] = {}
    for one in asked:
        own: list[int] = []
        for question, answer in one.told().items():
            place = places.setdefault(question, len(rows))
            if place == len(rows):
                kind, given = question
                rows.append([kind, given, answer])
                if kind in OF_CONTENT and given[0] not in contents:
                    contents[given[0]] = content(given[0])
            own.append(place)
        numbers.append(own)
    return rows, contents, numbers
