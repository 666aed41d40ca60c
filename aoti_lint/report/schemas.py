"""The models of JSON documents that are written as plain dictionaries: their schemas, and what tests compare with.

A document only grows: a field is never removed, renamed or made optional.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from aoti_lint.diagnostics import Outcome, Severity, Symptom
from aoti_lint.quoting.frozen import SAME
from aoti_lint.report.check.json_v1 import Finding


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LineOfCode(_Model):
    """A line of the user's."""

    path: str
    line: int
    function: str | None


class CauseInLog(_Model):
    """A cause that a log names."""

    cause: str = Field(description="Its name, by which `aoti-lint explain` knows it, too.")
    title: str
    level: Literal["cause", "effect", "wall", "note"]
    line: int = Field(description="The line of the log.")
    text: str = Field(description="What stands there.")
    times: int
    code: LineOfCode | None
    why: str
    fix: str
    rules: list[str] = Field(description="The codes of the rules that find it before the run, where it shows there.")
    unseen: str = Field(description="Why no rule finds it before the run, where there is none; else empty.")
    symptom: Symptom | None
    rerun: list[str] = Field(description="Environment variables that make the next run tell more.")
    diagnostics: list[Finding] = Field(description="What these rules find in the sources that the log names.")


class KernelsInLog(_Model):
    """What the log says of kernels."""

    unfinished: str | None
    last: str | None


class Triage(_Model):
    """What `aoti-lint triage` says of a log."""

    format: Literal["aoti-lint/triage/1"]
    schema_: Literal["aoti-lint/triage/1"] = Field(alias="schema", description=SAME)
    log: str
    lines: int
    causes: list[CauseInLog]
    notes: list[CauseInLog]
    kernels: KernelsInLog
    last_error: str | None
    last_error_code: LineOfCode | None


class Values(_Model):
    """What is in a tensor; `low`, `high` and `mean` are of its finite values."""

    dtype: str
    shape: list[int]
    low: float | None
    high: float | None
    mean: float | None
    nan: int
    inf: int
    bars: str
    positive: int = Field(description="How many of the infinities are above zero.")


class Argument(_Model):
    """A tensor that was saved before or after a launch."""

    file: str
    when: str
    argument: str
    device: str | None
    written: bool = Field(description="Whether anything had been written to it.")
    values: Values | None
    problem: str | None


class LaunchOfKernel(_Model):
    """One launch."""

    kernel: str
    number: int | None
    finished: bool
    arguments: list[Argument]


class FirstBad(_Model):
    """Where bad values begin."""

    kernel: str
    number: int | None
    operator: str | None
    made: list[str]
    given: list[str]


class Tensors(_Model):
    """What `aoti-lint tensors` says of one folder."""

    format: Literal["aoti-lint/tensors/1"]
    schema_: Literal["aoti-lint/tensors/1"] = Field(alias="schema", description=SAME)
    launches: list[LaunchOfKernel]
    first_bad: FirstBad | None


class TensorDifference(_Model):
    """A tensor that is not the same in both runs."""

    when: str
    kernel: str
    argument: str
    files: list[str]
    difference: str


class TensorsCompared(_Model):
    """What `aoti-lint tensors` says of two folders."""

    format: Literal["aoti-lint/tensors/1"]
    schema_: Literal["aoti-lint/tensors/1"] = Field(alias="schema", description=SAME)
    compared: int
    differences: list[TensorDifference]
    alone: list[str] = Field(description="Files that one run alone has.")


class ExampleOfRule(_Model):
    """A program that a rule finds something in, or nothing."""

    files: dict[str, str] = Field(description="Text by file name.")
    archives: list[str] = Field(description="Programs and packages that lie beside them.")
    torch: str | None = Field(description="The version that it is checked for.")


class ExplainedRule(_Model):
    """A rule."""

    kind: Literal["rule"]
    code: str
    name: str
    severity: Severity
    outcome: Outcome
    summary: str
    what_happens: str
    why: str
    bad: list[ExampleOfRule]
    good: list[ExampleOfRule]
    how_to_debug: str
    sources: str
    url: str | None


class Misleading(_Model):
    """Where guides are wrong."""

    said: str
    really: str
    proof: str


class ExplainedName(_Model):
    """A variable, a setting, a log, a file or a function of torch's debugging guides."""

    kind: Literal["name"]
    name: str
    what: str = Field(description="What sort of name it is.")
    there: str = Field(description="Which versions of torch have it.")
    does: str
    read: str | None = Field(description="When it is read, or has its effect.")
    matters_for: str
    output: str
    values: dict[str, str]
    corrections: list[Misleading]
    used_by: str
    source: str
    see: list[str]


class ExplainedMessage(_Model):
    """A message of torch's."""

    kind: Literal["message"]
    text: str
    versions: str
    rules: list[str]


class ExplainedCause(_Model):
    """A cause of failed runs."""

    kind: Literal["cause"]
    name: str
    title: str
    why: str
    fix: str
    rules: list[str]
    unseen: str = Field(description="Why no rule finds it before the run, where there is none; else empty.")


class ExplainedSetting(_Model):
    """A setting of aoti-lint's configuration."""

    kind: Literal["setting"]
    name: str = Field(description="With the table that it stands in: `package.max-size`.")
    does: str
    where: str = Field(description="Where it is written.")
    option: str = Field(description="The option that says the same; may be empty.")


class Explained(_Model):
    """What `aoti-lint explain` says, in the order in which it was asked."""

    format: Literal["aoti-lint-explain/1"]
    entries: list[ExplainedRule | ExplainedName | ExplainedMessage | ExplainedCause | ExplainedSetting]


class BaselineLine(_Model):
    """A line of a baseline: the first has the format alone, all others a finding."""

    format: Literal["aoti-lint-baseline/1"] | None = None
    path: str | None = Field(default=None, description="Relative to the project root.")
    code: str | None = None
    line: str | None = Field(default=None, description="The text of the line, for people.")
    fingerprint: str | None = Field(default=None, description="What the finding is known by.")
