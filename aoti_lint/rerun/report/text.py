"""The report on the terminal: who did it, how that is known, what was tried."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.rerun.report import words
from aoti_lint.triage.report import wrapped

if TYPE_CHECKING:
    from aoti_lint.report.styled import Line
    from aoti_lint.rerun.result import Culprit, Launch, Result, Tried, Values

OTHERS = 3
"""Culprits that are said in full."""
SOURCE = 6
"""Lines of a source that are shown; a longer one is in the page."""
LAST_WORDS = 8
"""Lines of the last log that are shown where nothing was found."""


def text(result: Result) -> Iterator[Line]:
    """The report for people."""
    for number, one in enumerate(result.culprits[:OTHERS]):
        if number:
            yield []
        yield from _culprit(one, sure=result.found and one.sure, first=not number)
    if not result.culprits:
        yield from _not_found(result)
    yield from _causes(result)
    if alone := words.repeat_alone(result):
        yield []
        yield [("Alone: ", "gutter"), (alone, "")]
    yield []
    yield [("Tried:", "name"), (" interrupted, so this is not all" if result.stopped else "", "warning")]
    for tried in result.tried:
        yield from _tried(tried)
    if not result.tried:
        yield [("  nothing was run", "")]
    yield from _notes(result) if result.culprits else ()


def _notes(result: Result) -> Iterator[Line]:
    for note in result.notes:
        yield from wrapped("note", note)


def _culprit(one: Culprit, *, sure: bool, first: bool) -> Iterator[Line]:
    label = "culprit" if sure else "suspect"
    yield [
        (f"{label if first else 'also'}[{one.kind} {one.name}]", "error" if first and sure else "warning"),
        (f": {one.what}", "message"),
    ]
    if one.place is not None:
        yield [("  code: ", "gutter"), (words.place(one.place), "related")]
        if one.place.text:
            yield [("        ", ""), (f"    {one.place.text.strip()}", "")]
    if one.launch is not None:
        yield [("  call: ", "gutter"), (words.launch(one.launch), ""), _others(one)]
    for value in one.values:
        yield from _value(value)
    for following in one.chain:
        yield [("  then: ", "gutter"), (words.launch(following), ""), *_from(following)]
    if one.launch is not None and 0 < len(one.launch.source.splitlines()) <= SOURCE:
        for number, line in enumerate(one.launch.source.splitlines()):
            yield [("  source: " if not number else "          ", "gutter"), (line, "")]
    yield from wrapped("do", one.fix)
    if one.rules:
        yield [("  rule: ", "gutter"), (f"{', '.join(one.rules)} (aoti-lint explain {one.rules[0]})", "")]


def _others(one: Culprit) -> tuple[str, str]:
    """The further lines that the launch was made from."""
    places = [p for p in one.launch.places if p != one.place] if one.launch is not None else []
    return (", made from " + ", ".join(f"{p.path}:{p.line}" for p in places) + " as well" if places else "", "")


def _from(one: Launch) -> Line:
    """The line that a launch was made from."""
    if not one.places:
        return []
    return [(", from ", "gutter"), (words.place(one.places[0]), "related"), (f": {one.places[0].text}", "")]


def _value(one: Values) -> Iterator[Line]:
    head = f"  {one.when:<6} {one.argument:<10} {words.kind(one)}"
    if one.fresh:
        yield [(head, ""), ("  not written yet", "gutter")]
        return
    spread = "" if one.low is None else f"  {words.number(one.low)} … {words.number(one.high)}"
    mean = "" if one.mean is None else f", mean {words.number(one.mean)}"
    counts = words.bad_counts(one)
    yield [(f"{head}{spread}{mean}  {one.bars}", ""), (f"  {counts}" if counts else "", "error")]


def _not_found(result: Result) -> Iterator[Line]:
    yield [(words.headline(result), "message")]
    excluded = words.excluded(result)
    if excluded:
        yield [("  What the runs showed:", "")]
    for sentence in excluded:
        yield from wrapped("-", sentence)
    ran = next((ran for tried in reversed(result.tried) for ran in reversed(tried.ran) if words.went_wrong(ran)), None)
    if ran is not None and (last := words.tail(result.folder, ran.log, LAST_WORDS)):
        yield [("  The last words of ", ""), (ran.log, "related"), (":", "")]
        for line in last:
            yield [("    " + line, "")]
    # Why nothing was found may stand here.
    yield from _notes(result)


def _causes(result: Result) -> Iterator[Line]:
    for cause in words.causes(result):
        yield []
        yield [(f"log[{cause.get('cause', '')}]", "info"), (f": {cause.get('title', '')}", "message")]
        yield from wrapped("do", str(cause.get("fix") or ""))


def _tried(one: Tried) -> Iterator[Line]:
    yield [(f"  {one.stage}", "name"), (f"  {one.title}", "")]
    for ran in one.ran:
        bad = words.went_wrong(ran)
        yield [
            ("    $ ", "gutter"),
            (words.command(ran), ""),
            (f"  # {words.ended(ran)}", "warning" if bad else "gutter"),
        ]
        for line in words.settings(ran):
            yield [("      with ", "gutter"), (line, "")]
    for shown in one.shows:
        yield from wrapped("=>", shown, indent="    ")
