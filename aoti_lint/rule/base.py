"""The vocabulary of a rule.

A rule is one class in one file. Its docstring is its documentation (`aoti-lint explain CODE`), with these sections,
each a line of its own ending in a colon: `What happens:`, `Why:`, `Bad:` and `Good:` (indented Python that is run
through the linter as a test; a line ending in `# <- CODE` must get the finding, no other may), `How to debug:` and
`Sources:`. An example may have several files: a line `# file: NAME` starts each. Before them, lines
`# archive: NAME` put archives beside them, and `# torch: VERSION` says what the example is checked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar

from aoti_lint.called import CALLED
from aoti_lint.diagnostics import Case, Confidence, Diagnostic, Inside, Outcome, Related, Severity, Span, symptom_of
from aoti_lint.errors import did_you_mean
from aoti_lint.quoting.terminal import printable
from aoti_lint.rule.doubts import doubt
from aoti_lint.rule.events import Calling, Event, ExportEvent, Exporting, OnnxExport, Tracing
from aoti_lint.values.conditions import usual
from aoti_lint.values.judge import Verdict, weaker

if TYPE_CHECKING:
    from aoti_lint.machine.facts import Facts
    from aoti_lint.program.named import NamedArchive
    from aoti_lint.torch_api.versions import VersionSet
    from aoti_lint.values.conditions import Path


API = 1
"""The version of the interface of rules. The next one is due when a public name goes, or changes its meaning."""
MAX_CALLERS = 3
"""Call sites shown of the way to a finding, the nearest ones."""


class Rule:
    """Base of all rules, built-in or third-party.

    `code` is never renumbered or reused; `name` is what people say. `severity` is that of a finding that is certain.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity] = Severity.ERROR
    outcome: ClassVar[Outcome] = Outcome.RAISES
    api: ClassVar[int] = API
    """The version of `aoti_lint.rule` that it is written for; a rule that does not say takes what there is."""

    doubt: ClassVar[str] = ""
    """What is not known where a finding is not certain, if nothing else keeps it from that."""

    of_releases: ClassVar[bool] = False
    """Whether it knows what each release of torch does. It is not asked where torch's own sources lie in the project:
    what these do is what no release says."""
    in_exports: ClassVar[bool] = False
    """Whether its methods are also asked for what happens in the forward of what is exported."""
    onnx: ClassVar[bool] = False
    """Whether what it says of an export holds for `torch.onnx.export(…, dynamo=True)` too: then it is asked for it."""

    def __init_subclass__(cls) -> None:
        """Raises `TypeError` for a method `on_…` that is named after no event: it would never be asked."""
        super().__init_subclass__()
        known = kinds()
        for name in vars(cls):
            if name.startswith("on_") and name not in known:
                raise TypeError(f"{cls.__name__}.{name} is named after no event{did_you_mean(name, known)}")

    def check(self, facts: Facts) -> Iterable[Diagnostic]:
        """Judge the facts of one run (events, archives, versions) and yield what is wrong.

        A rule that judges each event by itself need not have this. It has methods instead that are named after the
        kinds of events: `on_export(facts, event)` is asked for each `ExportEvent`, `on_api_call` for each `ApiCall`.
        """
        asked = {kind: getattr(self, name) for name, kind in kinds().items() if hasattr(self, name)}
        if self.onnx and ExportEvent in asked:
            asked.setdefault(OnnxExport, asked[ExportEvent])
        if not asked:
            raise AssertionError(f"{type(self).__name__} does not say how to check")
        for event in facts.of(*asked, in_exports=self.in_exports):
            yield from asked[type(event)](facts, event)

    def exports(self, facts: Facts) -> Iterator[Exporting]:
        """The exports that the rule judges, with those to ONNX if it says so (`onnx`), in the order they happened."""
        return facts.of(Exporting if self.onnx else ExportEvent)

    def found(
        self,
        facts: Facts,
        event: Event,
        confidence: Confidence | Verdict,
        message: str,
        *,
        span: Span | None = None,
        failing: VersionSet | None = None,
        **parts: Any,
    ) -> Diagnostic:
        """The diagnostic for `event`, with the severity its confidence and versions allow.

        With the verdict of `judge` as its `confidence` it says what that hangs on. `failing` are the versions it fails
        in (default: all the event runs in). `parts` are further fields of `Diagnostic`: `outcome`, `label`, `related`,
        `help`, `doubt`, `symptom`, `fix`, `notes`, or a weaker `severity`.
        """
        assumed: Path = {}
        if isinstance(confidence, Verdict):
            assumed, confidence = confidence.assumed, confidence[0]
        failing = event.versions if failing is None else failing
        wanted = parts.pop("severity", self.severity)
        of_all = for_versions(facts, event.root, confidence, failing)
        confidence = weaker(of_all, _of_the_value(event))
        if event.is_after_failure or event.is_only_read:
            confidence, of_all = weaker(confidence, Confidence.LIKELY), weaker(of_all, Confidence.LIKELY)
        if event.expected:
            # A test demands that something here raises: whether it comes this far nobody knows.
            confidence = of_all = Confidence.POSSIBLE
        target = facts.versions_for(event.root)
        severity = weakened(wanted, confidence, failing, target)
        parts.setdefault("outcome", self.outcome)
        parts.setdefault("symptom", symptom_of(parts["outcome"]))
        unstated = for_versions(facts, event.root, Confidence.CERTAIN, failing) is not Confidence.CERTAIN
        own = parts.pop("doubt", self.doubt)
        parts["doubt"] = doubt(event, assumed, target - failing, unstated, own)
        shown = {related.span for related in parts.get("related", ())} | {span or event.span}
        callers = [Related(site, CALLED) for site in _callers(event) if site not in shown]
        parts["related"] = (*parts.get("related", ()), *callers)
        versions = () if failing == target else (str(failing),)
        if failing != target:
            confidence, of_all = weaker(confidence, Confidence.LIKELY), weaker(of_all, Confidence.LIKELY)
        if event.chosen:
            answers = {cond: event.path[cond] for cond in event.chosen if cond in event.path}
            severity_of_all = weakened(wanted, of_all, failing, target)
            parts["case"] = Case((event.root, event.chain), answers, severity_of_all, of_all)
        return Diagnostic(
            code=self.code, name=self.name, severity=severity, confidence=confidence, message=message,
            span=span or event.span, versions=versions, qualified_name=event.context, event=event.order,
            chain=event.chain, **parts,
        )  # fmt: skip

    def found_in(
        self,
        facts: Facts,
        archive: NamedArchive,
        confidence: Confidence,
        message: str,
        *,
        subject: str,
        member: str | None = None,
        row: int | None = None,
        failing: VersionSet | None = None,
        **parts: Any,
    ) -> Diagnostic:
        """The diagnostic for something in an archive, with its place at the top of the archive.

        `subject` names what it is about (a model, an input, an operator): with the rule and the path it is what the
        finding is known by. `member` is the file of the archive that shows it, as `Program` and `Package` name theirs,
        and `row` the line. `parts` are as in `found`. Texts out of the archive cannot disturb a terminal.
        """
        failing = facts.versions if failing is None else failing
        confidence = for_versions(facts, "", confidence, failing)
        severity = weakened(parts.pop("severity", self.severity), confidence, failing, facts.versions)
        if failing != facts.versions and confidence is Confidence.CERTAIN:
            confidence = Confidence.LIKELY
        parts.setdefault("outcome", self.outcome)
        parts.setdefault("symptom", symptom_of(parts["outcome"]))
        parts["versions"] = () if failing == facts.versions else (str(failing),)
        parts.setdefault("doubt", self.doubt)
        parts["inside"] = None if member is None else Inside(printable(member), row)
        parts["notes"] = tuple(map(printable, parts.get("notes", ())))
        for text in ("help", "label"):
            parts[text] = printable(parts.get(text, ""))
        return Diagnostic(
            code=self.code, name=self.name, severity=severity, confidence=confidence, message=printable(message),
            span=archive.span, qualified_name=printable(subject), **parts,
        )  # fmt: skip


@cache
def kinds() -> dict[str, type[Event]]:
    """The kinds of events by the methods of rules that are asked for them."""
    # All that there are: `rule.events` has loaded them.
    bases = (Event, Tracing, Exporting, Calling)
    every = (kind for base in bases for kind in base.__subclasses__() if kind not in bases)
    names = ((kind, kind.__name__.removesuffix("Event")) for kind in every)
    return {"on" + re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name): kind for kind, name in names}


def _callers(event: Event) -> list[Span]:
    """The last places of the way to an event that somebody calls from: a test is run by its own head."""
    return [
        site
        for site, inner in pairwise((*event.chain, event.span))
        if site.path != inner.path or not site.start <= inner.start <= inner.end <= site.end
    ][-MAX_CALLERS:]


def _of_the_value(event: Event) -> Confidence:
    """How sure it is that the value used at the place of an event is the one it is about, of several it may be."""
    found = Confidence.CERTAIN
    for cond in event.chosen:
        answer = event.path.get(cond)
        if cond.kind == "loop":
            if answer is not usual(cond):
                return Confidence.POSSIBLE
        elif cond.kind != "version" and answer is not None:
            found = weaker(found, Confidence.LIKELY if answer is usual(cond) else Confidence.POSSIBLE)
    return found


def for_versions(facts: Facts, root: str, confidence: Confidence, failing: VersionSet) -> Confidence:
    """`confidence`, for a fault that only the versions `failing` have, in what begins in the file `root`.

    Where nobody says which torch the code is for, what is right for the newest release, or does not run on it, is no
    more than possibly wrong.
    """
    if facts.stated_for(root) or facts.versions_for(root).last in failing:
        return confidence
    return Confidence.POSSIBLE


def weakened(wanted: Severity, confidence: Confidence, failing: VersionSet, target: VersionSet) -> Severity:
    """The severity to report: an error only if it is certain, and for all target versions."""
    if confidence is Confidence.POSSIBLE:
        return Severity.INFO
    if wanted is Severity.ERROR and (confidence is not Confidence.CERTAIN or failing != target):
        return Severity.WARNING
    return wanted
