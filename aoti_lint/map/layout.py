"""Where each step of a flow stands in its picture: in columns, by how far it is, and in rows, beside what it uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from aoti_lint.map.model import Arrow, Step
from aoti_lint.map.steps import rank
from aoti_lint.report.columns import cut, shown

WIDTH: Final = 206
"""Of a card."""
GAP: Final = 84
"""Between two columns: an arrow with what is found there."""
LINE: Final = 15
"""Of text in a card."""
PADDING: Final = 9
SPACE: Final = 18
"""Between two cards of a column."""
TITLE, TEXT = 25, 31
"""Characters of a title and of other lines; what is longer is cut, and whole in the words below."""
MOST_LINES: Final = 2
"""Of one thing that is said."""


@dataclass(slots=True)
class Card:
    """A step with its lines below that of its kind, the first of which is its title."""

    step: Step
    lines: list[str]
    marks: int
    """Lines at the end that are for what is found at it."""
    x: int = 0
    y: int = 0

    @property
    def height(self) -> int:
        """Of the whole."""
        return 2 * PADDING + LINE * (1 + len(self.lines) + self.marks)

    @property
    def port(self) -> int:
        """The height at which arrows begin and end: that of the title."""
        return self.y + PADDING + LINE + LINE // 2


@dataclass(slots=True)
class Picture:
    """The cards of a flow by their steps, and how much room they take."""

    cards: dict[str, Card]
    early: set[tuple[str, str]]
    """The arrows that turn as soon as they can: those to steps that were put beside the room that these left."""
    width: int
    height: int


def fitted(text: str, width: int) -> str:
    """A line that takes at most so many columns."""
    printable, columns = shown(" ".join(text.split()))
    # Capital letters are wide.
    width -= sum(map(str.isupper, printable[:width])) // 4
    return printable if columns[-1] <= width else cut(printable, 0, width - 1) + "…"


def ending(text: str, width: int) -> str:
    """A line that takes at most so many columns; of a longer one, such as a path, its end counts."""
    printable, columns = shown(" ".join(text.split()))
    return printable if columns[-1] <= width else "…" + cut(printable, columns[-1] - width + 1, columns[-1])


def wrapped(text: str, width: int) -> list[str]:
    """A text in a few lines, the last of which is cut."""
    rest = shown(" ".join(text.split()))[0]
    made: list[str] = []
    while shown(rest)[1][-1] > width and len(made) < MOST_LINES - 1:
        head = cut(rest, 0, width)
        at = head.rfind(" ")
        head = head[:at] if at > width // 2 else head.rstrip()
        made.append(head)
        rest = rest[len(head) :].lstrip()
    return [*made, fitted(rest, width)]


class _Columns:
    """Puts cards into columns, each as high as its column and the steps it uses let it."""

    def __init__(self, cards: Mapping[str, Card], arrows: Sequence[Arrow]) -> None:
        self._cards = cards
        ranks = sorted({rank(card.step.kind) for card in cards.values()})
        self._column = {ident: ranks.index(rank(card.step.kind)) for ident, card in cards.items()}
        self._free = [0] * len(ranks)
        self._after: dict[str, list[str]] = {}
        for one in arrows:
            self._after.setdefault(one.start, []).append(one.end)
        self._done: set[str] = set()
        self.early: set[tuple[str, str]] = set()
        given = {end for ends in self._after.values() for end in ends}
        for ident in (*(one for one in cards if one not in given), *cards):
            if ident not in self._done:
                self._put(ident, 0)

    def _put(self, ident: str, least: int) -> None:
        """Put a step not above `least`, and what uses it beside and below it; no arrow runs behind a card."""
        self._done.add(ident)
        column, card = self._column[ident], self._cards[ident]
        uses = self._after.get(ident, ())
        drawn = [self._column[after] for after in uses if after in self._done]
        top = max([least, self._free[column], *self._free[column + 1 : max(drawn, default=0)]])
        for after in uses:
            if after not in self._done:
                self._put(after, max([top, *self._free[column + 1 : self._column[after]]]))
                self._keep(column, self._column[after], self._cards[after])
                self.early.add((ident, after))
        card.x, card.y = column * (WIDTH + GAP), max(top, self._cards[uses[0]].y if uses and not drawn else 0)
        self._free[column] = card.y + card.height + SPACE
        self._keep(column, max(drawn, default=0), card)

    def _keep(self, column: int, until: int, card: Card) -> None:
        """Keep the columns between two free beside a card, for the arrow that runs there."""
        for between in range(column + 1, until):
            self._free[between] = max(self._free[between], card.y + card.height + SPACE)


def picture(steps: Sequence[Step], arrows: Sequence[Arrow], say: Mapping[str, Sequence[str]]) -> Picture:
    """The picture of a flow; `say` has what is said of each step beside its kind, title and findings."""
    cards = {}
    for step in steps:
        said = [line for text in say[step.id] for line in wrapped(text, TEXT)]
        cards[step.id] = Card(step, [fitted(step.title, TITLE), *said], marks=len(step.findings))
    early = _Columns(cards, arrows).early
    wide = max(card.x for card in cards.values()) + WIDTH
    return Picture(cards, early, wide, max(card.y + card.height for card in cards.values()))
