"""What a run of the linter says: diagnostics, their places and their fixes.

Plain dataclasses, because they are made on the fast path; `report.check.json_v1` holds the pydantic models of what
leaves the process.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Mapping
from enum import Enum
from typing import Any, Literal

from aoti_lint.lazily.dataclass import dataclass, field


class Severity(str, Enum):
    """How bad it is if the finding is right."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Confidence(str, Enum):
    """How sure we are.

    `certain`: fails under every consistent choice of branches, options and torch versions.
    `likely`: all values are known, but a branch, a default the user can override, or part of the versions decides.
    `possible`: advice, shown with `--pedantic` only.
    """

    CERTAIN = "certain"
    LIKELY = "likely"
    POSSIBLE = "possible"


class Outcome(str, Enum):
    """What would happen if the code ran."""

    RAISES_AT_IMPORT = "raises at import"
    RAISES_AT_EXPORT = "raises at export"
    RAISES_AT_COMPILE = "raises at compile"
    RAISES_AT_LOAD = "raises at load"
    RAISES_AT_CALL = "raises at call"
    RAISES = "raises"
    CRASH = "crash"
    SILENTLY_WRONG = "silently wrong"
    UNCHECKED = "unchecked"
    NO_EFFECT = "no effect"
    DEPRECATED = "deprecated"
    STYLE = "style"


Symptom = Literal[
    "illegal-memory-access", "segfault", "nan", "wrong-result", "device-mismatch", "shape-mismatch", "export-error",
    "compile-error", "load-error", "recompile", "cuda-graph-overwrite", "slow",
]  # fmt: skip
"""How a run fails, as the user sees it: what `aoti-lint rerun` has a plan for.

A package that raises while it runs is `shape-mismatch`, whatever an operator in it complains about, unless more is
known: its plan checks the inputs, names the operator that ran, and holds fakes against kernels.
"""

_BY_OUTCOME: Mapping[Outcome, Symptom] = {
    Outcome.RAISES_AT_IMPORT: "export-error",
    Outcome.RAISES_AT_EXPORT: "export-error",
    Outcome.RAISES_AT_COMPILE: "compile-error",
    Outcome.RAISES_AT_LOAD: "load-error",
    Outcome.RAISES_AT_CALL: "shape-mismatch",
    Outcome.RAISES: "compile-error",
    Outcome.CRASH: "segfault",
    Outcome.SILENTLY_WRONG: "wrong-result",
    Outcome.UNCHECKED: "wrong-result",
}


def symptom_of(outcome: Outcome) -> Symptom | None:
    """How an outcome is seen where a rule says nothing else; None for what fails no run."""
    return _BY_OUTCOME.get(outcome)


class Applicability(str, Enum):
    """`safe` keeps the meaning or is what was surely meant, `unsafe` may not, `display` is shown and never applied."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place: path relative to the project root (`/` separators), half-open UTF-8 byte offsets of the decoded text."""

    path: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Inside:
    """A file of an archive (or beside a library), with its line where that is known: what a person can look at."""

    member: str
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that is part of the story, with what happens there ("compiled for cuda here")."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` by `content`."""

    span: Span
    content: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that mend a finding together, and what they do in a few words."""

    title: str
    applicability: Applicability
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """Of the values that may be used at a place, the one that a finding is about: `answers` lead to it.

    `call` is the way to the place. `severity` and `confidence` are those of the finding if every value has it.
    """

    call: Hashable
    answers: Mapping[Any, bool]
    severity: Severity
    confidence: Confidence


@dataclass(slots=True)
class Diagnostic:
    """One finding.

    `versions` are the torch minors it holds for, as text ("2.13", "2.8–2.15"); empty when it holds for all the target
    set. `label` is the short text written under the primary place. `symptom` is the failure `aoti-lint rerun` would
    start from. `qualified_name` is the function or class the place stands in, for the fingerprint. `event` is the
    number of the event it is about, `chain` are the calls that led there, the nearest last. `about` is the place that
    the message speaks of, if the finding is told at another end of it. `doubt` is what keeps it from being certain.
    `inside` is where in an archive it is, if the place is an archive.
    """

    code: str
    name: str
    severity: Severity
    confidence: Confidence
    outcome: Outcome
    message: str
    span: Span
    label: str = ""
    related: tuple[Related, ...] = ()
    help: str = ""
    doubt: str = ""
    versions: tuple[str, ...] = ()
    symptom: Symptom | None = None
    fix: Fix | None = None
    qualified_name: str = ""
    fingerprint: str = ""
    copies: tuple[tuple[str, str], ...] = ()
    """The files with the same content and use, each with the fingerprint that this would have there."""
    notes: tuple[str, ...] = field(default_factory=tuple)
    case: Case | None = None
    event: tuple[object, int] | None = None
    chain: tuple[Span, ...] = ()
    about: Span | None = None
    inside: Inside | None = None
    others: tuple[Diagnostic, ...] = ()
    """The same on other ways that lead to this place, which have other ends."""

    @property
    def ends(self) -> list[Span]:
        """The places that take part in it."""
        return [self.span, *(related.span for related in self.related)]
