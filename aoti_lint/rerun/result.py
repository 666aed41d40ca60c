"""What is known after the runs: the culprit, what speaks for it, and what was tried."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import Field

from aoti_lint.quoting.frozen import SAME, Frozen
from aoti_lint.rerun.named_files import line_at
from aoti_lint.rerun.plan.consent import Consent

SCHEMA: Final = "aoti-lint/rerun/1"


class Place(Frozen):
    """A line of the user's code."""

    path: str
    line: int
    function: str = ""
    text: str = ""


def place_at(path: str, line: int, function: str = "") -> Place:
    """A line of a file with its text, which is empty where the file is not there."""
    return Place(path=path, line=line, function=function, text=line_at(path, line))


class Values(Frozen):
    """What was in an argument before or after a launch. Numbers are of its finite values, as far as they are known."""

    argument: str
    when: Literal["before", "after"]
    dtype: str
    shape: tuple[int, ...]
    device: str = ""
    low: float | None = None
    high: float | None = None
    mean: float | None = None
    nan: int | None = Field(default=None, description="How many; None if nobody counted them.")
    inf: int | None = None
    bars: str = Field(default="", description="How they are spread from the lowest to the highest.")
    bad: bool = False
    masked: bool = Field(default=False, description="What is bad in it is -inf alone, as masks have it.")
    fresh: bool = Field(default=False, description="Memory that nothing had written yet: what is in it is no fault.")


class Launch(Frozen):
    """One launch in the compiled model, the first has number 1. An `op` is called through torch and prints nothing."""

    number: int
    name: str
    kind: Literal["kernel", "extern", "op"]
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    places: tuple[Place, ...] = Field(default=(), description="The lines it was made from, the nearest first.")
    source: str = Field(default="", description="Its source in the package: C++, Triton, or the call.")


class Culprit(Frozen):
    """Who did it. `what` is a sentence; `sure` says whether a run showed it, or only points there."""

    kind: Literal["kernel", "op", "input", "code", "package", "setting"]
    name: str
    what: str
    sure: bool
    fix: str = ""
    launch: Launch | None = None
    place: Place | None = None
    values: tuple[Values, ...] = ()
    chain: tuple[Launch, ...] = Field(
        default=(), description="The launches that handed it on, from the one after the culprit to where it showed."
    )
    rules: tuple[str, ...] = ()


class Ran(Frozen):
    """One process that was run. `log` is relative to the folder of the report."""

    command: tuple[str, ...]
    environment: dict[str, str]
    config: dict[str, Any] = Field(default_factory=dict)
    replace: dict[str, str] = Field(default_factory=dict)
    code: int | None
    how: Literal["ended", "signal", "time", "memory", "stopped"]
    seconds: float
    log: str


class Tried(Frozen):
    """A stage that was run, and what it showed in sentences."""

    stage: str
    title: str
    ran: tuple[Ran, ...]
    shows: tuple[str, ...] = ()


class Result(Frozen):
    """All of it, as `report.json` has it."""

    format: Literal["aoti-lint/rerun/1"] = SCHEMA
    schema_: Literal["aoti-lint/rerun/1"] = Field(default=SCHEMA, alias="schema", description=SAME)
    target: tuple[str, ...]
    symptom: str
    torch: str | None
    folder: str
    found: bool
    culprits: tuple[Culprit, ...] = Field(description="The likeliest first.")
    causes: tuple[dict[str, Any], ...] = Field(default=(), description="What `triage` says of the logs.")
    tried: tuple[Tried, ...]
    notes: tuple[str, ...] = ()
    repro: str | None = Field(default=None, description="A script that runs the culprit alone, relative to the folder.")
    consent: Consent | None = Field(default=None, description="What was said before anything was run.")
    stopped: bool = Field(default=False, description="Whether the run was interrupted: the report is partial.")
