"""What makes a run impossible."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class CannotRun(Exception):
    """The command cannot do its job: bad usage, bad configuration, a broken rule package. Exit code 2.

    The text is the whole message for the user.
    """


_BEGUN = 4
"""Letters of a word that may be the beginning of one."""
_LONG, _ALIKE = 8, 0.85
"""Letters of a word that may be one with a mistake in it, and how much of them has to be right."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the known word nearest to `word`, or nothing."""
    near = nearest(word, known)
    return "" if near is None else f"; did you mean {near!r}?"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that may be meant by `word`, which is none of them, or only its beginning.

    Of several that are near, the one that begins as `word` does: people mistype the end of a code, or leave it out.
    """
    from difflib import SequenceMatcher, get_close_matches  # only where something is wrong

    # That both are options makes them no more alike.
    word = word.lower().lstrip("-")
    by_lower = {name.lower().lstrip("-"): name for name in known}
    begun = [name for name in by_lower if len(word) >= _BEGUN and name.startswith(word)]
    near = sorted(begun, key=len)[:1] or get_close_matches(word, by_lower, n=5)
    if not begun and len(word) >= _LONG:
        beginnings = {name[: len(word)]: name for name in by_lower if len(name) > len(word)}
        near = [*near, *(beginnings[one] for one in get_close_matches(word, beginnings, n=5, cutoff=_ALIKE))]

    def shared(name: str) -> tuple[int, float]:
        least = min(len(name), len(word))
        same = next((i for i, (a, b) in enumerate(zip(name, word, strict=False)) if a != b), least)
        return same, SequenceMatcher(None, name[: len(word)], word).ratio()

    best = max(near, key=shared, default=None)
    return None if best is None else by_lower[best]
