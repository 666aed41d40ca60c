"""What the rules find in one project, as far as the user wants to see it.

The expensive half of a run; `aoti_lint.engine` comes here only when there is something to do.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from aoti_lint.cases import settled
from aoti_lint.catalogue.registry import Registry
from aoti_lint.catalogue.selection import codes_of, levels, selected
from aoti_lint.diagnostics import Confidence, Diagnostic, Related, Severity, Span
from aoti_lint.errors import CannotRun
from aoti_lint.findings import fingerprint
from aoti_lint.findings.logical import LogicalLines, PlainLines
from aoti_lint.findings.suppress import Suppressions, mentioned
from aoti_lint.lazily.dataclass import replace
from aoti_lint.machine.facts import Facts
from aoti_lint.options import Options
from aoti_lint.profile import OFF, Timer
from aoti_lint.report.document import Places, empty_document, summarise
from aoti_lint.rule import Rule
from aoti_lint.rule.base import MAX_CALLERS
from aoti_lint.source.discover import ARCHIVE_SUFFIXES, is_native
from aoti_lint.source.ignores import Patterns
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.meter import METER, RULE_WORK, BudgetSpent

_SURENESS = list(Confidence)


class Findings:
    """The rules of one run, applied to one project."""

    def __init__(
        self, project: Project, options: Options, registry: Registry, archives: Sequence[str] = (), timer: Timer = OFF
    ) -> None:
        """`archives` are the paths of those that were named.

        Raises `CannotRun` for a rule name the registry does not know.
        """
        self._archives, self._timer = archives, timer
        self._project, self._options, self._registry = project, options, registry
        config = options.config
        place = config.path or "the configuration"
        self._severity: dict[str, Severity | None] = {}
        for word, severity in config.severity.items():
            for code in codes_of(registry, word, f"{place}: severity"):
                self._severity[code] = None if severity == "off" else Severity(severity)
        off = {code for code, severity in self._severity.items() if severity is None}
        self._enabled = selected(registry, levels(options)) - off
        self._ignored_in = [
            (
                Patterns(str(project.root), [pattern]),
                frozenset().union(*(codes_of(registry, word, f"{place}: per-file-ignores") for word in words)),
            )
            for pattern, words in config.per_file_ignores.items()
        ]
        self._logical: dict[str, LogicalLines | PlainLines] = {}
        self._suppressing: dict[str, Suppressions | None] = {}
        self.suppressed: list[Diagnostic] = []
        """What comments suppress; known after `of`."""

    def of(self, facts: Facts | None) -> list[Diagnostic]:
        """What the rules find that the named files take part in, without what comments suppress.

        In order of the places: each is told in a named file, be it at another end of what it is about.

        `facts` is None when no file had anything to analyse; then only the comments are judged.
        """
        sources = [path for path in (*self._project.all_files, *self._project.settings) if self._project.owns(path)]
        named = {*sources, *filter(self._project.owns, self._archives)}
        found = self._found(facts)
        ends = [one for one in found if any(span.path in named for span in _ends(one))]
        places = {one.span.path for one in ends}
        fingerprint.fill(
            _sorted(one for one in found if one.span.path in places), self._place_of, self._shape_at, self._line_at
        )
        pairs = [(one, told_in(named, one)) for one in ends]
        kept = [told for one, told in pairs if self._is_wanted(one, told) and not self._is_suppressed(one)]
        for path in sources:
            kept += self._about_comments(path)
        return _sorted(kept)

    def document(self, findings: Sequence[Diagnostic], name_of: Callable[[str], str]) -> dict[str, Any]:
        """The document of these findings, with what is only possible held back unless the user wants it."""
        shown = [item for item in findings if self._options.pedantic or item.confidence is not Confidence.POSSIBLE]
        places = Places(self._project.source, name_of)
        document = empty_document()
        document["diagnostics"] = [
            places.finding(item, url=self._url(item.code), last_row=self._rows(item)[-1]) for item in shown
        ]
        document["summary"]["held_back"] = len(findings) - len(shown)
        document["summary"]["suppressed"] = len(self.suppressed)
        summarise(document)
        return document

    def _found(self, facts: Facts | None) -> list[Diagnostic]:
        """What the enabled rules find; of several findings that say the same, the surest, then the shortest to tell."""
        best: dict[tuple[object, ...], Diagnostic] = {}
        if facts is None:
            return []
        for rule in self._registry:
            if rule.code in self._enabled:
                with self._timer.during("rule", f"{rule.code} {rule.name}"):
                    checked = _checked(rule, facts)
                for diagnostic in settled(checked):
                    if diagnostic.versions == NO_VERSION:
                        continue
                    key = (diagnostic.code, diagnostic.span, diagnostic.message)
                    other = best.get(key)
                    if other is None or _rank(diagnostic) < _rank(other):
                        best[key] = diagnostic
        found = list(_told_once(best.values()))
        for diagnostic in found:
            diagnostic.severity = self._severity_of(diagnostic)
        return found

    def _severity_of(self, diagnostic: Diagnostic) -> Severity:
        """An error is certain, and for all versions; what the configuration says wins, but for mere possibilities."""
        if diagnostic.confidence is Confidence.POSSIBLE:
            return Severity.INFO
        wanted = self._severity.get(diagnostic.code)
        if wanted is not None:
            return wanted
        doubtful = diagnostic.confidence is not Confidence.CERTAIN or diagnostic.versions
        if doubtful and diagnostic.severity is Severity.ERROR:
            return Severity.WARNING
        return diagnostic.severity

    def _is_wanted(self, finding: Diagnostic, told: Diagnostic) -> bool:
        """Whether the user wants to hear of this in the file it is about, and in the one where it is `told`."""
        return all(one.code in self._enabled_in(one.span.path) for one in (finding, told))

    def _is_suppressed(self, finding: Diagnostic) -> bool:
        """Whether a comment at any end of a finding suppresses it; each that does is of use."""
        hidden = False
        for span in dict.fromkeys(_ends(finding)):
            comments = self._comments(span.path)
            hidden |= comments is not None and comments.hides(finding.code, span.start)
        if hidden:
            self.suppressed.append(finding)
        return hidden

    def _comments(self, path: str) -> Suppressions | None:
        """The suppression comments of a file; None where it has none, or they do not count."""
        if path not in self._suppressing:
            self._suppressing[path] = None
            text = path.endswith(ARCHIVE_SUFFIXES) or not self._options.ignores
            if not text and mentioned(self._project.data(path) or b"", self._registry):
                source = self._project.source(path)
                if source is not None and not any(problem.path == path for problem in self._project.problems):
                    self._suppressing[path] = Suppressions(source, self._logical_lines(path), self._registry)
        return self._suppressing[path]

    def _about_comments(self, path: str) -> list[Diagnostic]:
        """What there is to say about the comments of a named file."""
        comments = self._comments(path)
        if comments is None:
            return []
        enabled, told = self._enabled_in(path), list[Diagnostic]()
        for item in (*comments.unused(enabled), *comments.malformed):
            if item.code in enabled:
                (self.suppressed if comments.hides(item.code, item.span.start) else told).append(item)
                item.severity = self._severity_of(item)
        fingerprint.fill(_sorted(told), lambda *_: ("", None), self._shape_at, self._line_at)
        return told

    def _enabled_in(self, path: str) -> frozenset[str]:
        absolute = os.path.join(self._project.root, path)
        return self._enabled.difference(
            *(codes for patterns, codes in self._ignored_in if patterns.verdict(absolute, False))
        )

    def _place_of(self, path: str, offset: int) -> fingerprint.Place:
        if not path.endswith((".py", ".pyi", ".ipynb")):
            return "", None
        project = self._project
        name, start = project.once("place", path, lambda: fingerprint.place_in(project.module(path), offset), offset)
        return name, start

    def _shape_at(self, path: str, start: int) -> str:
        """The shape of the statement that begins here."""

        def made() -> str:
            module = self._project.module(path)
            assert module is not None
            return fingerprint.shape(fingerprint.locate(module, start)[1])

        return self._project.once("shape", path, made, start)

    def _line_at(self, path: str, offset: int) -> str:
        source = self._project.source(path)
        return "" if source is None else source.lines.line_text(source.lines.position(offset)[0])

    def _logical_lines(self, path: str) -> LogicalLines | PlainLines:
        if path not in self._logical:
            source = self._project.source(path)
            assert source is not None
            native = is_native(path)
            plain = native or path in self._project.settings
            self._logical[path] = PlainLines(source.lines, slashes=native) if plain else LogicalLines(source.lines)
        return self._logical[path]

    def _rows(self, diagnostic: Diagnostic) -> range:
        """The rows of the statement a finding starts in."""
        path = diagnostic.span.path
        source = self._project.source(path)
        if source is None:
            return range(1, 2)
        return self._logical_lines(path).rows(source.lines.position(diagnostic.span.start)[0])

    def _url(self, code: str) -> str | None:
        from aoti_lint.catalogue.rule_docs import read

        return read(type(self._registry.by_code[code]).__doc__ or "").url


NO_VERSION = (str(VersionSet()),)
"""What a diagnostic says that fails in none of the versions in question: it is no finding."""


def _checked(rule: Rule, facts: Facts) -> list[Diagnostic]:
    """What a rule finds; where it has too much to compare, what it found until then."""
    found: list[Diagnostic] = []
    tell = partial(facts.notes.append, f"{rule.code} ({rule.name}) was not finished: there is too much to compare")
    try:
        with METER.allotted(RULE_WORK, tell):
            for diagnostic in rule.check(facts):
                found.append(diagnostic)
    except BudgetSpent:
        pass
    except Exception as error:
        if type(rule).__module__.startswith("aoti_lint."):
            raise
        raise CannotRun(
            f"rule {rule.code} of {type(rule).__module__} failed: {type(error).__name__}: {error}"
        ) from error
    return found


def _rank(diagnostic: Diagnostic) -> tuple[object, ...]:
    """What decides between findings that say the same of one place: not which of them was found first."""
    related = diagnostic.related
    sureness = _SURENESS.index(diagnostic.confidence), len(diagnostic.versions)
    return *sureness, len(related), [(one.span, one.message) for one in related], diagnostic.help


def _told_once(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The findings, those of one rule at one place once, however many ways lead there: the surest, with the others'.

    What one way to a place has several of (two dimensions of one export) stays several.
    """
    places: dict[tuple[str, Span], list[Diagnostic]] = defaultdict(list)
    for one in found:
        places[one.code, one.span].append(one)
    for group in places.values():
        first, *rest = sorted(group, key=lambda one: (*_rank(one), one.message))
        others = [one for one in rest if one.event != first.event]
        calls = [Related(_apart(one, first), f"from here too: {one.message}") for one in others]
        first.related += tuple(call for call in calls[:MAX_CALLERS] if call.span != first.span)
        if len(others) > MAX_CALLERS:
            first.notes += (f"further ways that lead here, and go wrong: {len(others) - MAX_CALLERS}",)
        yield from (one for one in group if one.event == first.event)


def _apart(one: Diagnostic, other: Diagnostic) -> Span:
    """The nearest call on the way to one finding that the other does not share."""
    return next((site for site in reversed(one.chain) if site not in other.chain), one.span)


def _ends(finding: Diagnostic) -> list[Span]:
    """The places that take part in a finding."""
    return [finding.span, *(related.span for related in finding.related)]


def told_in(named: Container[str], finding: Diagnostic) -> Diagnostic:
    """A finding as it is told in the files that were named: at its place, else at the first other end of it there."""
    if finding.span.path in named:
        return finding
    here = next(related for related in finding.related if related.span.path in named)
    others = tuple(related for related in finding.related if related != here)
    fix = finding.fix
    if fix is not None and any(edit.span.path not in named for edit in fix.edits):
        fix = None
    return replace(
        finding, span=here.span, label=here.message, about=finding.span, fix=fix,
        related=(Related(finding.span, finding.label or "this is what goes wrong"), *others),
    )  # fmt: skip


def _sorted(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    return sorted(found, key=lambda item: (item.span, item.code, item.message))
