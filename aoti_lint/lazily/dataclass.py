"""Dataclasses with slots whose methods are made when they are first called.

Python writes the methods of a dataclass as text and compiles it while the module is imported, which takes half a
millisecond a class; of our hundreds of classes a small script needs a few. To type checkers, `fields` and `replace`
these are as Python's own. They have slots and no order, only fields are annotated in them, and none that Python's
decorator makes may inherit from them.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, FrozenInstanceError, field, fields, replace
from types import FunctionType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from dataclasses import Field
    from typing import Any, NoReturn

__all__ = ["dataclass", "field", "fields", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, slots, frozen=False, eq=True, repr=True, kw_only=False):
        """As that of `dataclasses`, for classes with slots: their methods are made when they are first called."""
        assert slots
        return lambda cls: _decorated(cls, frozen, eq, repr, kw_only)


class _Later:
    """What `make` gives for the class it stands in: made when it is first asked for, it then stands there itself."""

    __slots__ = ("_cls", "_make", "_name")

    def __init__(self, make: Callable[[type], object]) -> None:
        self._make = make

    def __set_name__(self, owner: type, name: str) -> None:
        self._cls, self._name = owner, name

    def __get__(self, instance: object, owner: type) -> Any:
        setattr(self._cls, self._name, self._make(self._cls))
        return getattr(owner if instance is None else instance, self._name)


def _decorated(cls: type, frozen: bool, eq: bool, repr: bool, kw_only: bool) -> type:
    """The class once more, with slots and with what is still to be made."""
    own, written = cls.__annotations__, vars(cls)
    left_out = {"__dict__", "__weakref__", *own}
    if "__eq__" in written and written["__hash__"] is None:
        left_out.add("__hash__")  # Python put it there
    above = {name for base in cls.__mro__[1:] for name in getattr(base, "__slots__", ())}
    body: dict[str, Any] = {
        "__slots__": tuple(name for name in own if name not in above),
        "__dataclass_fields__": _Later(lambda made: _table(made, written, kw_only)),
        "__match_args__": _Later(lambda made: tuple(one.name for one in fields(made) if one.init and not one.kw_only)),
        "__init__": _Later(_init_frozen if frozen else _init),
    }
    if repr:
        body["__repr__"] = _repr
    if eq:
        body |= {"__eq__": _Later(_eq), "__hash__": _Later(_hash) if frozen else None}
    if frozen:
        body |= {"__setattr__": _refuse, "__delattr__": _refuse}
    body |= {name: value for name, value in written.items() if name not in left_out}
    made = type(cls)(cls.__name__, cls.__bases__, body)
    made.__qualname__ = cls.__qualname__
    for value in body.values():
        if isinstance(value, FunctionType) and "__class__" in value.__code__.co_freevars:
            # What `super()` means in all of its methods.
            (value.__closure__ or ())[value.__code__.co_freevars.index("__class__")].cell_contents = made
            break
    return made


def _table(cls: type, written: Mapping[str, object], kw_only: bool) -> dict[str, Field[Any]]:
    """The fields of a class by name, those of its bases first; Python's own decorator says what they are."""
    own = cls.__annotations__
    alone = {name: written[name] for name in own if name in written}
    alone |= {"__annotations__": own, "__module__": cls.__module__, "__doc__": "A class of nothing but fields."}
    made: type[Any] = dataclasses.dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(
        type(cls.__name__, (), alone)
    )
    found: dict[str, Field[Any]] = {}
    for base in reversed(cls.__mro__[1:]):
        found |= getattr(base, "__dataclass_fields__", {})
    return found | {one.name: one for one in fields(made)}


def _init(cls: type, assigned: str = "self.{name} = {value}") -> Any:
    names: dict[str, Any] = {"MISSING": MISSING}
    given, by_name, lines = ["self"], ["*"], ["pass"]
    for one in fields(cls):
        name = value = argument = one.name
        if one.default is not MISSING:
            names[f"default_{name}"] = one.default
            argument = f"{name}=default_{name}"
            value = name if one.init else f"default_{name}"
        elif one.default_factory is not MISSING:
            names[f"make_{name}"] = one.default_factory
            argument = f"{name}=MISSING"
            value = f"make_{name}() if {name} is MISSING else {name}" if one.init else f"make_{name}()"
        elif not one.init:
            continue
        if one.init:
            (by_name if one.kw_only else given).append(argument)
        # The slot itself: a quarter faster than `object.__setattr__`, which looks it up by its name.
        names[f"set_{name}"] = getattr(cls, name).__set__
        lines.append(assigned.format(name=name, value=value))
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    made = _compiled(cls, "__init__", [*given, *(by_name if len(by_name) > 1 else ())], lines, names)
    made.__annotations__ = {one.name: one.type for one in fields(cls) if one.init} | {"return": None}
    return made


def _init_frozen(cls: type) -> Any:
    return _init(cls, "set_{name}(self, {value})")


def _eq(cls: type) -> Any:
    compared = [one.name for one in fields(cls) if one.compare]
    same = f"return {_tuple('self', compared)} == {_tuple('other', compared)}"
    lines = ["if other.__class__ is not self.__class__:", " return NotImplemented", same]
    return _compiled(cls, "__eq__", ["self", "other"], lines, {})


def _hash(cls: type) -> Any:
    hashed = [one.name for one in fields(cls) if (one.compare if one.hash is None else one.hash)]
    return _compiled(cls, "__hash__", ["self"], [f"return hash({_tuple('self', hashed)})"], {})


def _repr(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse(self: object, name: str, value: object = None) -> NoReturn:
    raise FrozenInstanceError(f"cannot change field {name!r}")


def _tuple(of: str, names: Iterable[str]) -> str:
    return f"({''.join(f'{of}.{name},' for name in names)})"


def _compiled(cls: type, name: str, given: list[str], lines: list[str], names: dict[str, Any]) -> Any:
    """A method that uses `names`, besides what is built in."""
    exec(f"def {name}({', '.join(given)}):\n" + "".join(f" {line}\n" for line in lines), names)
    made = names[name]
    made.__qualname__, made.__module__ = f"{cls.__qualname__}.{name}", cls.__module__
    return made
