"""What was followed on one line: every place that matters with what was known and why the rest was not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from aoti_lint.coverage.apis import ASPECTS
from aoti_lint.coverage.aspects import Place
from aoti_lint.coverage.measure import Site, measure
from aoti_lint.coverage.reach import concerning
from aoti_lint.coverage.starts import is_of_defaults, start_of
from aoti_lint.coverage.words import Aspect
from aoti_lint.diagnostics import Span
from aoti_lint.linking.unjudged import summary
from aoti_lint.machine.facts import Facts
from aoti_lint.source.project import Project
from aoti_lint.values.unfinished import notes

NOTHING = "nothing on this line exports, compiles, loads or calls a program, or defines an operator"
SINGULAR = {
    "export": "an export", "compile": "a compile", "package": "a program or package is written", "load": "a load",
    "call": "a call of a program", "op": "an operator is defined", "fake": "a fake",
}  # fmt: skip


def plain_place(project: Project, name_of: Callable[[str], str]) -> Place:
    """How places are named in a sentence: `file:row`, in a notebook `file:cell 3:row`."""

    def place(span: Span) -> str:
        source = project.source(span.path)
        if source is None:
            return name_of(span.path)
        row = source.lines.position(span.start)[0]
        cell = source.cell(row)
        return f"{name_of(span.path)}:{row}" if cell is None else f"{name_of(span.path)}:cell {cell[0]}:{cell[1]}"

    return place


class Line:
    """Line `row` (1-based) of `path`, a file that was read."""

    def __init__(self, facts: Facts, path: str, row: int, name_of: Callable[[str], str]) -> None:
        self._facts, self._path, self._row = facts, path, row
        self._name_of = name_of
        self._place = plain_place(facts.project, name_of)
        self.sites = [site for site in measure(facts, self._place, [path]) if self.has(site.span)]
        self.unfollowed = list(dict.fromkeys(one.reason for one in sorted(facts.silences) if self.has(one.span)))
        """What is not followed on the line, in and beside these places."""
        roots = {way.root for site in self.sites for way in site.ways}
        unfinished, problems = concerning(facts, path, roots)
        own = [one for one in unfinished if one.path == path]
        others = notes(one for one in unfinished if one.path != path)
        unread = [f"{name_of(one.path)} could not be read: {one.message}" for one in problems]
        self.doubts = [*map(str, own), *others, *unread]
        """What may get to the line, or what it uses, and was not followed to the end or not read."""

    def has(self, span: Span) -> bool:
        """Whether a place is, at least in part, on the line."""
        source = self._facts.project.source(self._path)
        if source is None or span.path != self._path:
            return False
        first, last = (source.lines.position(offset)[0] for offset in (span.start, span.end))
        return first <= self._row <= last

    @property
    def gaps(self) -> list[str]:
        """What the run as a whole left out."""
        said = {*notes(self._facts.unfinished), summary(self._facts)}
        return [note for note in self._facts.notes if note not in said]

    @property
    def complete(self) -> bool:
        """Whether all was known of every place on it, on every way there."""
        if not self.sites or self.unfollowed or self.doubts or self.gaps:
            return False
        said = [site.of(name) for site in self.sites for name in ASPECTS[site.kind]]
        return all(ways and all(one.known for one in ways) for ways in said)

    def text(self) -> Iterator[str]:
        """What to say of it, line by line."""
        if not self.sites:
            yield NOTHING
        for site in self.sites:
            yield from self._site(site)
        yield from (f"not followed: {reason}" for reason in self.unfollowed)
        yield from self.doubts
        yield from self.gaps

    def _site(self, site: Site) -> Iterator[str]:
        what = SINGULAR[site.kind]
        if not site.followed:
            inside = f", as nothing that was followed calls {site.context}()" if site.context else ""
            yield f"{what}: not reached{inside}; nothing is known of it"
            return
        ways = self._ways(site)
        yield f"{what}:" if len(ways) < 2 else f"{what}, reached {len(ways)} times:"
        if len(ways) > 1:
            yield from (f"  {number}: {start}" for number, start in enumerate(ways, 1))
        for name in ASPECTS[site.kind]:
            told: dict[str, list[int]] = {}
            for number, said in enumerate(ways.values(), 1):
                for one in said:
                    if one.name == name:
                        told.setdefault(_told(one), []).append(number)
            everywhere = all(len(numbers) == len(ways) for numbers in told.values())
            texts = (text if everywhere else f"{text} ({', '.join(map(str, of))})" for text, of in told.items())
            yield f"  {name}: {('; or ' if everywhere else '; ').join(texts) or 'not known'}"

    def _ways(self, site: Site) -> dict[str, list[Aspect]]:
        """What was known of a place on each way there, by the words for that."""
        found: dict[str, dict[Aspect, None]] = {}
        for way in sorted(site.ways, key=lambda one: is_of_defaults(one.event)):
            start = start_of(way.event, self._place, self._name_of)
            said = found.setdefault(start, {})
            if said and is_of_defaults(way.event):
                usual = {one.name: one.text for one in way.aspects if one.known}
                found[start] = {one if one.known or one.usual else replace(one, usual=usual.get(one.name, "")): None
                                for one in said}  # fmt: skip
            else:
                said.update(dict.fromkeys(way.aspects))
        return {start: [*said] for start, said in found.items()}


def _told(one: Aspect) -> str:
    if one.known:
        return one.text
    why = one.text.removesuffix(f" ({one.usual} by default)")
    why = f": {why}" if why else ""
    return f"{one.usual} by default, else not known{why}" if one.usual else f"not known{why}"
