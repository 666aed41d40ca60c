"""What weights that are given by name have too many of, and too few, for a package."""

from __future__ import annotations

from aoti_lint.rule.archives import Buffer, Names
from aoti_lint.rule.values import Const, Pairs, Program, Value


def given_names(given: Value) -> list[str] | None:
    """The names that are given, where they are all known."""
    if isinstance(given, Names):
        return None if given.whole is None else list(given.whole)
    pairs = given.pairs if isinstance(given, Pairs) else ()
    names = [key.value for key, _ in pairs if isinstance(key, Const) and isinstance(key.value, str)]
    return names if isinstance(given, Pairs) and len(names) == len(pairs) else None


def others(names: set[str], given: Value) -> list[str]:
    """The names that are given and are not among `names`, as far as they are known."""
    keys = [key.value for key, _ in given.pairs if isinstance(key, Const)] if isinstance(given, Pairs) else []
    return sorted(key for key in keys if isinstance(key, str) and key not in names)


def dotted(given: Value) -> list[str]:
    """The names that are given, where each has a dot."""
    names = given_names(given) or []
    return names if all("." in name for name in names) else []


def inlined(given: Value, own: Value) -> list[str]:
    """The names that are given and surely are in no package of this program."""
    if not isinstance(own, Names):
        return []
    if isinstance(given, Names) and given.compiled == own.compiled:
        return [name for name in given.small if name in own.small]
    names = given_names(given) if isinstance(given, Pairs) else None
    return [name for name in own.small if name in (names or ())]


def absent(program: Value, given: Value) -> list[str]:
    """The parameters that a package of the program surely has, and that are not given. Other names are AOTI708's."""
    names, own = given_names(given), program.names if isinstance(program, Program) else None
    if names is None or not isinstance(program, Program) or not _are_of(names, own) or not isinstance(own, Names):
        return []
    return [name for name, owner, slot in own.large if (owner, slot) in program.read and name not in names]


def missing(program: Value, empty: bool, given: Value) -> list[Buffer]:
    """The buffers of a program that are not given, and that its package needs. `empty`: it has no weights itself."""
    own = program.names if isinstance(program, Program) else None
    if not isinstance(program, Program) or not isinstance(own, Names):
        return []
    if isinstance(given, Names):
        if given.compiled != own.compiled or not (given.only or empty):
            return []
        left = [one for one in own.buffers if given.only or not one.persistent]
    else:
        names = given_names(given)
        if names is None or not _are_of(names, own):
            return []
        left = [one for one in own.buffers if one.name not in names and (one.persistent or empty)]
    return [one for one in left if one.counted or (one.owner, one.slot) in program.read]


def _are_of(names: list[str], own: Value | None) -> bool:
    """Whether all these are names of a model."""
    return isinstance(own, Names) and own.whole is not None and {*names} <= {*own.whole, *own.beside}
