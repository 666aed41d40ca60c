"""The kinds of cases, and how often each comes among its group."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.fuzz.case import Case
from tests.fuzz.generators import archives, others, sources

Maker = Callable[[Random], Case]
GROUPS: dict[str, tuple[Maker, ...]] = {
    "sources": (sources.python, sources.python, sources.corpora, sources.corpora, sources.projects, sources.native),
    "archives": (archives.archives, archives.archives, archives.archives, archives.weights, archives.libraries),
    "others": (others.settings, others.settings, others.logs, others.logs, others.arguments, others.odd),
}


def made(group: str, seed: int, number: int) -> Case:
    """The case of a number of a group: the same for the same seed."""
    makers = GROUPS[group]
    return makers[number % len(makers)](Random(f"{group} {seed} {number}"))
