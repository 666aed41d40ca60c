"""Which folders the roots of one analysis make, or use something in. A folder is named by the key of its path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aoti_lint.lazily.dataclass import dataclass, field

if TYPE_CHECKING:
    from aoti_lint.values.events.event import Order

Key = tuple[str, ...]

ANY: Key = ("<any>",)
"""Stands for every folder."""
_ELSEWHERE = ("<home>", "<tempdir#")
"""Beginnings of keys that lie outside of every folder of a project (`models.paths.HOME`, `FRESH`)."""
_BASES = ("<project root>", "/", "..")
"""Beginnings of keys of which nobody knows where they meet the current folder."""


@dataclass(slots=True)
class Folders:
    """What the roots of one analysis may have made: for each root and path, when it was."""

    made: dict[str, dict[Key, Order]] = field(default_factory=dict)

    def may_be(self, folder: Key, root: str, order: Order) -> bool:
        """Whether `folder` may be there when the event `order` of `root` happens.

        What another root makes counts where it is written out: nobody knows which of them runs first.
        """
        for other, made in self.made.items():
            for key, since in made.items():
                if _covers(key, folder) and (since <= order if other == root else _is_named(key)):
                    return True
        return False


def _is_named(key: Key) -> bool:
    return not any("<" in part for part in key)


def _covers(key: Key, folder: Key) -> bool:
    """Whether `folder` may be there once `key` is, or was made."""
    if key[0].startswith(_ELSEWHERE):
        return False
    if key[0] in _BASES:
        return any(_begins(key[start:], folder) for start in range(1, len(key)))
    return _begins(key, folder)


def _begins(key: Key, folder: Key) -> bool:
    for part, wanted in zip(key, folder, strict=False):
        if "<" in part:
            return True
        if part != wanted:
            return False
    return len(key) >= len(folder)
