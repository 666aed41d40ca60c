"""What is known so far of a rerun, and how a culprit gets into it: with its launch, its line and the user's names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aoti_lint.rerun.judge.origins import Origin, as_code, refined
from aoti_lint.rerun.plan.plan import Step
from aoti_lint.rerun.read.printed_values import Seen
from aoti_lint.rerun.result import Culprit, Launch
from aoti_lint.rerun.wrapper.launches import Program

if TYPE_CHECKING:
    from aoti_lint.program import facts

REACH = 12
"""Kernels whose values are asked for at once."""


@dataclass(slots=True)
class Reading:
    """What is known so far. `again` asks for one more run of a stage that repeats."""

    culprits: list[Culprit] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    causes: dict[str, dict[str, Any]] = field(default_factory=dict)
    program: Program = field(default_factory=Program)
    package: str = ""
    exported: str = ""
    launcher: str = ""
    guard: str = ""
    repro: str | None = None
    dumps: str = ""
    failures: list[bool] = field(default_factory=list)
    """Of the runs with nothing switched off: whether each failed."""
    built: Step | None = None
    """The step that compiled last."""
    hangs: bool = False
    """Whether a process had to be ended: more runs only take more time."""
    printed: list[list[Seen]] = field(default_factory=list)
    """The calls whose values were printed."""
    again: bool = False
    ask: tuple[str, ...] = ()
    agrees: bool = False
    """Whether a package gave what its program gives, on the inputs of all calls of a run that failed."""
    masks: bool = False
    """Whether -inf in the outputs is meant so: the exported program masks with it."""
    compiles: bool = False
    """Whether a process that was only to load a package compiled one."""
    beside: bool = False
    """Whether the exported program was run beside its package."""
    origin: Origin | None = None
    """What made the first bad number in the exported program of a call that gave bad ones."""

    def blame(self, culprit: Culprit) -> None:
        """Add a culprit; what was known of it before stays, where the new one says nothing.

        What a message alone pointed at, by its cause, gives way to one that a run showed.
        """
        if culprit.sure:
            self.culprits = [one for one in self.culprits if one.sure or one.name not in self.causes]
        for index, old in enumerate(self.culprits):
            if (old.kind, old.name) == (culprit.kind, culprit.name):
                kept = {
                    name: getattr(old, name)
                    for name in ("fix", "launch", "place", "values", "rules", "chain")
                    if not getattr(culprit, name)
                }
                what = old.what if old.sure and not culprit.sure else culprit.what
                self.culprits[index] = culprit.model_copy(
                    update={**kept, "sure": old.sure or culprit.sure, "what": what}
                )
                return
        self.culprits.append(culprit)

    def conclude(self) -> None:
        """Without a culprit that is sure, the line that made the first bad number is one."""
        if self.origin is not None and not any(one.sure for one in self.culprits):
            made = as_code(self.origin)
            if made is not None:
                self.culprits.insert(0, made)

    def note(self, sentence: str) -> None:
        """Say something once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    @property
    def suspect(self) -> Culprit | None:
        """The culprit that is known by its launch."""
        return next((one for one in self.culprits if one.launch is not None), None)

    def programs(self) -> tuple[facts.Program, ...]:
        """What was exported; none if nobody saved it."""
        from aoti_lint.program.errors import Unreadable
        from aoti_lint.program.read import read

        if not self.exported:
            return ()
        try:
            return read(self.exported).programs
        except (OSError, Unreadable):
            return ()

    def inputs(self) -> list[str]:
        """What the user calls the tensors that the package takes, in their order; empty if nobody knows."""
        return [one.path or one.name for one in self._inputs() if one.kind == "tensor"]

    def placeholders(self) -> dict[str, str]:
        """What the user calls the inputs, by their names in the graph."""
        return {one.name: one.path or one.name for one in self._inputs()}

    def _inputs(self) -> Sequence[facts.Input]:
        return next((program.inputs for program in self.programs()), ())

    def asks(self) -> tuple[str, ...]:
        """The kernels whose values are wanted next."""
        if self.ask:
            return self.ask
        suspect = self.suspect
        if suspect is None or suspect.launch is None:
            return ()
        return names([suspect.launch, *self.program.producers(suspect.launch, REACH)])


def names(launches: Sequence[Launch]) -> tuple[str, ...]:
    """The kernels among launches, each once: operators print nothing."""
    return tuple(dict.fromkeys(one.name for one in launches if one.kind != "op"))


def _named(culprit: Culprit, reading: Reading) -> Culprit:
    """An input by the name that the user knows it by: packages count them, or name them after the graph."""
    if culprit.kind != "input":
        return culprit
    inputs = reading.program.inputs
    number = inputs.index(culprit.name) if culprit.name in inputs else None
    if counted := re.fullmatch(r"input (\d+)", culprit.name):
        number = int(counted[1])
    names = reading.inputs()
    if path := reading.placeholders().get(culprit.name):
        return culprit.model_copy(update={"name": path})
    if number is None or number >= len(names):
        return culprit
    return culprit.model_copy(update={"name": names[number], "what": f"input {number}: {culprit.what}"})


def placed(culprit: Culprit, reading: Reading) -> Culprit:
    """With the name of an input, the launch of an operator that is known by its name, and the line of a launch."""
    culprit = _named(culprit, reading)
    launch = culprit.launch
    if launch is None and culprit.kind == "op":
        launch = next(iter(reading.program.named(culprit.name)), None)
    if launch is None:
        return culprit
    spot = culprit.place or next(iter(launch.places), None)
    made = culprit.model_copy(update={"launch": launch, "place": spot})
    return refined(made, reading.origin) if reading.origin is not None and made.kind == "kernel" else made


def sentence(one: Culprit) -> str:
    """What a stage shows of a culprit."""
    return f"{one.name if one.name.startswith(one.kind) else f'{one.kind} {one.name}'}: {one.what}"


def blamed_in(reading: Reading, found: Sequence[Culprit], good: str) -> list[str]:
    """Add culprits; gives what is said of them, or `good` if there are none."""
    known = [placed(one, reading) for one in found]
    for culprit in known:
        reading.blame(culprit)
    return [sentence(one) for one in known] or [good]
