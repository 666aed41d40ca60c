"""What `verify` found, as models that can leave the process."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from aoti_lint.program.verify.cases import Case
from aoti_lint.program.verify.judge import Finding, Verdict
from aoti_lint.program.verify.protocol import Role
from aoti_lint.quoting.frozen import Frozen


class Ran(Frozen):
    """A case that was run. `silent`: a package or program returned something wrong, or what nobody can judge."""

    case: Case
    finding: Finding
    silent: bool = False


class Failure(Frozen):
    """Something that is wrong, and the smallest case that shows it; `cases` are the names of all that did."""

    verdict: Verdict | Literal["training mode", "undeclared write"]
    text: str
    subject: Role | None = None
    reference: Role | None = None
    why: str = ""
    case: Case | None = None
    smallest: str = Field(default="", description="The case in words.")
    cases: tuple[str, ...] = ()
    code: str = Field(default="", description="Python that shows it.")


class Report(Frozen):
    """A whole run."""

    format: Literal["aoti-lint/verify-1"] = "aoti-lint/verify-1"
    file: str
    program: str | None = None
    script: str | None = None
    compared: tuple[Role, ...] = Field(description="Each against the one before.")
    torch: str
    device: str
    seed: int
    cases: tuple[Ran, ...]
    failures: tuple[Failure, ...]
    notes: tuple[str, ...] = ()

    @property
    def inside(self) -> list[Ran]:
        """The cases the contract allows."""
        return [ran for ran in self.cases if ran.case.inside]

    @property
    def outside(self) -> list[Ran]:
        """The cases beyond it."""
        return [ran for ran in self.cases if not ran.case.inside]
