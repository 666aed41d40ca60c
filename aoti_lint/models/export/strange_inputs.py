"""Inputs and outputs of classes that nobody told torch how to take apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from aoti_lint.language import access
from aoti_lint.machine.machine import GIVEN, KEYLESS, Machine
from aoti_lint.values.values import Class, Const, Obj, Pairs, Ref, Tup, Value

Lack: TypeAlias = Literal["fields", "registration", "keys"]
"""What torch does not know of a class: the fields of a dataclass, how to take it apart, or the names of its parts."""
PLAIN = frozenset(Ref(name) for name in ("object", "abc.ABC", "typing.Generic", "typing.Protocol"))
"""Bases that have no say in how torch takes an instance apart."""


def outputs(m: Machine, result: Value) -> tuple[tuple[str, Lack], ...]:
    """The classes of what a forward gives that are such, and what they lack; no path needs the names of parts there."""
    return tuple((cls, lack) for _, cls, lack in _within(m, "", result) if lack != "keys")


def found(m: Machine, args: Value, kwargs: Value, names: tuple[str, ...] | None) -> Iterator[tuple[str, str, Lack]]:
    """The inputs that are instances of such a class: how they are reached, its name, what it lacks.

    A class that was handed to any code that is not followed may have been registered there.
    """
    for index, value in enumerate(args.items if isinstance(args, Tup) else ()):
        yield from _within(m, names[index] if names and index < len(names) else f"input {index}", value)
    for key, value in kwargs.pairs if isinstance(kwargs, Pairs) else ():
        yield from _within(m, str(key.value) if isinstance(key, Const) else "?", value)


def _within(m: Machine, name: str, value: Value) -> Iterator[tuple[str, str, Lack]]:
    match value:
        case Tup(items, fields):
            for i, item in enumerate(items):
                yield from _within(m, f"{name}.{fields[i]}" if fields else f"{name}[{i}]", item)
        case Pairs(pairs):
            for key, item in pairs:
                yield from _within(m, f"{name}[{key.value!r}]" if isinstance(key, Const) else f"{name}[…]", item)
        case Obj(kind="instance", cls=Class() as cls) if m.read(cls.ident, KEYLESS) is not None:
            if m.read(cls.ident, GIVEN) is None:
                yield name, cls.qualname, "keys"
        case Obj(kind="instance", cls=Class() as cls) if _is_unknown_to_torch(m, cls):
            yield name, cls.qualname, "fields" if "dataclass" in cls.traits else "registration"


def _is_unknown_to_torch(m: Machine, cls: Class) -> bool:
    line = access.ancestors(m, cls)
    ours = [one for one in line if isinstance(one, Class)]
    return (
        all(isinstance(one, Class) or one in PLAIN for one in line)
        and not cls.traits - {"dataclass"}
        and not any(m.read(one.ident, slot) is not None for one in ours for slot in (GIVEN, access.METACLASS))
    )
