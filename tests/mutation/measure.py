"""Break every fake of some sources in every way we know, and see what of that the linter finds."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from aoti_lint.diagnostics import Diagnostic
from tests.mutation import written
from tests.mutation.analysis import Linked, Place, linked, run
from tests.mutation.mutators import Mutant, makes_outputs, mutants
from tests.mutation.source import Fake, Text, apply

MENTIONS = re.compile(rb"register_fake|impl_abstract|fake_impl|[\"']Meta[\"']|register_meta|register_custom_op")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one mutant. `found` are the codes of what is new in its fake, `sure` those not merely possible."""

    path: str
    function: str
    row: int
    mutant: Mutant
    linked: bool
    found: frozenset[str]
    sure: frozenset[str]

    @property
    def killed(self) -> bool:
        return bool(self.found)

    @property
    def named(self) -> bool:
        """Whether a rule that names this very fault found it."""
        return bool(self.found & self.mutant.codes)


@dataclass(slots=True)
class Subject:
    """A fake of one file: its number among the functions of the file, and its mutants."""

    path: str
    index: int
    linked: bool
    fake: Fake
    mutants: list[Mutant]


@dataclass(slots=True)
class Measure:
    """The sources of one package: the fakes in them, what is found as they are, and the outcomes of their mutants."""

    root: str
    files: list[str]
    subjects: list[Subject] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)


def files_with_fakes(root: str) -> list[str]:
    """The Python files under a folder that may register a fake, relative to it."""
    return sorted(
        path.relative_to(root).as_posix() for path in Path(root).rglob("*.py") if MENTIONS.search(path.read_bytes())
    )


def begin(root: str, files: list[str]) -> Measure:
    """Analyse the sources as they are, and find their fakes."""
    facts, findings = run(root, files, {})
    links = linked(facts)
    texts = {path: Text(Path(root, path).read_bytes()) for path in {*files, *(p.path for p in links)}}
    measure = Measure(root, files, findings=findings)
    for path in sorted(texts):
        by_end = {place.end: one for place, one in links.items() if place.path == path}
        named = {id(f) for f in written.fakes(texts[path].tree)}
        for index, function in enumerate(texts[path].functions):
            link = by_end.get(texts[path].end(function))
            if link is not None or id(function) in named:
                measure.subjects.append(_subject(texts, path, index, function, link))
    return measure


def _subject(texts: dict[str, Text], path: str, index: int, function: ast.FunctionDef, link: Linked | None) -> Subject:
    kernels = [] if link is None else [f for place in link.kernels for f in _function(texts, place)]
    own = any(kernel is function for kernel in kernels)
    kernel = not own and any(makes_outputs(one) for one in kernels)
    fake = Fake(texts[path], function, link is not None and link.schema, kernel)
    return Subject(path, index, link is not None, fake, mutants(fake))


def _function(texts: dict[str, Text], place: Place) -> Iterator[ast.FunctionDef]:
    if place.path in texts:
        text = texts[place.path]
        yield from (f for f in text.functions if text.end(f) == place.end)


def rounds(subjects: list[Subject]) -> Iterator[tuple[str, int, bytes]]:
    """Each file with the mutants of one number in it, as many times as its fakes have mutants."""
    for path in sorted({s.path for s in subjects}):
        of_path = [s for s in subjects if s.path == path]
        for number in range(max(len(s.mutants) for s in of_path)):
            edits = [edit for s in of_path for mutant in s.mutants[number : number + 1] for edit in mutant.edits]
            yield path, number, apply(of_path[0].fake.text.data, edits)


def measure_all(measure: Measure) -> None:
    """Run all mutants, one of each fake at a time: no fake knows of another."""
    texts: dict[int, dict[str, bytes]] = {}
    for path, number, changed in rounds(measure.subjects):
        texts.setdefault(number, {})[path] = changed
    for number, of_round in texts.items():
        _measure_round(measure, number, of_round)


def _measure_round(measure: Measure, number: int, changed: dict[str, bytes]) -> None:
    subjects = [s for s in measure.subjects if number < len(s.mutants)]
    before = {(s.path, s.index): Counter(_within(s.fake.text, s.index, measure.findings, s.path)) for s in subjects}
    _, findings = run(measure.root, measure.files, changed)
    texts = {path: Text(data) for path, data in changed.items()}
    for subject in subjects:
        after = Counter(_within(texts[subject.path], subject.index, findings, subject.path))
        new = list((after - before[subject.path, subject.index]).elements())
        mutant = subject.mutants[number]
        measure.outcomes.append(
            Outcome(
                subject.path,
                subject.fake.node.name,
                subject.fake.text.row(mutant.edits[0][0]),
                mutant,
                subject.linked,
                frozenset(code for code, _, _ in new),
                frozenset(code for code, _, sure in new if sure),
            )
        )


def _within(text: Text, index: int, findings: list[Diagnostic], path: str) -> Iterator[tuple[str, str, bool]]:
    """The code, the message without its numbers, and the sureness of what is found in one function."""
    start, end = text.region(text.functions[index])
    for one in findings:
        spans = [one.span, *(related.span for related in one.related)]
        if any(span.path == path and start <= span.start < end for span in spans):
            yield one.code, re.sub(r"\d+", "#", one.message), one.confidence.value != "possible"


def findings_in_fakes(measure: Measure) -> Iterator[str]:
    """What is found in the fakes as they are: place, code, sureness and message."""
    for subject in measure.subjects:
        text, path = subject.fake.text, subject.path
        start, end = text.region(text.functions[subject.index])
        for one in measure.findings:
            if one.span.path == path and start <= one.span.start < end:
                yield f"{path}:{text.row(one.span.start)}: {one.code} {one.confidence.value}: {one.message}"
