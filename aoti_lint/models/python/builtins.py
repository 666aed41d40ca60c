"""Functions of Python's `builtins` that matter for what flows into torch."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import partial, reduce

from aoti_lint.language import access, calls, kinds
from aoti_lint.language.data import containers, subscripts
from aoti_lint.language.data.texts import is_wide, to_text
from aoti_lint.language.operators import binary
from aoti_lint.language.tools import derive, from_python, plain
from aoti_lint.language.truths import ask, truth
from aoti_lint.machine import tables
from aoti_lint.machine.alternatives import lift, lift_all
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.process import handed_variables, process
from aoti_lint.models.tensors.sizes import some_integer
from aoti_lint.models.torch.versions import VERSION
from aoti_lint.values.call import Call
from aoti_lint.values.conditions import Cond
from aoti_lint.values.identity import ident
from aoti_lint.values.sizes.reckoning import as_float
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import (
    FALSE,
    NONE,
    TRUE,
    Bound,
    Class,
    Const,
    Func,
    Many,
    Obj,
    Partial,
    PathValue,
    Ref,
    Sym,
    Text,
    Tup,
    Unknown,
    Value,
)

MAX_RANGE = 64


@function("str")
def _str(m: Machine, call: Call) -> Value:
    given = m.see(call.arg(0, "object", Const("")) or NONE)
    return VERSION if given == VERSION else to_text(m, given)


@function("repr", "ascii")
def _repr(m: Machine, call: Call) -> Value:
    def apply(value: Value) -> Value:
        return Const(repr(value.value)) if isinstance(value, Const) else Unknown(f"repr({ident(value)})", "a repr()")

    return lift(m, call.arg(0) or NONE, apply)


@function("format")
def _format(m: Machine, call: Call) -> Value:
    def apply(chosen: list[Value]) -> Value:
        value, spec = chosen
        if isinstance(value, Const) and isinstance(spec, Const) and not is_wide(str(spec.value)):
            try:
                return Const(format(value.value, str(spec.value)))
            except (TypeError, ValueError):
                return m.unknown(call.node, "the format does not fit its value")
        if m.root.watch is not None and isinstance(spec, Const) and spec.value:
            m.root.watch.shown(m, call.node, value, str(spec.value))
        return Unknown(f"format({ident(value)},{ident(spec)})", "a formatted unknown")

    return lift_all(m, [call.arg(0) or NONE, call.arg(1) or Const("")], apply)


def _number(kind: type) -> None:
    @function(kind.__name__)
    def model(m: Machine, call: Call) -> Value:
        if len(call.args) > 1 or call.kwargs:
            return m.unknown(call.node, f"{kind.__name__}() of a text in another base")

        def apply(value: Value) -> Value:
            if value == VERSION:
                return value
            if isinstance(value, Const) and isinstance(value.value, int | float | str):
                try:
                    return Const(kind(value.value))
                except (ValueError, OverflowError):
                    return m.unknown(call.node, f"{kind.__name__}() fails on this")
            made = derive(m, value, f".{kind.__name__}", kind)
            return as_float(made) if kind is float else made

        return lift(m, call.arg(0) or Const(0), apply)


for _kind in (int, float):
    _number(_kind)


@function("bool")
def _bool(m: Machine, call: Call) -> Value:
    return truth(m, call.arg(0) or FALSE, call.node)


@function("len")
def _len(m: Machine, call: Call) -> Value:
    def apply(value: Value) -> Value:
        if isinstance(value, Const) and isinstance(value.value, str | bytes):
            return Const(len(value.value))
        if isinstance(value, Tensor):
            return value.shape[0] if value.shape else Unknown(f"len({value.key})", "the length of a tensor")
        if isinstance(value, Obj) and isinstance(value.cls, Class) and value.kind == "instance":
            found = access.class_member(m, value.cls, "__len__")
            if found is not None:
                return calls.call(m, Call(call.node, []), access.bind(m, call.node, value, "__len__", found[0]))
        model = tables.METHODS.get((kinds.tag_of(m, value), "__len__"))
        if model is not None:
            return model(m, Call(call.node, []), value)
        items = containers.items_of(m, value)
        count = containers.count_of(m, value) if items is None else len(items)
        return Unknown(f"len({ident(value)})", "a length that is not known") if count is None else Const(count)

    return lift(m, call.arg(0) or NONE, apply)


@function("range")
def _range(m: Machine, call: Call) -> Value:
    bounds, count = [m.see(a) for a in call.args], None
    known = [b.value for b in bounds if isinstance(b, Const) and isinstance(b.value, int)]
    if bounds and len(known) == len(bounds):
        try:
            numbers = range(*known)
        except (TypeError, ValueError):
            return m.unknown(call.node, "range() fails on this")
        if not numbers[MAX_RANGE:]:
            return Tup(tuple(Const(n) for n in numbers), (), Ref("range"))
        count = len(numbers) if not numbers[sys.maxsize :] else None
    made = m.new("list")
    m.store.write(made.ident, "#items", Many(some_integer(m, "a number of a long or unknown range"), count))
    return made


def _sequence(name: str) -> None:
    @function(name)
    def model(m: Machine, call: Call) -> Value:
        given = m.see(call.arg(0) or Tup(()))
        ours = isinstance(given, Obj) and given.kind == "instance"
        found = subscripts.iterate(m, given) if ours else containers.items_of(m, given)
        items = found if isinstance(found, list) else None
        if given == VERSION or containers.element_of(m, given) == VERSION:
            return VERSION
        if name == "tuple":
            return (
                Tup(tuple(items))
                if items is not None
                else Unknown(f"tuple({ident(given)})", "a tuple of unknown items")
            )
        made = m.new("set" if name in ("set", "frozenset") else "list")
        element = containers.element_of(m, given)
        if items is None and element is not None:
            count = containers.count_of(m, given) if name == "list" else None
            m.store.write(made.ident, "#items", Many(element, count))
        else:
            containers.set_items(m, made, items if name == "list" or items is None else containers.unique(items))
        return made


for _name in ("list", "tuple", "set", "frozenset"):
    _sequence(_name)


@function("dict")
def _dict(m: Machine, call: Call) -> Value:
    pairs: list[tuple[Value, Value]] | None = []
    if call.args:
        given = m.see(call.args[0])
        if process.is_environment(given):
            made = handed_variables.merged(m, [(call.node, None, given)])
            more: list[tuple[Value, Value]] = [(Const(key), value) for key, value in call.kwargs.items()]
            process.update(m, call.node, None if call.open else more, made)
            return made
        pairs = containers.dict_pairs(m, given)
        items = containers.items_of(m, given) if pairs is None else None
        if items is not None:
            inner = [containers.items_of(m, i) for i in items]
            pairs = [(i[0], i[1]) for i in inner if i is not None and len(i) == 2]
            pairs = pairs if len(pairs) == len(inner) else None
        if pairs is None and not call.kwargs and not call.open:
            return containers.dict_of(m, containers.element_of(m, given))
    named = [(Const(key), value) for key, value in call.kwargs.items()]
    pairs = None if pairs is None or call.open else containers.put(pairs, named)
    return containers.new_dict(m, pairs)


MAX_SUMMED = 64
"""Tensors of a list that are added up one by one."""


@function("sum")
def _sum(m: Machine, call: Call) -> Value:
    items = containers.items_of(m, call.args[0]) if call.args else None
    start = call.arg(1, "start")
    items = items if items is None or start is None else [m.see(start), *items]
    if items is not None and all(isinstance(i, Const) and isinstance(i.value, int | float) for i in items):
        return Const(sum(i.value for i in items if isinstance(i, Const) and isinstance(i.value, int | float)))
    if items is not None and 0 < len(items) <= MAX_SUMMED and any(isinstance(i, Tensor) for i in map(m.see, items)):
        return reduce(partial(binary, m, call.node, "+"), items if start is not None else [Const(0), *items])
    return m.unknown(call.node, "a sum of unknowns")


PURE: tuple[Callable[..., object], ...] = (abs, round, divmod, pow, ord, chr, bin, hex, oct)


def _pure(apply: Callable[..., object]) -> None:
    @function(apply.__name__)
    def model(m: Machine, call: Call) -> Value:
        """Worked out, where all it is given is known."""
        if call.open or call.kwargs:
            return m.unknown(call.node, "the arguments are not all known")

        def work(given: list[Value]) -> Value:
            values = plain(given)
            # A power may be too large to work out.
            if values is None or (apply is pow and any(not isinstance(v, int) or abs(v) > 64 for v in values)):
                return m.unknown(call.node, "the result of a built-in function")
            try:
                made = from_python(m, apply(*values))
            except Exception:  # whatever it raises, the script would raise too
                made = None
            return made if made is not None else m.unknown(call.node, "the result of a built-in function")

        return lift_all(m, list(call.args), work)


for _apply in PURE:
    _pure(_apply)


@function("callable")
def _callable(m: Machine, call: Call) -> Value:
    given = m.see(call.arg(0) or NONE)
    if isinstance(given, Func | Class | Bound | Partial):
        return TRUE
    return FALSE if isinstance(given, Const) else ask(m, Cond(("callable", ident(given))))


@function("hash", "id", "input")
def _scalar(m: Machine, call: Call) -> Value:
    return m.unknown(call.node, "the result of a built-in function")


@function("exec")
def _exec(m: Machine, call: Call) -> Value:
    """Code that is only known when it runs: it may bind every plain name that it can see anew."""
    spaces = [m.see(v) for v in (*call.args[1:], *(v for k, v in call.kwargs.items() if k in ("globals", "locals")))]
    for space in spaces:
        m.forget(space, "code was run in it")
    if spaces and not any(isinstance(s, Obj) and m.read(s.ident, containers.OWNER) for s in spaces):
        return NONE
    text = m.see(call.arg(0) or NONE)
    said = set(re.findall(r"\w+", text.value)) if isinstance(text, Const) and isinstance(text.value, str) else None
    for owner in {m.frame.ident, m.frame.module.ident}:
        for name, held in list(m.store.slots(owner)):
            if name[0] not in "#_" and (said is None or name in said):
                rebound(m, owner, name, m.see(held))
    return NONE


def rebound(m: Machine, owner: int, name: str, held: Value) -> None:
    """A name that code we cannot see may have bound to something else."""
    if isinstance(held, Const | Device):
        origin = f"{name}, which code that is run by exec() may change"
        m.store.write(owner, name, Sym(f"exec:{owner}:{name}:{m.fresh()}", origin, held))
    elif isinstance(held, Tensor | Tup | Text | PathValue):
        m.store.write(owner, name, m.unknown(None, "code that is run by exec() may change it"))


@function("print", "breakpoint", "help", "object.__init__")
def _effect(m: Machine, call: Call) -> Value:
    return NONE


@function("object")
def _object(m: Machine, call: Call) -> Value:
    """Something that is itself and nothing else."""
    return m.new("object", Ref("object"))


@function("functools.partial")
def _partial(m: Machine, call: Call) -> Value:
    if not call.args or call.open:
        return m.unknown(call.node, "a partial of unknown arguments")
    return Partial(call.args[0], tuple(call.args[1:]), tuple(call.kwargs.items()))
