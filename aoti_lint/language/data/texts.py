"""Strings put together from known and unknown parts."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language.classes import objects
from aoti_lint.language.data import containers
from aoti_lint.lazily.regex import regex
from aoti_lint.machine.alternatives import lift, lift_all
from aoti_lint.machine.machine import Machine
from aoti_lint.values.identity import ident
from aoti_lint.values.torch_values import Device, Package
from aoti_lint.values.values import Const, Obj, PathValue, Sym, Text, Tup, Unknown, Value

_PLAIN_FIELD = regex("%[sdi]")
_WIDE = regex(r"[0-9]{5}|%[-+ #0]*\*")
MAX_TEXT = 10_000
TOO_LARGE = "the result is too large to follow"


def is_text(value: Value) -> bool:
    """Whether `value` is, or may be, a string."""
    return isinstance(value, Text | Sym | Unknown | Package) or (
        isinstance(value, Const) and isinstance(value.value, str)
    )


def concat(parts: list[Value]) -> Value:
    """The string that the parts make, constants joined."""
    flat: list[Value] = []
    for part in parts:
        for piece in part.parts if isinstance(part, Text) else (part,):
            if isinstance(piece, Const) and flat and isinstance(flat[-1], Const):
                flat[-1] = Const(str(flat[-1].value) + str(piece.value))
            elif not (isinstance(piece, Const) and piece.value == ""):
                flat.append(Const(str(piece.value)) if isinstance(piece, Const) else piece)
    if not flat:
        return Const("")
    if len(flat) + sum(len(str(p.value)) for p in flat if isinstance(p, Const)) > MAX_TEXT:
        return Unknown(f"text:{ident(Text(tuple(flat)))}", TOO_LARGE)
    if len(flat) == 1 and isinstance(flat[0], Const | Sym | Package):
        return flat[0]
    return Text(tuple(flat))


def to_text(m: Machine, value: Value) -> Value:
    """`str(value)`."""

    def apply(v: Value) -> Value:
        match v:
            case Const(inner):
                return Const(str(inner))
            case Text() | Package() | Sym():
                return v
            case PathValue(text):
                return text
            case Device():
                return Const(str(v))
            case Obj():
                return objects.text_of(m, v)
            case _:
                return Text((v,))

    return lift(m, value, apply)


def percent(m: Machine, node: nodes.Node, template: str, value: Value) -> Value:
    """`template % value`."""
    items = list(value.items) if isinstance(value, Tup) else [value]
    if m.root.watch is not None:
        m.root.watch.formatted(m, node, template, items)
    if is_wide(template):
        return m.unknown(node, TOO_LARGE)
    if all(isinstance(i, Const) for i in items):
        args = tuple(i.value for i in items if isinstance(i, Const))
        try:
            return bounded_text(m, node, template % args)
        except (TypeError, ValueError):
            return m.unknown(node, "the format does not fit its values")
    pieces = _PLAIN_FIELD.split(template)
    each = isinstance(value, Tup) or containers.items_of(m, value) is None
    if each and len(pieces) == len(items) + 1 and "%" not in "".join(pieces):
        mixed: list[Value] = [Const(pieces[0])]
        for item, piece in zip(items, pieces[1:], strict=True):
            mixed += [to_text(m, item), Const(piece)]
        return lift_all(m, mixed, concat)
    return Unknown(f"format:{ident(Const(template))}%{ident(value)}", "a formatted unknown")


def bounded_text(m: Machine, node: nodes.Node, made: str) -> Value:
    """A text that was calculated, unless it is too large."""
    return Const(made) if len(made) <= MAX_TEXT else m.unknown(node, TOO_LARGE)


def is_wide(template: str) -> bool:
    """Whether a format may ask for more characters than can be followed: `%1000000000d`, `{:>{width}}`."""
    return _WIDE.search(template) is not None
