"""Finds the kernel that made the first bad value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from aoti_lint.tensors.dumps import Dump

STEP = 20_000_000
"""Nanoseconds within which the times of two files say nothing about their order."""


@dataclass(frozen=True, slots=True)
class Launch:
    """One launch of a kernel: what it was given and what it left, as far as both were saved.

    `number` is its place in the package, from 1, and `writes` what it writes there, where that is known.
    """

    kernel: str
    before: tuple[Dump, ...]
    after: tuple[Dump, ...]
    number: int | None = None
    writes: tuple[str, ...] = ()

    @property
    def began(self) -> int:
        """When the first of its files was written, in nanoseconds."""
        return min(dump.written for dump in (*self.before, *self.after))

    @property
    def silent(self) -> bool:
        """Whether nothing was saved of it: it is a custom operator."""
        return not self.before and not self.after

    @property
    def finished(self) -> bool:
        """Whether anything was saved after it."""
        return bool(self.after)


@dataclass(frozen=True, slots=True)
class First:
    """The first launch with bad values that it was not given, and those of its arguments that have them.

    `given` are arguments that were bad before: then nothing that was saved made them.
    """

    launch: Launch
    made: tuple[Dump, ...]
    given: tuple[Dump, ...]


def launches(dumps: Sequence[Dump]) -> list[Launch]:
    """The launches in their order.

    A kernel that runs again overwrites its files, so each kernel has its last launch only. File systems note times in
    steps of milliseconds: launches of one step are ordered by what they hand on.
    """
    kernels = list(dict.fromkeys(dump.name.kernel for dump in dumps))
    left = [
        Launch(
            kernel,
            tuple(d for d in dumps if d.name.kernel == kernel and d.name.when == "before"),
            tuple(d for d in dumps if d.name.kernel == kernel and d.name.when == "after"),
        )
        for kernel in kernels
    ]
    ordered: list[Launch] = []
    while left:
        near = [one for one in left if one.began <= left[0].began + STEP]
        free = (one for one in near if not any(_hands_on(other, one) for other in near if other is not one))
        chosen = next(free, left[0])
        ordered.append(chosen)
        left.remove(chosen)
    return ordered


def _hands_on(one: Launch, other: Launch) -> bool:
    """Whether one launch was given what the other left, and not the reverse."""
    return _given(one, other) and not _given(other, one)


def _given(one: Launch, other: Launch) -> bool:
    left = {dump.name.argument: dump.sum for dump in one.after if dump.sum is not None}
    had = {dump.name.argument: dump.sum for dump in one.before}
    return any(
        left.get(dump.name.argument) == dump.sum != had.get(dump.name.argument)
        for dump in other.before
        if dump.sum is not None
    )


def unwritten(ordered: Sequence[Launch]) -> set[str]:
    """The files of buffers that no launch before had left: memory with whatever was in it, which is no fault."""
    written: set[str] = set()
    found: set[str] = set()
    for launch in ordered:
        found |= {d.path for d in launch.before if d.name.argument.startswith("buf") and d.name.argument not in written}
        written |= {*launch.writes, *(d.name.argument for d in launch.after)}
    return found


def first_bad(ordered: Sequence[Launch]) -> First | None:
    """Where NaN or infinities begin; None if there are none in what a kernel was given or left."""
    fresh = unwritten(ordered)
    for launch in ordered:
        given = tuple(d for d in launch.before if d.path not in fresh and d.stats is not None and d.stats.bad)
        known = {d.name.argument for d in given}
        made = tuple(d for d in launch.after if d.stats is not None and d.stats.bad and d.name.argument not in known)
        if given or made:
            return First(launch, made, given)
    return None
