"""Small tools the models share: working on several values at once, and values computed from others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from aoti_lint.language import truths
from aoti_lint.machine.machine import Machine
from aoti_lint.values.conditions import Cond, option_kind
from aoti_lint.values.flow import Leaf
from aoti_lint.values.identity import ident
from aoti_lint.values.values import FALSE, NONE, TRUE, Const, Obj, Ref, Sym, Tup, Unknown, Value

MAX_RESULT = 10_000
"""Characters or items of a constant that is followed."""


def from_python(m: Machine, made: object) -> Value | None:
    """The value of a plain Python result; None if it is too large or of no kind we follow."""
    if made is None or isinstance(made, bool | int | float | complex):
        return Const(made)
    if isinstance(made, str | bytes):
        return Const(made) if len(made) <= MAX_RESULT else None
    if isinstance(made, tuple | list):
        items = [from_python(m, i) for i in made]
        if len(items) > MAX_RESULT or any(i is None for i in items):
            return None
        known = [i for i in items if i is not None]
        return Tup(tuple(known)) if isinstance(made, tuple) else m.new_list(known)
    return None


def derive(m: Machine, value: Value, label: str, apply: Callable[[Any], object]) -> Value:
    """What a pure function `apply` makes of one value without alternatives; `label` says which function it is.

    A symbol gives a symbol with its default and known values mapped, an unknown an unknown with a key of its own.
    """
    if isinstance(value, Const):
        try:
            made = from_python(m, apply(value.value))
        except Exception:  # whatever it raises, the script would raise too
            made = None
        return Unknown(f"{ident(value)}{label}", f"the result of {label} is not known") if made is None else made
    if isinstance(value, Sym):
        known = tuple(derive(m, k, label, apply) for k in value.known)
        if known and known == value.known:
            return value
        plain = all(isinstance(k, Const) for k in known)
        default = None if value.default is None else derive(m, value.default, label, apply)
        if default is not None and not isinstance(default, Const | Tup):
            default = None
        return Sym(f"{value.key}{label}", value.origin, default, known if plain else ())
    return Unknown(f"{ident(value)}{label}", f"the result of {label} is not known")


def question(m: Machine, value: Value, name: str, args: list[Any]) -> Value:
    """The truth of `value.name(*args)` for a method of strings that answers yes or no."""
    if isinstance(value, Const):
        try:
            return Const(bool(getattr(value.value, name)(*args)))
        except Exception:  # whatever it raises, the script would raise too
            return Unknown(f"{ident(value)}.{name}", f"the result of .{name}() is not known")
    if isinstance(value, Sym):
        answers = {question(m, k, name, args) for k in value.known}
        if len(answers) == 1 and answers <= {TRUE, FALSE}:
            return answers.pop()
    kind, text = "unknown", ""
    if isinstance(value, Sym):
        default = question(m, value.default, name, args) if isinstance(value.default, Const) else NONE
        text = value.origin
        kind = option_kind(bool(default.value) if isinstance(default, Const) and default != NONE else None)
    subject = value.key if isinstance(value, Sym | Unknown) else ident(value)
    return truths.ask(m, Cond(("says", subject, name, tuple(args)), kind, text))


def plain(values: Iterable[Value]) -> list[Any] | None:
    """The Python values of constants; None if one is no constant."""
    found = []
    for value in values:
        if not isinstance(value, Const):
            return None
        found.append(value.value)
    return found


def label_of(name: str, args: list[Value]) -> str:
    return f".{name}({','.join(ident(a) for a in args)})"


def leave(m: Machine, exception: str) -> Value:
    """The call raises for sure."""
    m.root.pending.append(Leaf("raise", Ref(exception)))
    return NONE


def opaque(m: Machine, cls: str) -> Obj:
    """A new object of a class outside the project, whose parts live in the store."""
    return m.new("object", Ref(cls))


@contextmanager
def holding(m: Machine, cell: tuple[str, str], value: Value) -> Iterator[None]:
    """While this lasts, a cell of the process holds `value`; then what it held before."""
    before = m.store.read(*cell) or NONE
    m.store.write(*cell, value)
    try:
        yield
    finally:
        m.store.write(*cell, before)


def slot(m: Machine, owner: Obj, name: str, default: Value = NONE) -> Value:
    """What a model kept in `owner`."""
    found = m.read(owner.ident, name)
    return default if found is None else found


@contextmanager
def raising_aside(m: Machine) -> Iterator[None]:
    """Code in here may raise without ending what follows."""
    pending, m.root.pending = m.root.pending, []
    try:
        yield
    finally:
        m.root.pending = pending
