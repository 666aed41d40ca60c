"""Which rules run: `select`, `extend-select` and `ignore` of the configuration, then of the command line."""

from __future__ import annotations

from aoti_lint.errors import CannotRun

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from aoti_lint.catalogue.registry import Registry
    from aoti_lint.options import Options


class Level:
    """The choices made in one place; `select` is None when that place does not say."""

    __slots__ = ("extend", "ignore", "origin", "select")

    def __init__(
        self,
        origin: str,
        select: Sequence[str] | None = None,
        extend: Sequence[str] = (),
        ignore: Sequence[str] = (),
    ) -> None:
        self.origin, self.select, self.extend, self.ignore = origin, select, extend, ignore


def levels(options: Options) -> list[Level]:
    """What the configuration and the command line choose."""
    config = options.config
    return [
        Level(config.path or "the configuration", config.select, config.extend_select, config.ignore),
        Level("the command line", options.select, options.extend_select, options.ignore),
    ]


def selected(registry: Registry, levels: Iterable[Level]) -> frozenset[str]:
    """The codes of the rules that run; without any choice, all.

    A later level starts from what the earlier ones gave, or anew if it selects. Within a level the narrower word wins:
    `select = AOTI101, ignore = AOTI1` runs AOTI101 and nothing else of its family. Raises `CannotRun` for an unknown
    word.
    """
    chosen = frozenset(registry.names)
    for level in levels:
        votes: dict[str, tuple[int, bool]] = {}
        if level.select is not None:
            chosen = frozenset()
        for words, wanted in (((*(level.select or ()), *level.extend), True), (level.ignore, False)):
            for word in words:
                codes = codes_of(registry, word, level.origin)
                for code in codes:
                    vote = (-len(codes), wanted)
                    # Of equally narrow words the later list wins, and that is `ignore`.
                    if code not in votes or vote[0] >= votes[code][0]:
                        votes[code] = vote
        chosen = (chosen | {code for code, vote in votes.items() if vote[1]}) - {
            code for code, vote in votes.items() if not vote[1]
        }
    return chosen


def codes_of(registry: Registry, word: str, origin: str) -> frozenset[str]:
    """The codes `word` means. Raises `CannotRun`, naming `origin`, if it means none."""
    try:
        return frozenset(registry.find_codes(word))
    except CannotRun as error:
        raise CannotRun(f"{origin}: {error}") from None
