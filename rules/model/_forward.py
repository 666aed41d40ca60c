"""What an export notes of the forward that it runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

from aoti_lint.rule import Confidence, Path, reached
from aoti_lint.rule.events import Exporting
from aoti_lint.rule.values import Program


class _Noted(Protocol):
    @property
    def path(self) -> Path: ...


N = TypeVar("N", bound=_Noted)


def met(event: Exporting, noted: Iterable[N]) -> Iterator[tuple[N, Confidence]]:
    """What of this an export comes to, and how sure that is; nothing for a draft export, which goes on where it can."""
    if isinstance(event.program, Program) and not event.program.is_draft:
        for one in noted:
            sure = reached(one.path, event.path)
            if sure is not None:
                yield one, sure
