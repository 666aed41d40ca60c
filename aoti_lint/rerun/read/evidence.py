"""What one process left behind, read: its log, what was noted in it, and how it ended."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from aoti_lint.rerun.plan.plan import Stage, Step
from aoti_lint.rerun.read.events import Event, unfinished
from aoti_lint.rerun.result import Ran
from aoti_lint.triage.diagnose import Diagnosis, diagnose

EXPORTED = ".exported.pt2"
"""What stands for the suffix of a package in the name of its exported program, as `inside` saves it."""
SIGNALS = {4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 15: "SIGTERM"}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One process that was run.

    `events` are in the order in which they were noted; `tensors` is the folder of what the debug printer saved; `there`
    says where it found what the user knows as a path.
    """

    stage: Stage
    step: Step
    ran: Ran
    lines: Sequence[str]
    events: Sequence[Event]
    tensors: str | None = None
    found: Diagnosis = field(default_factory=Diagnosis)
    there: Callable[[str], str] = os.path.realpath

    @property
    def failed(self) -> bool:
        """Whether it ended as a failure does."""
        return self.ran.code != 0

    @property
    def how(self) -> str:
        """How it ended, in words."""
        if self.ran.how == "time":
            return f"it was still running after {self.ran.seconds:.0f} seconds"
        if self.ran.how == "memory":
            return "it took more memory than it was allowed"
        code = self.ran.code
        if code is None:
            return "it was stopped"
        if code < 0 or code > 128:
            number = -code if code < 0 else code - 128
            return f"the process died ({SIGNALS.get(number, f'signal {number}')})"
        return f"the process ended with exit code {code}"

    def open(self, what: str) -> list[Event]:
        """What of a kind was going on when the process died, the innermost last."""
        return [event for event in unfinished(self.events) if event.event == what]

    @property
    def package(self) -> str | None:
        """The package whose call went wrong, or that was called last, or else loaded or made."""
        if self.called is not None and self.called.package:
            return self.called.package
        for what, name in (("load", "used"), ("compile", "made"), ("package", "made")):
            found = [event for event in self.events if event.event == what and event.kind != "program"]
            if found and getattr(found[-1], name):
                return str(getattr(found[-1], name))
        return None

    @property
    def exported(self) -> str | None:
        """The exported program that the package was compiled from, or else that was saved last."""
        if self.package is not None:
            beside = os.path.splitext(self.package)[0] + EXPORTED
            if os.path.isfile(beside):
                return beside
        return next((event.path for event in reversed(self.events) if event.event == "saved"), None)

    @property
    def calls(self) -> list[Event]:
        """The calls of packages."""
        return [event for event in self.events if event.event == "call"]

    @property
    def called(self) -> Event | None:
        """The call of a package that went wrong first, or else the last one."""
        raised = {(event.pid, event.of) for event in self.events if event.event == "raised" and event.what == "call"}
        failed = self.open("call") or [call for call in self.calls if (call.pid, call.number) in raised]
        return next(iter([*self.bad_calls(), *self._differing(), *failed[-1:], *self.calls[-1:]]), None)

    def _differing(self) -> list[Event]:
        """The calls that gave something else than the program."""
        found: list[Event] = []
        calls: dict[int, Event] = {}
        for event in self.events:
            if event.event == "call":
                calls[event.pid] = event
            elif event.differs and event.pid in calls:
                found.append(calls[event.pid])
        return found

    def bad_calls(self) -> list[Event]:
        """The calls of packages that gave NaN or infinities."""
        ended = [event for event in self.events if event.event == "returned" and event.what == "call"]
        nan = {(event.pid, event.of) for event in ended if any(leaf.nan for leaf in event.outputs)}
        inf = {(event.pid, event.of) for event in ended if any(leaf.inf for leaf in event.outputs)} - nan
        bad = nan if self.masks else nan | inf
        return [call for call in self.calls if (call.pid, call.number) in bad]

    @property
    def masks(self) -> bool:
        """Whether infinities in outputs are those of masks, and nothing else."""
        origins = [event for event in self.events if event.event == "origin"]
        return bool(origins) and all(event.kind == "mask" for event in origins)

    def bad_programs(self) -> list[Event]:
        """The calls of exported programs, by the user's code, that gave NaN or infinities."""
        ended = [event for event in self.events if event.event == "returned" and event.what == "program"]
        bad = {(event.pid, event.of) for event in ended if any(leaf.nan or leaf.inf for leaf in event.outputs)}
        return [event for event in self.events if event.event == "program" and (event.pid, event.number) in bad]


def evidence(
    stage: Stage, step: Step, ran: Ran, lines: Sequence[str], events: Sequence[Event], tensors: str | None
) -> Evidence:
    """Read the log of a process."""
    return Evidence(stage, step, ran, lines, events, tensors, diagnose(lines))
