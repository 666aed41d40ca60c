"""Which of the saved tensors shows what a tensor was at a launch.

The debug printer saves what most launches are given and leave, not what custom operators do, and of an extern call only
the arguments that are whole buffers or inputs (2.13, `_inductor/codegen/debug_utils.py`). Between a save and a launch a
tensor is the same while nothing writes to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from aoti_lint.rerun.wrapper.calls import Run
from aoti_lint.tensors.dumps import Dump


class Saved:
    """The dumps by the tensor and the moment they are of. A kernel's file is of its last launch with that tensor."""

    def __init__(self, run: Run, dumps: Sequence[Dump]) -> None:
        self._run = run
        self._known: dict[tuple[str, str, int], Dump] = {}
        for dump in dumps:
            at = self._launch(dump)
            if at is not None and dump.stats is not None:
                self._known[run.memory(dump.name.argument), dump.name.when, at] = dump
        self._writes = [frozenset(map(run.memory, call.writes)) for call in run.calls]

    def _launch(self, dump: Dump) -> int | None:
        """The launch that a dump is of: the last one of that name that has the argument."""
        found = [
            at
            for at, call in enumerate(self._run.calls)
            if call.is_called(dump.name.kernel) and dump.name.argument in call.reads | call.writes
        ]
        return found[-1] if found else None

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of each tensor that was saved, by each of its names."""
        by_memory = {name: dump.stats.shape for (name, _, _), dump in self._known.items() if dump.stats is not None}
        by_memory |= {d.name.argument: d.stats.shape for d in self._known.values() if d.stats is not None}
        return by_memory

    def before(self, at: int, name: str) -> Dump | None:
        """What the tensor `name` was when launch `at` began."""
        name = self._run.memory(name)
        found = self._known.get((name, "before", at)) or self._back(at, name)
        if found is None and name not in self._writes[at]:
            found = self.after(at, name)
        return found

    def after(self, at: int, name: str) -> Dump | None:
        """What it was when launch `at` had ended."""
        name = self._run.memory(name)
        found = self._known.get((name, "after", at))
        for later in range(at + 1, len(self._writes)):
            if found is not None:
                break
            found = self._known.get((name, "before", later))
            if found is None and name in self._writes[later]:
                break
            found = found or self._known.get((name, "after", later))
        return found

    def _back(self, at: int, name: str) -> Dump | None:
        for earlier in range(at - 1, -1, -1):
            found = self._known.get((name, "after", earlier))
            if found is not None:
                return found
            if name in self._writes[earlier]:
                return None
            found = self._known.get((name, "before", earlier))
            if found is not None:
                return found
        return None
