"""What makes a run impossible."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class CannotRun(Exception):
    """The command cannot do its job: bad usage, bad configuration, a broken rule package. Exit code 2.

    The text is the whole message for the user.
    """


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` for the known word nearest to `word`, or nothing."""
    from difflib import get_close_matches

    by_lower = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), by_lower, n=1)
    return f"; did you mean {by_lower[near[0]]!r}?" if near else ""
