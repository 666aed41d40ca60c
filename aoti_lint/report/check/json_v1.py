"""The JSON document `aoti-lint/1`: the models it is published by.

`aoti_lint.report.document` writes it, as plain dictionaries, so that no run imports pydantic only to print. These
models are its schema (`aoti-lint schema`) and the way to read it: `Document.model_validate_json(text)`. The format only
grows: a field is never removed, renamed or made optional.

Rows and columns are 1-based; columns count code points. `end_location` is exclusive. File names are relative to the
folder the command ran in, with `/`, where they can be.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from aoti_lint.diagnostics import Applicability, Confidence, Outcome, Severity, Symptom


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Location(_Model):
    """A point in a file."""

    row: int = Field(ge=1)
    column: int = Field(ge=1, description="Counted in code points.")


class RelatedPlace(_Model):
    """Another place that is part of the story of a finding."""

    message: str = Field(description="What happens there.")
    filename: str
    location: Location
    end_location: Location
    cell: int | None = Field(description="1-based index of the notebook's cell; rows then count within the cell.")


class EditOfFix(_Model):
    """Replace the text between two places."""

    content: str
    filename: str
    location: Location
    end_location: Location
    cell: int | None


class FixOffered(_Model):
    """A change that would remove the finding."""

    message: str
    applicability: Applicability = Field(
        description="`safe` keeps the meaning or is surely meant, `unsafe` may not, `display` is never applied."
    )
    edits: list[EditOfFix]


class PlaceInside(_Model):
    """A file of an archive, or beside a library."""

    member: str = Field(description="Its name, as `unzip -l` and `aoti-lint inspect` have it.")
    row: int | None = Field(description="The line of it, where that is known.")


class Finding(_Model):
    """One finding."""

    code: str = Field(description="Never renumbered or reused.")
    name: str
    severity: Severity
    confidence: Confidence
    doubt: str = Field(description="What keeps it from being certain; empty where it is.")
    outcome: Outcome = Field(description="What would happen if the code ran.")
    message: str
    filename: str
    location: Location
    end_location: Location
    cell: int | None = Field(description="1-based index of the notebook's cell; rows then count within the cell.")
    inside: PlaceInside | None = Field(description="Where in the archive it is, if the file is one and that is known.")
    label: str = Field(description="A few words about the place itself, to stand under it.")
    help: str = Field(description="What to do about it; may be empty.")
    notes: list[str]
    versions: list[str] = Field(description="Torch versions it holds for; empty if for all that the run looked at.")
    symptom: Symptom | None = Field(description="The failure it would be seen as.")
    url: str | None = Field(description="A page about the matter.")
    related: list[RelatedPlace]
    fix: FixOffered | None
    fingerprint: str = Field(description="Stays the same when other lines of the file change.")
    noqa_row: int = Field(ge=1, description="Row where a suppression comment may be put.")
    copies: list[str] = Field(description="Other files with the same content and use, of which the same is to be said.")


class FileProblem(_Model):
    """A file that could not be read or parsed."""

    filename: str
    message: str
    location: Location | None
    cell: int | None


class SkippedFile(_Model):
    """A file that was not checked, on purpose."""

    filename: str
    reason: str


class FolderVersions(_Model):
    """Torch versions that the code of one folder was judged for, because files in it say so."""

    folder: str
    versions: list[str]
    origin: str = Field(description="The file that says so.")


class TorchVersions(_Model):
    """The torch versions the code was judged for."""

    versions: list[str] = Field(description="Minor versions; empty if nothing had to be judged.")
    origin: str = Field(description="Where they come from.")
    below: list[FolderVersions] = Field(description="The folders that say something else, and hold something to judge.")


class PlaceOfStep(_Model):
    """Where a finding is."""

    filename: str
    location: Location
    cell: int | None


class UpgradeStep(_Model):
    """A version of torch in which findings of one rule begin or end, among the versions that were asked for."""

    version: str = Field(description="The minor version.")
    change: Literal["begins", "ends"]
    code: str
    name: str
    count: int
    places: list[PlaceOfStep]


class Summary(_Model):
    """What was found and what was looked at."""

    files: int = Field(description="Files named, or found in the named folders.")
    analysed: int = Field(description="Of these, files with something to analyse.")
    copies: int = Field(description="Of these, copies of analysed ones, which were not analysed once more.")
    quiet: int = Field(description="Of these, files in which nothing exports, compiles or loads a program.")
    context: int = Field(description="Other files read because the analysed ones use them.")
    errors: int
    warnings: int
    infos: int
    by_code: dict[str, int]
    held_back: int = Field(description="Possible findings, shown with --pedantic only.")
    suppressed: int = Field(description="Findings silenced by comments.")
    baselined: int = Field(default=0, description="Findings that stand in the baseline.")
    baseline_gone: int = Field(default=0, description="Findings of the baseline that are found no more.")
    notes: list[str] = Field(description="What was not analysed, and why.")


Kind = Literal["export", "compile", "package", "load", "call", "op", "fake"]
Aspect = Literal[
    "model", "forward", "inputs", "device", "dims", "program", "file", "settings", "content", "maker", "examples",
    "name", "schema", "kernel", "fake", "op", "body",
]  # fmt: skip


class KnownAspect(_Model):
    """One thing there is to know at a place."""

    aspect: Aspect
    known: bool
    text: str = Field(description="What it is where it is known, else why it is not; may be empty.")


class CoveredSite(_Model):
    """A place in the text that exports, compiles, packages, loads or calls a program, or defines an op or a fake."""

    kind: Kind
    filename: str
    location: Location
    end_location: Location
    cell: int | None
    followed: bool = Field(description="Whether the code around it was followed up to it.")
    aspects: list[KnownAspect] = Field(description="Known means: on one way there at least.")


class CoveredAspect(_Model):
    """At how many places of a kind one thing was known."""

    aspect: Aspect
    known: int


class CoveredKind(_Model):
    """The places of one kind."""

    kind: Kind
    sites: int = Field(description="How many there are, those included that were not followed.")
    followed: int
    aspects: list[CoveredAspect]


class Coverage(_Model):
    """What was known where something matters."""

    format: Literal["aoti-lint-coverage/1"]
    kinds: list[CoveredKind]
    sites: list[CoveredSite]
    unfinished: list[str] = Field(
        description="Files whose top level, and functions (`file::Class.method`) that were not followed to the end."
    )
    unread: list[str] = Field(description="Files that could not be read or parsed: what is in them is not counted.")


class Shard(_Model):
    """Which part of the named files a report is about."""

    number: int = Field(ge=1)
    of: int = Field(ge=1, description="How many parts there are.")


class Document(_Model):
    """The result of one run of aoti-lint."""

    format: Literal["aoti-lint/1"]
    version: str = Field(description="Version of aoti-lint.")
    torch: TorchVersions
    diagnostics: list[Finding]
    errors: list[FileProblem]
    skipped: list[SkippedFile]
    summary: Summary
    upgrade: list[UpgradeStep] = Field(
        default=[],
        description="Where several versions were asked for: when findings begin and end that do not hold for all.",
    )
    coverage: Coverage | None = Field(default=None, description="There with --coverage only.")
    shard: Shard | None = Field(default=None, description="There with --shard only.")

    @model_serializer(mode="wrap")
    def _written(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """As it was read: without what nobody asked for."""
        made: dict[str, Any] = write(self)
        for name in ("coverage", "shard"):
            if made[name] is None:
                del made[name]
        return made


def schema() -> dict[str, Any]:
    """The JSON Schema of the document."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Document.model_json_schema()}
