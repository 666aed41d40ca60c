"""What one process left behind, read: its log, what was noted in it, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aoti_lint.rerun.plan import Stage, Step
from aoti_lint.rerun.result import Place, Ran
from aoti_lint.triage.diagnose import Diagnosis, diagnose

SIGNALS = {4: "SIGILL", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 15: "SIGTERM"}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One process that was run. `events` are in the order in which they were noted."""

    stage: Stage
    step: Step
    ran: Ran
    lines: Sequence[str]
    events: Sequence[Mapping[str, Any]]
    found: Diagnosis = field(default_factory=Diagnosis)

    @property
    def failed(self) -> bool:
        """Whether it ended as a failure does, or gave NaN that its program does not give."""
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

    def open(self, what: str) -> list[Mapping[str, Any]]:
        """The events `what` that have no end: what was going on when the process died, the innermost last."""
        ended = {event.get("of") for event in self.events if event["event"] in ("returned", "raised")}
        return [event for event in self.events if event["event"] == what and event["number"] not in ended]

    def last(self, what: str, key: str) -> Any:
        """A field of the last event `what` that has it."""
        found = (event[key] for event in reversed(self.events) if event["event"] == what and event.get(key))
        return next(found, None)

    def nan_calls(self) -> list[Mapping[str, Any]]:
        """The calls of packages that gave NaN or infinities."""
        bad = {
            event["of"]
            for event in self.events
            if event["event"] == "returned" and event.get("what") == "call" and _bad(event.get("outputs"))
        }
        return [event for event in self.events if event["event"] == "call" and event["number"] in bad]


def _bad(outputs: Any) -> bool:
    return any(isinstance(one, Mapping) and (one.get("nan") or one.get("inf")) for one in outputs or ())


def evidence(
    stage: Stage, step: Step, ran: Ran, lines: Sequence[str], events: Sequence[Mapping[str, Any]]
) -> Evidence:
    """Read the log of a process."""
    return Evidence(stage, step, ran, lines, events, diagnose(lines))


def place(event: Mapping[str, Any]) -> Place | None:
    """Where in the user's code an event was noted."""
    at = event.get("place")
    if not isinstance(at, Mapping) or not at.get("path"):
        return None
    path, line = str(at["path"]), int(at.get("line") or 0)
    return Place(path=path, line=line, function=str(at.get("function") or ""), text=text(path, line))


def text(path: str, line: int) -> str:
    """A line of a file, as far as it is there."""
    import linecache

    return linecache.getline(path, line).strip()
