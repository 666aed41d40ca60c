"""The variables of a shell at one point of a script."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from aoti_lint.lazily.dataclass import dataclass, field, replace
from aoti_lint.source.settings.model import Assignment
from aoti_lint.source.settings.words import HERE


@dataclass(slots=True)
class Scope:
    """What is known there.

    `names` holds the values of all variables, None where not known; `exported` those that programs are given.
    `folder` is where `cd` led, from the folder of the file; None where that is not known. `every`: `set -a` is on.
    """

    names: dict[str, str | None] = field(default_factory=dict)
    exported: dict[str, Assignment] = field(default_factory=dict)
    folder: str | None = ""
    every: bool = False

    def copy(self) -> Scope:
        """A scope that changes on its own, as in a subshell."""
        return Scope(dict(self.names), dict(self.exported), self.folder, self.every)

    def take(self, other: Scope) -> None:
        """Become as `other` is."""
        self.names, self.exported, self.folder, self.every = other.names, other.exported, other.folder, other.every

    def export(self, made: Assignment) -> None:
        """Set a variable for programs, too."""
        self.names[made.name] = made.value
        self.exported[made.name] = made

    def forget(self, name: str) -> None:
        """`unset`."""
        self.names.pop(name, None)
        self.exported.pop(name, None)

    def doubt(self) -> None:
        """Code that is not seen ran here, and may have changed anything."""
        self.names = {}
        self.exported = {name: replace(one, conditional=True) for name, one in self.exported.items()}

    def merge(self, arms: Iterable[Scope]) -> None:
        """Code that may have run, or not, left this scope as one of `arms`, or as it was."""
        for arm in arms:
            for name in {*self.names, *arm.names}:
                if self.names.get(name) != arm.names.get(name):
                    self.names[name] = None
            for name in {**self.exported, **arm.exported}:
                mine, other = self.exported.get(name), arm.exported.get(name)
                last = other or mine
                if last is not None and mine != other:
                    self.exported[name] = replace(last, conditional=True)
            if self.folder != arm.folder:
                self.folder = None
            self.every = self.every or arm.every

    def enter(self, folder: str | None) -> None:
        """`cd`."""
        if folder is not None and folder.startswith(HERE):
            self.folder, folder = "", folder.replace(HERE, ".", 1)
        if folder is None or self.folder is None:
            self.folder = folder if folder is not None and folder.startswith("/") else None
        else:
            joined = posixpath.normpath(posixpath.join(self.folder, folder))
            self.folder = "" if joined == "." else joined

    def reached(self, command: str) -> str:
        """A script as the file at hand would name it from its own folder."""
        if command.startswith(HERE):
            return posixpath.normpath(command.replace(HERE, ".", 1))
        if command.startswith(("-m ", "/")) or not self.folder:
            return command
        return posixpath.normpath(posixpath.join(self.folder, command))
