"""What `probe` found, as models that can leave the process."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from aoti_lint.probe.finding import Finding, Place
from aoti_lint.quoting.frozen import Frozen

Status = Literal["probed", "not probed", "crashed", "hung"]


class Probed(Frozen):
    """One operator."""

    name: str = Field(description='As the dispatcher lists it: "ns::name", or "ns::name.overload".')
    schema_: str = Field(default="", alias="schema")
    status: Status = Field(description="Only an operator that was probed, and has no finding, is right as far as seen.")
    error: str = Field(default="", description="Why it was not probed, or how it ended.")
    inputs: tuple[str, ...] = Field(default=(), description="What it was probed with; other sizes were made from them.")
    given: bool = Field(default=False, description="The inputs came from the user; otherwise they were made up.")
    tried: int = Field(default=0, description="How many inputs were made until the fake took one.")
    compared: int = Field(default=0, description="For how many inputs the kernel ran and was compared with.")
    kernel: str = Field(default="", description="Why the kernel was not compared with.")
    fake: Place | None = Field(default=None, description="The fake function, if it is Python of the user.")
    findings: tuple[Finding, ...] = ()

    @property
    def faults(self) -> list[Finding]:
        """The findings that are wrong for every caller."""
        return [finding for finding in self.findings if finding.level == "fault"]


class Report(Frozen):
    """A whole run."""

    format: Literal["aoti-lint/probe-1"] = "aoti-lint/probe-1"
    torch: str
    targets: tuple[str, ...]
    ops: tuple[Probed, ...]
    errors: dict[str, str] = Field(description="What importing a target raised; what it had registered was probed.")

    @property
    def failed(self) -> list[Probed]:
        """The operators with something wrong."""
        return [op for op in self.ops if op.faults or op.status in ("crashed", "hung")]
