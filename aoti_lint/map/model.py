"""The JSON document `aoti-lint-map/1`: the steps of all flows, the arrows between them, and the findings on both.

It is what the picture is drawn from, and as `aoti-lint check` it only grows: no field is removed or renamed.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from aoti_lint.report.check.json_v1 import FileProblem, Finding, Location, TorchVersions

Kind = Literal[
    "model", "op", "setting", "export", "save", "reload", "package", "bundle", "archive", "load", "host", "call"
]  # fmt: skip


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Place(_Model):
    """Where a step stands in the code."""

    filename: str
    location: Location
    cell: int | None = Field(description="1-based index of the notebook's cell; rows then count within the cell.")


class Detail(_Model):
    """One thing there is to know of a step."""

    name: str
    known: bool
    text: str = Field(description="What it is where it is known, else why it is not; may be empty.")
    usual: str = Field(description="What it is by default, if it is not known as an option may change it; else empty.")


class Step(_Model):
    """Something that happens to a model, or takes part in it."""

    id: str
    kind: Kind = Field(
        description="`save` writes an exported program and `reload` reads it again, `package` compiles one, `bundle` "
        "puts several compiled models into one file, `archive` is a .pt2 that was named, `host` is C++ that loads."
    )
    title: str
    place: Place | None = Field(description="None for what is not in the files that were read.")
    details: list[Detail]
    findings: list[str] = Field(description="Fingerprints of what is found at the step itself.")


class Arrow(_Model):
    """One step uses what another one gives."""

    start: str
    end: str
    sure: bool = Field(description="Whether that is certain; else it is likely, as several may be meant.")
    findings: list[str] = Field(description="Fingerprints of what is found between them: their two ends do not fit.")


class Flow(_Model):
    """Steps that hang together, from the exports to the calls, with the models, operators and settings they use."""

    folder: str = Field(description="That of its first step.")
    title: str
    steps: list[str] = Field(description="In their order. Models, operators and settings may be in several flows.")
    findings: list[str] = Field(description="Fingerprints of all that is found in it, each once.")


class Map(_Model):
    """The flows of a project."""

    format: Literal["aoti-lint-map/1"]
    version: str = Field(description="Version of aoti-lint.")
    torch: TorchVersions
    steps: list[Step]
    arrows: list[Arrow]
    flows: list[Flow]
    apart: list[str] = Field(description="Steps that are in no flow: operators that nothing exported is seen to use.")
    elsewhere: list[str] = Field(description="Fingerprints of the findings that are at no step.")
    findings: list[Finding]
    errors: list[FileProblem]
    notes: list[str] = Field(description="What was not analysed, and why.")
