"""Makefiles: what their recipes start, with the variables of the file put in.

https://www.gnu.org/software/make/manual/make.html. A target is taken after those it needs, each once. Of functions
(`$(shell …)`), included files and what stands inside of a conditional nothing is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aoti_lint.lazily.dataclass import dataclass, field, replace
from aoti_lint.lazily.regex import regex
from aoti_lint.source.settings.model import Assignment, Settings
from aoti_lint.source.settings.scope import Scope
from aoti_lint.source.settings.shell import read_shell
from aoti_lint.source.settings.snippet import Snippet
from aoti_lint.source.settings.words import MAX_VALUE
from aoti_lint.source.text import Source
from aoti_lint.text.problem import SourceProblem

_VARIABLE = regex(r"[ ]*(export[ \t]+)?([A-Za-z_]\w*)[ \t]*(::?=|\?=|\+=|=)")
_EXPORTED = regex(r"[ ]*export[ \t]+([\w \t]+)$")
_USED = regex(r"\$(?:\$|[({](\w+)[)}]|([@<])|[({][^)}]{0,1000}[)}]|.)")
_BEGIN = ("ifeq", "ifneq", "ifdef", "ifndef")
_UNKNOWN = "${_}"
"""A variable of the shell that nobody sets: a text that is not known."""
MAX_DEPTH = 8
"""Variables inside of each other, and targets that need others."""
MAX_USES = 20_000
"""How often variables of one file are put in: some uses of each other soon are many."""


@dataclass(slots=True)
class _Target:
    needs: list[str]
    recipe: list[tuple[int, str]] = field(default_factory=list)


class _Makefile:
    def __init__(self, source: Source, settings: Settings) -> None:
        self.source, self.settings = source, settings
        self.variables: dict[str, str] = {}
        self.exported: dict[str, Assignment] = {}
        self.targets: dict[str, _Target] = {}
        self.done: set[str] = set()
        self.uses = 0

    def read(self) -> None:
        last: list[_Target] = []
        inside = 0
        for place, line in _lines(self.source.text):
            if line.lstrip(" ").startswith(_BEGIN):
                inside += 1
            elif inside:
                inside -= line.lstrip(" ").startswith("endif")
                if (found := _VARIABLE.match(line)) is not None:
                    self.variables[found[2]] = _UNKNOWN
            elif line.startswith("\t"):
                for one in last:
                    one.recipe.append((place, line))
            elif (found := _VARIABLE.match(line)) is not None:
                self.variable(found, line[found.end() :], place)
            elif (found := _EXPORTED.match(line)) is not None:
                for name in found[1].split():
                    if name in self.variables:
                        self.export(name, place, line)
            elif line.strip() and not line.startswith("#"):
                names, colon, needs = line.partition(":")
                made = self.put_in(names, "", "").split() if colon and "=" not in line else []
                last = [self.targets.setdefault(name, _Target([])) for name in made]
                for one in last:
                    one.needs += self.put_in(needs.lstrip(":").partition("#")[0].partition("|")[0], "", "").split()
        for name in self.targets:
            self.make(name)

    def variable(self, found: re.Match[str], text: str, place: int) -> None:
        exported, name, how = found.groups()
        text = text.partition("#")[0].replace("\\\n", " ").strip()
        if how == "+=":
            text = f"{self.variables.get(name, '')} {text}".strip()
        if how != "?=" or name not in self.variables:
            self.variables[name] = text
        if exported:
            self.export(name, place, found[0] + text)

    def export(self, name: str, place: int, line: str) -> None:
        value = self.put_in(self.variables[name], "", "")
        snippet = Snippet(self.source.path, self.source.lines, line, [(0, place)])
        span = snippet.span(0, len(line))
        self.exported[name] = made = Assignment(name, None if _UNKNOWN in value else value, span)
        self.settings.set(made)

    def put_in(self, text: str, target: str, need: str, depth: int = 0) -> str:
        """The text with the values of variables, as it is given to the shell."""

        def value(found: re.Match[str]) -> str:
            if found[0] == "$$":
                return "$"
            if found[2] is not None:
                return target if found[2] == "@" else need
            self.uses += 1
            known = found[1] is not None and depth < MAX_DEPTH and self.uses < MAX_USES
            held = self.variables.get(found[1]) if known else None
            return _UNKNOWN if held is None else self.put_in(held, target, need, depth + 1)

        made = _USED.sub(value, text)
        return made if len(made) <= MAX_VALUE else _UNKNOWN

    def make(self, name: str, depth: int = 0) -> None:
        """Follow what makes a target."""
        target = self.targets.get(name)
        if target is None or name in self.done or depth > MAX_DEPTH:
            return
        self.done.add(name)
        for one in target.needs:
            self.make(one, depth + 1)
        need = target.needs[0] if target.needs else ""
        for place, line in target.recipe:
            text = line.lstrip("\t @-+")
            first = place + len(line) - len(text)
            whole = Snippet(self.source.path, self.source.lines, text, [(0, first)]).span(0, len(text.rstrip()))
            snippet = Snippet(self.source.path, self.source.lines, self.put_in(text, name, need), [], whole)
            starts = self.settings.starts
            before = len(starts)
            try:
                # Every line of a recipe has a shell of its own, unless the file says that a recipe has one.
                ends = ".ONESHELL" not in self.source.text
                read_shell(snippet, self.settings, Scope({}, dict(self.exported)), ends=ends)
            except SourceProblem:
                continue
            # In single quotes nothing tells the shell that it is not known.
            starts[before:] = [replace(one, words=_known(one.words)) for one in starts[before:]]


def read_make(source: Source) -> Settings:
    """What a Makefile sets for what its recipes start."""
    settings = Settings(source.path)
    _Makefile(source, settings).read()
    return settings.finish()


def _known(words: tuple[str | None, ...] | None) -> tuple[str | None, ...] | None:
    if words is None:
        return None
    return tuple(None if word is None or _UNKNOWN in word else word for word in words)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines with those that go on behind a backslash, each with the index it begins at."""
    begun, place = 0, 0
    while place < len(text):
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        if text[place:end].endswith("\\") and end < len(text):
            place = end + 1
            continue
        yield begun, text[begun:end]
        begun = place = end + 1
    if begun < len(text):
        yield begun, text[begun:]
