"""What a process keeps from one check of the same files to the next."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from aoti_lint.machine.recorded.units import Units
    from aoti_lint.source.remembered.in_memory import Contents


class Kept:
    """What is kept of files, and of what was run in them."""

    def __init__(self, contents: Contents | None = None) -> None:
        """`contents` is for what was made of what files hold; None in a process that checks once."""
        self.contents = contents
        self.buffers: dict[str, bytes] = {}
        """By their absolute paths: files with what an editor has of them. They are checked."""
        self._units: Units | None = None
        self._call = ""

    def units(self, call: str, make: Callable[[], Units]) -> Units:
        """What is known of runs that were asked for the same `call`; made where nothing is."""
        if self._units is None or call != self._call:
            self._units, self._call = make(), call
        return self._units
