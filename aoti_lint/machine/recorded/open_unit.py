"""A unit while it is run: what is known so far of what it does, and of what that depends on."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from aoti_lint.files.cache import content_hash
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.lazily.regex import regex
from aoti_lint.machine.changes import Wanted
from aoti_lint.machine.recorded import written
from aoti_lint.machine.recorded.noted import Notes
from aoti_lint.machine.recorded.unit import BITS, Asked, Did, Key, Topic
from aoti_lint.machine.recorded.written import NotWritten
from aoti_lint.source.remembered.asked import LINES, PIECE
from aoti_lint.values.events.kinds import REST, UNKNOWN

if TYPE_CHECKING:
    import re

    from aoti_lint.machine.recorded.written import Files, Spoken

_IDENTITY = regex(r"0x([0-9a-f]{17,24})(?![0-9a-f])|(?<![0-9])[0-9]{20,29}(?![0-9])")
"""An identity, in what is written down or in the name of an unknown value."""
Told: TypeAlias = "dict[Asked, list[str] | None]"
_ASKED_ALIKE: dict[str, Topic] = {"demand": "demand", "op": "op", "effects": "effects"}
"""Of what is done about something: what others ask for to know it, where that is all of it."""
_NOT_SEEN = frozenset({*_ASKED_ALIKE, "events", "silences"})
"""What is done about these is not seen by looking into a module: others ask for it, or only the end of the analysis."""


@dataclass(slots=True, eq=False)
class Open:
    """A unit that is run now."""

    key: Key
    before: int
    """What was spent when it began."""
    changed: frozenset[int]
    """The objects that what runs around it has changed something of, which nobody else knows yet."""
    modules: dict[str, int] = field(default_factory=dict)
    makes: set[int] = field(default_factory=set)
    """The numbers in the identities of what it makes, unless that is a module."""
    notes: Notes = field(default_factory=Notes)
    """What it asked."""
    imports: dict[str, None] = field(default_factory=dict)
    parts: dict[Wanted | None, Did] = field(default_factory=dict)
    """What it did, by what that is about."""
    read: set[object] = field(default_factory=set)
    """The objects it looked into."""
    once: dict[object, int] = field(default_factory=dict)
    """What it did that it need not do twice, and where it stands among what it did about the same."""
    left: dict[Asked, list[object]] = field(default_factory=dict)
    """What it leaves for others, as far as that is more, or less, than what it did about it."""
    is_whole: bool = True
    """Whether all that it depends on is written down."""
    within: bool = False
    """Whether it belongs to the unit around it, since it reaches into a module that is not imported to its end."""

    def take(self, inner: Open) -> None:
        """A unit inside of this one belongs to it."""
        self.modules |= inner.modules
        self.makes |= inner.makes
        for path in inner.modules:
            self.imports.pop(path, None)
        self.notes.unit.add(inner.notes.unit)
        self.read |= inner.read
        self.imports |= dict.fromkeys(path for path in inner.imports if path not in self.modules)
        for about, did in inner.parts.items():
            self.parts.setdefault(about, []).extend(did)
        self.is_whole = self.is_whole and inner.is_whole
        for asked, what in inner.left.items():
            self.left.setdefault(asked, []).extend(what)

    def ask_for_pieces(self, files: Files, spoken: Iterable[Spoken]) -> None:
        """The unit depends on the pieces it looked into of files that it does not depend on as a whole.

        These are the definitions it looked at. Of those that what it did speaks of, the lines have to be there.
        """
        asked = self.notes.unit.asked
        whole = {given[0] for question, given in asked if question == "module"}
        at = [one for one in self.notes.unit.looked if one[0] not in whole]
        looked = {(path, files.pieces(path).around(start).name) for path, start in at}
        told = {(path, *place) for one in spoken for path in one.keys() - whole for place in one[path]}
        looked |= {(path, name) for path, name, line in told if not line}
        for path, name in sorted(looked):
            found = files.pieces(path).find(name)
            asked.setdefault((PIECE, (path, name)), None if found is None else found.text)
        lines: dict[tuple[str, str], list[str]] = {}
        for path, name, line in sorted(told):
            if line and (path, name) not in looked:
                lines.setdefault((path, name), []).append(line)
        for (path, name), those in lines.items():
            asked.setdefault((LINES, (path, name, *those)), True)

    def texts(self, files: Files) -> tuple[list[str] | None, list[Spoken]]:
        """What it did as text, by part, and what each speaks of; None where that cannot be written down."""
        spoken: list[Spoken] = [{} for _ in self.parts]
        if not self.is_whole:
            return None, spoken
        try:
            return [written.dumps(did, files, of) for did, of in zip(self.parts.values(), spoken, strict=True)], spoken
        except NotWritten:
            return None, spoken

    def told(self, texts: list[str] | None, others: Container[object], files: Files) -> Told:
        """What others may ask for, with what it did about it; None where that is all that it did.

        `others` are the numbers of the modules that it is not.
        """
        told: dict[Asked, list[str]] = {}
        for number, (about, did) in enumerate(self.parts.items()):
            kind, name = about or ("", "")
            if kind in _ASKED_ALIKE:
                told[_ASKED_ALIKE[kind], name] = [] if texts is None else [texts[number]]
            elif kind in ("cells", "inside") and name in others:
                for change, given in did:
                    there = told.setdefault(("object", given[0]), [])
                    there += [] if texts is None else [written.dumps((change, given), files)]
        for asked, what in self.left.items():
            told.setdefault(asked, []).append("" if texts is None else written.dumps(what, files))
        for path in self.modules:
            told["module", path] = [] if texts is None else self._of_module(path, texts)
        whole = {asked for asked, what in self.left.items() if any(each is None for each in what)}
        whole |= told.keys() if texts is None else set()
        return {asked: None if asked in whole else told[asked] for asked in told.keys() | whole}

    def _of_module(self, path: str, texts: list[str]) -> list[str]:
        """What it did that whoever looks into a module may see: all but what is asked for by itself, or by nobody."""
        others = {number for other, number in self.modules.items() if other != path}
        return [repr(list(self.imports)), *(
            f"{about!r} {text}" for about, text in zip(self.parts, texts, strict=True)
            if about is None or not (about[0] in _NOT_SEEN or _number_of(about) in others)
        )]  # fmt: skip

    def facts(self, texts: list[str] | None, number: str) -> dict[str, list[str]]:
        """Tells apart what it leaves for who looks at the facts alone (see `Unit.facts`); `number` tells it apart."""
        if texts is None:
            return {UNKNOWN: [number]}
        seen: dict[str, list[str]] = {}
        for about, text in zip(self.parts, texts, strict=True):
            if about is None or about[0] == "events":
                seen.setdefault(REST if about is None else str(about[1]), []).append(f"{about!r} {text}")
        found: dict[str, list[str]] = {}
        places: dict[int, int] = {}
        for kind, those in seen.items():
            text = "\n".join(those)
            renumbered = _IDENTITY.sub(partial(self._renumbered, places), text) if self.makes else text
            found[kind] = [content_hash(one.encode(), 10) for one in dict.fromkeys((text, renumbered))]
        return found

    def _renumbered(self, places: dict[int, int], found: re.Match[str]) -> str:
        """Something that it made, by how many others stand before that; what others made stays as it is."""
        number = int(found[1], 16) if found[1] else int(found[0])
        if number >> BITS not in self.makes:
            return found[0]
        return f"#{places.setdefault(number, len(places))}"

    def number(self, texts: list[str] | None, told: Told, found: Mapping[Asked, tuple[str, ...]]) -> str:
        """What tells it apart: what it did and left; else what it depends on; else that it ran."""
        imports = list(self.imports)
        if texts is not None:
            did = [*zip(self.parts, texts, strict=True)]
            return _number((self.key, sorted(self.modules.items()), imports, did, _in_order(told)))
        if self.is_whole:
            return _number((self.key, _in_order(self.notes.unit.asked), _in_order(found), imports))
        return os.urandom(10).hex()


def _number_of(about: Wanted) -> int | None:
    """The number of the module that made what this is about, if that is an object."""
    kind, of = about
    if not isinstance(of, int):
        return None
    return of >> BITS if kind == "entries" else of


def _number(told: tuple[object, ...]) -> str:
    return content_hash(repr(told).encode("utf-8", "surrogatepass"), 10)


def _in_order(told: Mapping[Any, object]) -> list[str]:
    return sorted(map(repr, told.items()))
