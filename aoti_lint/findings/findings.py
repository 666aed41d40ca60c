"""What the rules find in one project, as far as the user wants to see it.

The expensive half of a run; `aoti_lint.engine.run` comes here only when there is something to do.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Any

from aoti_lint.called import CALLED
from aoti_lint.catalogue.registry import Registry
from aoti_lint.catalogue.selection import codes_of
from aoti_lint.catalogue.site import page_of
from aoti_lint.diagnostics import Confidence, Diagnostic, Related
from aoti_lint.findings import fingerprint
from aoti_lint.findings.judging import Judging
from aoti_lint.findings.logical import LogicalLines, PlainLines
from aoti_lint.findings.suppress import Suppressions, mentioned
from aoti_lint.lazily.dataclass import replace
from aoti_lint.machine.facts import Facts
from aoti_lint.options import Options
from aoti_lint.profile import OFF, Timer
from aoti_lint.report.document import Places, empty_document, summarise
from aoti_lint.source.discovery.discover import ARCHIVE_SUFFIXES, is_native
from aoti_lint.source.discovery.ignores import Patterns
from aoti_lint.source.project import Project

_SURENESS = list(Confidence)
MAX_MORE = 6
"""Ends of other ways to a finding that are told with it."""


class Findings:
    """The rules of one run, applied to one project."""

    def __init__(
        self,
        project: Project,
        options: Options,
        registry: Registry,
        archives: Sequence[str] = (),
        timer: Timer = OFF,
        judging: Judging | None = None,
    ) -> None:
        """`archives` are the paths of those that were named.

        Raises `CannotRun` for a rule name the registry does not know.
        """
        self._sources = [path for path in (*project.all_files, *project.settings) if project.owns(path)]
        self.named = frozenset((*self._sources, *filter(project.owns, archives)))
        """The files that this run, or this shard of it, reports."""
        self.is_first_shard = options.shard is None or options.shard[0] == 1
        self._project, self._options, self._registry = project, options, registry
        config = options.config
        place = config.path or "the configuration"
        self._judging = judging or Judging(options, registry, timer)
        self._ignored_in = [
            (
                Patterns(str(project.root), [pattern]),
                frozenset().union(*(codes_of(registry, word, f"{place}: per-file-ignores") for word in words)),
            )
            for pattern, words in config.per_file_ignores.items()
        ]
        self._strangers = sorted(code for code in registry.names if not code.startswith("AOTI"))
        """The codes of the rules of others, which comments may name."""
        self._logical: dict[str, LogicalLines | PlainLines] = {}
        self._suppressing: dict[str, Suppressions | None] = {}
        self.suppressed: list[Diagnostic] = []
        """What comments suppress; known after `of`."""

    def of(self, facts: Facts | None) -> list[Diagnostic]:
        """What the rules find that the named files take part in, without what comments suppress.

        In order of the places: each is told in a named file, be it at another end of what it is about.

        `facts` is None when no file had anything to analyse; then only the comments are judged.
        """
        named = self.named
        found = facts.judged if facts is not None and facts.judged is not None else self._judging.found(facts)
        ends = [(one, ways) for one in found if (ways := _ways_in(named, one))]
        places = {one.span.path for one, _ in ends}
        fingerprint.fill(
            _sorted(one for one in found if one.span.path in places),
            self._place_of,
            self._shape_at,
            self.line_at,
            self._project.copies,
        )
        kept: list[Diagnostic] = []
        for one, ways in ends:
            wanted = [way for way in ways if self._is_wanted(one, told_in(named, way))]
            left = [way for way in wanted if not self._is_suppressed(way)]
            if left:
                way = replace(_with_ends_of(left[0], left[1:]), fingerprint=one.fingerprint, copies=one.copies)
                kept.append(told_in(named, way))
            elif wanted:
                self.suppressed.append(one)
        for path in filter(lambda path: path not in self._project.copied, self._sources):
            kept += self._about_comments(path)
        return _sorted(kept)

    def document(self, findings: Sequence[Diagnostic], name_of: Callable[[str], str]) -> dict[str, Any]:
        """The document of these findings, with what is only possible held back unless the user wants it."""
        shown = self.shown(findings)
        places = Places(self._project.source, name_of)
        document = empty_document()
        document["diagnostics"] = [
            places.finding(
                item,
                url=page_of(self._registry.rule(item.code)),
                last_row=self._rows(item)[-1],
                copies=self._project.copies.get(item.span.path, ()),
            )
            for item in shown
        ]
        document["summary"]["held_back"] = len(findings) - len(shown)
        document["summary"]["suppressed"] = len(self.suppressed)
        summarise(document)
        return document

    def shown(self, findings: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Those that are sure enough for the user."""
        return [item for item in findings if self._options.pedantic or item.confidence is not Confidence.POSSIBLE]

    def _is_wanted(self, finding: Diagnostic, told: Diagnostic) -> bool:
        """Whether the user wants to hear of this in the file it is about, and in the one where it is `told`."""
        return all(one.code in self.enabled_in(one.span.path) for one in (finding, told))

    def _is_suppressed(self, way: Diagnostic) -> bool:
        """Whether a comment at any end of a finding on one way suppresses it; each that does is of use."""
        hidden = False
        for span in dict.fromkeys(way.ends):
            comments = self._comments(span.path)
            hidden |= comments is not None and comments.hides(way.code, span.start)
        return hidden

    def _comments(self, path: str) -> Suppressions | None:
        """The suppression comments of a file; None where it has none, or they do not count."""
        if path not in self._suppressing:
            self._suppressing[path] = None
            text = path.endswith(ARCHIVE_SUFFIXES) or not self._options.ignores
            if not text and self._may_have_comments(path):
                source = self._project.source(path)
                if source is not None and not any(problem.path == path for problem in self._project.problems):
                    self._suppressing[path] = Suppressions(source, self._logical_lines(path), self._registry)
        return self._suppressing[path]

    def _may_have_comments(self, path: str) -> bool:
        project, registry = self._project, self._registry
        return project.once("comments", path, lambda: mentioned(project.data(path) or b"", registry), *self._strangers)

    def _about_comments(self, path: str) -> list[Diagnostic]:
        """What there is to say about the comments of a named file."""
        comments = self._comments(path)
        if comments is None:
            return []
        enabled, told = self.enabled_in(path), list[Diagnostic]()
        for item in (*comments.unused(enabled), *comments.malformed):
            if item.code in enabled:
                (self.suppressed if comments.hides(item.code, item.span.start) else told).append(item)
                item.severity = self._judging.severity_of(item)
        fingerprint.fill(_sorted(told), lambda *_: ("", None), self._shape_at, self.line_at)
        return told

    def enabled_in(self, path: str) -> frozenset[str]:
        """The codes of the rules that run over a file."""
        absolute = os.path.join(self._project.root, path)
        return self._judging.enabled.difference(
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

    def line_at(self, path: str, offset: int) -> str:
        """The line at a place."""
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
        row = source.lines.position(diagnostic.span.start)[0]

        def made() -> list[int]:
            rows = self._logical_lines(path).rows(row)
            return [rows.start, rows.stop]

        return range(*self._project.once("rows", path, made, row, is_native(path), path in self._project.settings))


def _ways_in(named: Container[str], finding: Diagnostic) -> list[Diagnostic]:
    """The ways that lead to a finding and that the named files take part in."""
    return [one for one in (finding, *finding.others) if any(span.path in named for span in one.ends)]


def _with_ends_of(first: Diagnostic, others: Iterable[Diagnostic]) -> Diagnostic:
    """A finding with the ends that other ways to it have and it has not."""
    shown = set(first.ends)
    more: list[Related] = []
    for related in (one for other in others for one in other.related if one.message != CALLED):
        if related.span not in shown and len(more) < MAX_MORE:
            shown.add(related.span)
            more.append(related)
    return replace(first, related=(*first.related, *more)) if more else first


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
        finding, span=here.span, label=here.message, about=finding.span, fix=fix, inside=None,
        related=(Related(finding.span, finding.label or "this is what goes wrong"), *others),
    )  # fmt: skip


def _sorted(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    return sorted(found, key=lambda item: (item.span, item.code, item.message))
