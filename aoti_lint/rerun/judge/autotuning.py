"""Who ends a compile that tries kernels: the one that fails, or the one that made what it cannot live with.

AOTInductor runs the Triton kernels of a model while it compiles it, as `inside/calls/tuning.py` notes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from aoti_lint.rerun.read.events import Event, Leaf, unfinished
from aoti_lint.rerun.result import Culprit, Launch, Place, Values
from aoti_lint.rerun.wrapper.launches import places

_WRITTEN = re.compile(r"(?:in_)?out_ptr\d*$")
"""How Inductor calls arguments that its own kernels write."""
TRIED = (
    "AOTInductor ran it while compiling, to choose its settings, on tensors that it made up (random numbers and zeros)"
)
MASK = "Make the kernel safe for any numbers, with a mask or a bound on its indices: a compile runs it on random ones."
BOUND = "Bound them before they are indices (`% size`, `clamp`), or mask them in {name}: a compile makes up its inputs."


def by_tuning(events: Sequence[Event]) -> list[Culprit]:
    """The kernel that a compile died in; if its indices were none, the kernel that made them first."""
    runs = [event for event in events if event.event == "tune"]
    failed = {
        (event.pid, event.of): f"{event.type}: {event.message}"
        for event in events
        if event.event == "raised" and event.what == "tune"
    }
    open_ = {(event.pid, event.number) for event in unfinished(events) if event.event == "tune"}
    for at, event in enumerate(runs):
        key = (event.pid, event.number)
        if key not in failed and key not in open_:
            continue
        end = failed.get(key, "the process ended in it")
        own = _lines(event)
        fails = _culprit(event, at + 1, f"{TRIED}, and it failed: {end}", MASK, own)
        strange = _strange(event)
        number = _maker(strange, runs[:at]) if strange is not None else None
        if strange is None or number is None:
            return [fails]
        what = (
            f"it makes numbers from {strange.low} to {strange.high} ({strange.dtype}), which {event.name} takes for "
            f"indices and dies of ({end}). {TRIED}"
        )
        maker = runs[number - 1]
        fix = BOUND.format(name=event.name)
        return [
            _culprit(maker, number, what, fix, _lines(maker, own[:1])),
            fails.model_copy(update={"sure": False}),
        ]
    return []


def _culprit(event: Event, number: int, what: str, fix: str, lines: Sequence[Place]) -> Culprit:
    spots = (event.place, *lines) if event.place is not None else tuple(lines)
    values = tuple(values_of(leaf) for leaf in event.inputs if leaf.kind == "tensor")
    launch = Launch(number=number, name=event.name, kind="kernel", places=spots)
    place = next(iter(spots), None)
    return Culprit(
        kind="kernel", name=event.name, what=what, sure=True, fix=fix, place=place, values=values, launch=launch
    )


def _lines(event: Event, without: Sequence[Place] = ()) -> list[Place]:
    """The lines that a kernel was made from. torch 2.11 gives those of kernels that belong together to each of them:
    `without` are the lines that another is known by."""
    found = places(event.stacks)
    return [line for line in found if line not in without] or found


def values_of(leaf: Leaf) -> Values:
    """What is known of a tensor before a launch."""
    return Values(
        argument=leaf.name, when="before", dtype=leaf.dtype, shape=tuple(int(size) for size in leaf.shape),
        device=leaf.device, low=leaf.low, high=leaf.high, nan=leaf.nan, inf=leaf.inf,
        fresh=_WRITTEN.match(leaf.name) is not None,
    )  # fmt: skip


def _strange(event: Event) -> Leaf | None:
    """Whole numbers that point outside of everything else a kernel is given."""
    tensors = [leaf for leaf in event.inputs if leaf.kind == "tensor"]
    for leaf in tensors:
        others = [math.prod(int(size) for size in other.shape) for other in tensors if other is not leaf]
        if leaf.high is not None and leaf.low is not None and others and not _WRITTEN.match(leaf.name):
            most = max(others)
            if leaf.high >= most or leaf.low < -most:
                return leaf
    return None


def _maker(leaf: Leaf, before: Sequence[Event]) -> int | None:
    """The number of the last kernel that wrote the memory in which a tensor lies, counted from 1."""
    for number, event in reversed(list(enumerate(before, 1))):
        if any(other.at == leaf.at and _WRITTEN.match(other.name) for other in event.inputs):
            return number
    return None
