"""Finds the rules: the built-in ones by walking `aoti_lint.rules`, third-party ones by entry point.

A third-party package names a module with rule classes, or one rule class, in the entry-point group `aoti_lint.rules`.
It counts if it is installed where aoti-lint is: what stands in the current folder, or where PYTHONPATH says, is not
looked at. Both kinds come in by the same door, `Registry.add`.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from importlib.machinery import PathFinder
from types import ModuleType

from aoti_lint.catalogue.plugins import GROUP, any_installed
from aoti_lint.errors import CannotRun, did_you_mean
from aoti_lint.isolated.safe_path import editable, sites
from aoti_lint.lazily.regex import regex
from aoti_lint.rule.base import API, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from importlib.machinery import ModuleSpec
    from importlib.metadata import EntryPoint

    Rows = list[list[str]]
    Once = Callable[[tuple[str, ...], Callable[[], Rows]], Rows]
    """Gives what is made under a key, by this run or an earlier one."""

_CODE = regex(r"[A-Z]{2,10}[0-9]{3,4}")
_ALIKE = str.maketrans("OIL", "011")
"""Letters that are taken for digits."""
_BEGUN = regex(r"([A-Z]{2,10})[0-9]*")
_NAME = regex(r"[a-z0-9]+(-[a-z0-9]+)+")


class Registry:
    """The rules of one run, by code, name and prefix."""

    def __init__(self, ours: Iterable[Sequence[str]] = ()) -> None:
        """`ours` are the codes, names, modules and classes of rules of ours, imported when they are asked for."""
        self.names: dict[str, str] = {}
        """By code."""
        self._codes: dict[str, str] = {}
        self._rules: dict[str, Rule] = {}
        self._places: dict[str, tuple[str, str]] = {}
        for code, name, module, qualname in ours:
            # They may stand in a cache that others can write to: nothing else is imported for it.
            if module.startswith(f"{GROUP}."):
                self.names[code], self._codes[name], self._places[code] = name, code, (module, qualname)

    def add(self, found: object, origin: str) -> None:
        """Add a rule class, or the rule classes a module defines.

        `origin` says where it comes from. Raises `CannotRun` for anything else, for a rule whose code or name is
        malformed or taken, and for one that is written for another version of the interface.
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
        if cls.api != API:
            what = f"{origin}: {cls.__name__} is written for version {cls.api} of aoti_lint.rule"
            raise CannotRun(f"{what}, and this aoti-lint has version {API}: install releases that go together")
        for taken in (cls.code if cls.code in self.names else None, self._codes.get(cls.name)):
            if taken is not None:
                other = type(self.rule(taken))
                raise CannotRun(
                    f"{origin}: {cls.__name__} is {cls.code} {cls.name}, "
                    f"but {other.__module__}.{other.__name__} is {other.code} {other.name}"
                )
        self.names[cls.code], self._codes[cls.name], self._rules[cls.code] = cls.name, cls.code, cls()

    def rule(self, code: str) -> Rule:
        """The rule of a code that there is."""
        if code not in self._rules:
            module, qualname = self._places[code]
            self._rules[code] = getattr(importlib.import_module(module), qualname)()
        return self._rules[code]

    def __iter__(self) -> Iterator[Rule]:
        """The rules in the order of their codes."""
        return map(self.rule, sorted(self.names))

    def rows(self) -> Rows:
        """The rules as `Registry` is given them."""
        return [[rule.code, rule.name, type(rule).__module__, type(rule).__qualname__] for rule in self]

    def code_of(self, word: str) -> str | None:
        """The code that a code or a name means."""
        return word.upper() if word.upper() in self.names else self._codes.get(word.lower())

    def find(self, word: str) -> list[Rule]:
        """The rules that a code, a name, a prefix of codes or `ALL` means. Raises `CannotRun` if there is none."""
        return [*map(self.rule, self.find_codes(word))]

    def find_codes(self, word: str) -> list[str]:
        """Their codes. Raises `CannotRun` if there is none."""
        if word.upper() == "ALL":
            return sorted(self.names)
        one = self.code_of(word)
        if one is not None:
            return [one]
        several = [code for code in sorted(self.names) if word and code.startswith(word.upper())]
        if several:
            return several
        raise CannotRun(f"there is no rule {word!r}{self.near(word)}")

    def near(self, word: str, others: Iterable[str] = ()) -> str:
        """What stands behind a word that is no rule: the rule, or one of the `others`, that may be meant.

        One digit makes a code another one, so for a code it is where those that begin like it are listed.
        """
        code = word.upper()
        shorter = {code[:index] + code[index + 1 :] for index in range(len(code))}
        for known in self.names:
            if known in shorter or known.translate(_ALIKE) == code.translate(_ALIKE):
                return f"; did you mean {known!r}?"
        letters = _BEGUN.fullmatch(code)
        if letters and any(known.startswith(letters[1]) for known in self.names):
            parts = (code[:end] for end in range(len(code), 0, -1))
            begun = next(part for part in parts if any(known.startswith(part) for known in self.names))
            return f"; aoti-lint explain {begun} lists the rules whose codes begin so"
        return did_you_mean(word, [*self.names, *self._codes, *others])


def load(once: Once | None = None) -> Registry:
    """All rules there are. Raises `CannotRun` when a rule package cannot be imported or two rules clash.

    `once` gives what is known from earlier runs: with it, the modules of our rules are imported when they are asked
    for.
    """
    registry = _ours() if once is None else Registry(once(("rules",), lambda: _ours().rows()))
    for entry in _installed() if any_installed() else ():
        origin = f"the rule package {entry.name} ({entry.value})"
        try:
            with _Editable(entry.module):
                loaded = entry.load()
        except Exception as error:  # whatever a third party's import raises is theirs to mend, and said so
            raise CannotRun(f"{origin} cannot be loaded: {type(error).__name__}: {error}") from error
        registry.add(loaded, origin)
    return registry


def _ours() -> Registry:
    registry = Registry()
    package = importlib.import_module(GROUP)
    for found in pkgutil.walk_packages(package.__path__, f"{GROUP}."):
        if not found.ispkg and not found.name.rpartition(".")[2].startswith("_"):
            registry.add(importlib.import_module(found.name), found.name)
    return registry


def _installed() -> list[EntryPoint]:
    """The entry points of the rule packages in this installation; of two versions the one that would be imported."""
    from importlib.metadata import distributions  # takes 100 ms, and few have such packages

    found: dict[str, list[EntryPoint]] = {}
    for distribution in distributions(path=sites()):
        entries = [entry for entry in distribution.entry_points if entry.group == GROUP]
        if entries:
            found.setdefault(distribution.name, entries)
    every = [entry for entries in found.values() for entry in entries]
    return sorted(every, key=lambda entry: (entry.name, entry.value))


class _Editable:
    """While this lasts, the package of a rule module is found in the folders of editable installations too.

    Those that lie in a checked tree were taken from the import path, for else every import would look there.
    """

    def __init__(self, module: str) -> None:
        self._package = module.partition(".")[0]

    def __enter__(self) -> None:
        sys.meta_path.append(self)

    def __exit__(self, *_: object) -> None:
        sys.meta_path.remove(self)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Called by the import system for what nobody else has found."""
        return PathFinder.find_spec(name, editable) if name == self._package else None
