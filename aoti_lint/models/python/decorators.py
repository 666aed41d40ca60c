"""Decorators: what they make of a function or class."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.ir import nodes
from aoti_lint.language import access, calls, expressions, kinds
from aoti_lint.machine import hooks, tables
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.python.annotations import SIGNATURE
from aoti_lint.values.call import Call
from aoti_lint.values.values import NONE, TRUE, Bound, Class, Const, Func, Obj, Partial, Ref, Unknown, Value

ROLES = {
    "staticmethod": "static", "classmethod": "class", "property": "property",
    "functools.cached_property": "cached property", "abc.abstractproperty": "property",
    "contextlib.contextmanager": "context", "contextlib.asynccontextmanager": "context",
}  # fmt: skip
DATACLASSES = frozenset(
    {"dataclasses.dataclass", "attr.s", "attrs.define", "attr.define", "attrs.frozen", "attr.dataclass", "attr.frozen",
     "pydantic.dataclasses.dataclass", "flax.struct.dataclass"}
)  # fmt: skip


@function("functools.cache", "functools.lru_cache")
def _cache(m: Machine, site: Call) -> Value:
    """The function, which from now on gives the same thing for the same arguments; the decorator if there is none."""
    func = m.see(site.arg(0, "user_function") or NONE)
    return replace(func, role="cached") if isinstance(func, Func) else Ref("functools.cache")


def _called(name: str) -> None:
    """A role given by a call: `make = staticmethod(create)`."""

    @function(name)
    def give(m: Machine, site: Call) -> Value:
        func = m.see(site.arg(0, "fget") or NONE)
        return replace(func, role=ROLES[name]) if isinstance(func, Func) else func


for _name in ("staticmethod", "classmethod", "property", "functools.cached_property"):
    _called(_name)


@function("functools.wraps")
def _wraps(m: Machine, site: Call) -> Value:
    return Partial(Ref("functools.update_wrapper"), (), (("wrapped", site.arg(0, "wrapped") or NONE),))


@function("functools.update_wrapper")
def _update_wrapper(m: Machine, site: Call) -> Value:
    """The wrapper, under the name of what it wraps."""
    wrapper, wrapped = m.see(site.arg(0, "wrapper") or NONE), m.see(site.arg(1, "wrapped") or NONE)
    if isinstance(wrapper, Func):
        name = access.get_attr(m, site.node, wrapped, "__name__")
        m.store.write(wrapper.ident, "__name__", name if isinstance(name, Const) else m.unknown(site.node, "a name"))
        m.store.write(wrapper.ident, "__wrapped__", wrapped)
    return wrapper


@function("inspect.signature")
def _signature(m: Machine, site: Call) -> Value:
    made = m.new("object", SIGNATURE)
    m.store.write(made.ident, "of", site.arg(0, "obj") or NONE)
    return made


@hooks.decorated.answers
def apply(m: Machine, node: nodes.FunctionDef | nodes.ClassDef, decorator: nodes.Expr, value: Value) -> Value:
    """`value` decorated. A decorator from outside that we do not know is taken to leave it as it is."""
    if isinstance(decorator, nodes.Attr) and decorator.name in ("setter", "getter", "deleter"):
        if decorator.name == "setter":
            m.store.write(m.frame.ident, f"#setter:{node.name}", value)
        return expressions.lookup(m, node.name) or value
    made = m.see(expressions.evaluate(m, decorator.func if _is_dataclass(m, decorator) else decorator))  # type: ignore[union-attr]
    if isinstance(made, Unknown) and isinstance(value, Func) and m.frame.func is not None:
        m.root.handed.append((value, list(m.root.guards)))
    return lift(m, made, lambda d: _applied(m, decorator, d, value))


def _is_dataclass(m: Machine, decorator: nodes.Expr) -> bool:
    """Whether the decorator is a dataclass decorator with arguments."""
    if not (isinstance(decorator, nodes.Call) and isinstance(decorator.func, nodes.Name | nodes.Attr)):
        return False
    func = expressions.evaluate(m, decorator.func)
    return isinstance(func, Ref) and func.name in DATACLASSES


DECORATED = "#decorated"
"""The slot of a function that a decorator was given which we do not know."""


def _left(m: Machine, value: Value) -> Value:
    """What an unknown decorator is taken to give; that it may be another function is noted."""
    if isinstance(value, Func):
        m.store.write(value.ident, DECORATED, TRUE)
    return value


def _applied(m: Machine, site: nodes.Node, decorator: Value, value: Value) -> Value:
    if isinstance(decorator, Ref):
        if decorator.name in ROLES:
            return replace(value, role=ROLES[decorator.name]) if isinstance(value, Func) else value
        if decorator.name in DATACLASSES:
            return replace(value, traits=value.traits | {"dataclass"}) if isinstance(value, Class) else value
        if decorator.name not in tables.FUNCTIONS:
            return _left(m, value)
    elif not isinstance(decorator, Func | Bound | Partial | Class | Obj):
        return _left(m, value)
    if isinstance(decorator, Bound) and decorator.func is None:
        tag = kinds.tag_of(m, decorator.receiver)
        if (tag, decorator.name) not in tables.METHODS:
            return _left(m, value)
    return calls.call(m, Call(site, [value], arg_nodes=[]), decorator)
