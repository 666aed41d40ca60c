"""What every event has: where and when it happens, and what is assumed there."""

from __future__ import annotations

from typing import NamedTuple

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.conditions import Cond


class Turn(NamedTuple):
    """When a root is run: which kind of roots it is of, the file, and which of that file's roots it is.

    It is known before anything runs, so that it is the same whatever else there is to run.
    """

    phase: int
    path: str = ""
    nth: int = 0


READ = 1 << 31
"""The phase of what no root does: it was read from the text of code that nobody followed."""


class Order(NamedTuple):
    """When an event happens: in the turn of which root, and as which event of it."""

    turn: Turn
    place: int


@dataclass(slots=True, kw_only=True, repr=False, eq=False)
class Event:
    """Something that happens at `span`, called through `chain` (outermost call first), in the run of `root`.

    `path` holds the answers assumed to get there. `caught` names the exception types that a handler, a
    `contextlib.suppress` or a `pytest.raises` around it catches. Events are sorted by their `order`.
    """

    span: Span
    root: str
    order: Order
    path: dict[Cond, bool]
    chain: tuple[Span, ...]
    caught: frozenset[str]
    expected: frozenset[str]
    """Exception types that a test helper around it says must be raised."""
    versions: VersionSet
    context: str
    """Qualified name of the function or class the place stands in."""
    chosen: tuple[Cond, ...] = ()
    """The conditions in `path` that the place does not depend on, only the value that is used there."""
    export: Span | None = None
    """Where the export is in whose forward it happens; None for what happens outside of one."""
    traced: int | None = None
    """The run of that forward (see `Program.traced`): one line may export many models."""

    def is_before(self, other: Event) -> bool:
        """Whether it has happened when another event happens, in the same run.

        A file that is imported and run as a script does all twice, in two processes.
        """
        if self.root != other.root or self.order > other.order:
            return False
        return self.order.turn == other.order.turn or self.order.turn.path != other.order.turn.path

    @property
    def is_only_read(self) -> bool:
        """Whether nobody followed the code: it was read from its text."""
        return self.order.turn.phase == READ

    @property
    def is_after_failure(self) -> bool:
        """Whether its place is reached only where something else has raised: it is in a handler."""
        return any(
            cond.kind == "exception" and answer and cond not in self.chosen for cond, answer in self.path.items()
        )
