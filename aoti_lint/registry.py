"""Finds the rules: the built-in ones by walking `aoti_lint.rules`, third-party ones by entry point.

A third-party package names a module with rule classes, or one rule class, in the entry-point group `aoti_lint.rules`.
Both kinds come in by the same door, `Registry.add`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import ModuleType

from aoti_lint.errors import CannotRun, did_you_mean
from aoti_lint.plugins import GROUP, any_installed
from aoti_lint.rule import Rule

_CODE = re.compile(r"[A-Z]{2,10}[0-9]{3,4}")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")


class Registry:
    """The rules of one run, by code, name and prefix."""

    def __init__(self) -> None:
        self.by_code: dict[str, Rule] = {}
        self.by_name: dict[str, Rule] = {}

    def add(self, found: object, origin: str) -> None:
        """Add a rule class, or the rule classes a module defines.

        `origin` says where it comes from. Raises `CannotRun` for anything else, and for a rule whose code or name is
        malformed or taken.
        """
        if isinstance(found, ModuleType):
            classes = [
                item
                for item in vars(found).values()
                if isinstance(item, type) and issubclass(item, Rule) and item.__module__ == found.__name__
            ]
        elif isinstance(found, type) and issubclass(found, Rule):
            classes = [found]
        else:
            raise CannotRun(f"{origin} is no rule class and no module of rule classes")
        for cls in classes:
            if isinstance(getattr(cls, "code", None), str):
                self._add_class(cls, origin)

    def _add_class(self, cls: type[Rule], origin: str) -> None:
        if not _CODE.fullmatch(cls.code) or not _NAME.fullmatch(getattr(cls, "name", "")):
            raise CannotRun(f"{origin}: {cls.__name__} needs a code such as ABC101 and a name such as two-words")
        for taken in (self.by_code.get(cls.code), self.by_name.get(cls.name)):
            if taken is not None:
                other = type(taken)
                raise CannotRun(
                    f"{origin}: {cls.__name__} is {cls.code} {cls.name}, "
                    f"but {other.__module__}.{other.__name__} is {other.code} {other.name}"
                )
        self.by_code[cls.code] = self.by_name[cls.name] = cls()

    def __iter__(self) -> Iterator[Rule]:
        """The rules in the order of their codes."""
        return iter([self.by_code[code] for code in sorted(self.by_code)])

    def find(self, word: str) -> list[Rule]:
        """The rules that a code, a name, a prefix of codes or `ALL` means. Raises `CannotRun` if there is none."""
        if word.upper() == "ALL":
            return list(self)
        one = self.by_code.get(word.upper()) or self.by_name.get(word.lower())
        if one is not None:
            return [one]
        several = [rule for rule in self if word and rule.code.startswith(word.upper())]
        if several:
            return several
        raise CannotRun(f"there is no rule {word!r}{did_you_mean(word, [*self.by_code, *self.by_name])}")


def load() -> Registry:
    """All rules there are. Raises `CannotRun` when a rule package cannot be imported or two rules clash."""
    import importlib
    import pkgutil

    registry = Registry()
    package = importlib.import_module(GROUP)
    for found in pkgutil.walk_packages(package.__path__, f"{GROUP}."):
        if not found.ispkg and not found.name.rpartition(".")[2].startswith("_"):
            registry.add(importlib.import_module(found.name), found.name)
    if not any_installed():
        return registry
    from importlib.metadata import entry_points

    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        origin = f"the rule package {entry.name} ({entry.value})"
        try:
            loaded = entry.load()
        except Exception as error:  # whatever a third party's import raises is theirs to mend, and said so
            raise CannotRun(f"{origin} cannot be loaded: {type(error).__name__}: {error}") from error
        registry.add(loaded, origin)
    return registry
