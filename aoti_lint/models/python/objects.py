"""Methods of `object` itself, of cached functions, and functions chosen by the type of their argument."""

from __future__ import annotations

from aoti_lint.language import access, calls, expressions, functions
from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.python.types import is_instance
from aoti_lint.values.call import Call
from aoti_lint.values.values import ABSENT, FALSE, NONE, TRUE, Class, Const, Func, Obj, Pairs, Partial, Ref, Value


@function("object.__getattribute__")
def _getattribute(m: Machine, site: Call) -> Value:
    owner, name = m.see(site.arg(0) or NONE), m.see(site.arg(1) or NONE)
    if isinstance(owner, Obj) and isinstance(name, Const) and isinstance(name.value, str):
        return access.plain_member(m, site.node, owner, name.value)
    return m.unknown(site.node, "an attribute of something unknown")


@function("object.__setattr__")
def _setattr(m: Machine, site: Call) -> Value:
    """Store an attribute, whatever the class does about it."""
    owner, name = m.see(site.arg(0) or NONE), m.see(site.arg(1) or NONE)
    if isinstance(owner, Obj) and isinstance(name, Const) and isinstance(name.value, str):
        m.store.write(owner.ident, name.value, site.arg(2) or NONE)
    return NONE


@method("Func", "cache_clear")
def _cache_clear(m: Machine, site: Call, receiver: Value) -> Value:
    if isinstance(receiver, Func):
        for name, _ in list(m.store.slots(receiver.ident)):
            if name.startswith(functions.CACHED):
                m.store.write(receiver.ident, name, ABSENT)
    return NONE


# ---------------------------------------------------------------- single dispatch

DISPATCH = "functools.singledispatch()"


@function("functools.singledispatch")
def _dispatch(m: Machine, site: Call) -> Value:
    made = opaque(m, DISPATCH)
    m.store.write(made.ident, "default", site.arg(0, "func") or NONE)
    m.store.write(made.ident, "#items", Pairs(()))
    return made


@function("functools.singledispatch().register")
def _registered(m: Machine, site: Call) -> Value:
    """The decorator: one more way, for a type given before or by the annotation of the first parameter."""
    owner, kind, func = site.args[0], m.see(site.args[1]), m.see(site.arg(2) or NONE)
    if kind == NONE and isinstance(func, Func) and func.node.params:
        annotation = func.node.params[0].annotation
        kind = NONE if annotation is None else m.see(expressions.evaluate(m, annotation))
    if isinstance(owner, Obj):
        held = slot(m, owner, "#items")
        known = held.pairs if isinstance(held, Pairs) else ()
        m.store.write(owner.ident, "#items", Pairs((*((k, v) for k, v in known if k != kind), (kind, func))))
    return func


@method(DISPATCH, "register")
def _register(m: Machine, site: Call, receiver: Value) -> Value:
    kind, func = m.see(site.arg(0, "cls") or NONE), site.arg(1, "func")
    given = (kind, func) if func is not None else (NONE, kind) if isinstance(kind, Func) else None
    if given is None:
        return Partial(Ref("functools.singledispatch().register"), (receiver, kind), ())
    return _registered(m, Call(site.node, [receiver, *given]))


@method(DISPATCH, "__call__")
def _dispatched(m: Machine, site: Call, receiver: Value) -> Value:
    """The way for the type of the first argument, where one type and no other is known to fit."""
    assert isinstance(receiver, Obj)
    held, default = slot(m, receiver, "#items"), slot(m, receiver, "default")

    def choose(value: Value) -> Value:
        pairs = held.pairs if isinstance(held, Pairs) else ((NONE, NONE),)
        fits = [FALSE if not isinstance(k, Class | Ref) else is_instance(m, value, k) for k, _ in pairs]
        sure = all(isinstance(k, Class | Ref) for k, _ in pairs) and all(f in (TRUE, FALSE) for f in fits)
        found = [way for (_, way), f in zip(pairs, fits, strict=True) if f == TRUE]
        if not sure or len(found) > 1:
            calls.give_away(m, site, "a function chosen by a type that is not known")
            return m.unknown(site.node, "what a function gives that is chosen by a type that is not known")
        return calls.call(m, site, found[0] if found else default)

    return lift(m, site.args[0], choose) if site.args else calls.call(m, site, default)
