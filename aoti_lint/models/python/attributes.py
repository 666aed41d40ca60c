"""Built-in functions that look into objects: `getattr`, `hasattr`, `type`, `vars`, `dir`, `globals`."""

from __future__ import annotations

from aoti_lint.language import access
from aoti_lint.language.imports import presence
from aoti_lint.language.kinds import tag_of
from aoti_lint.language.truths import ask
from aoti_lint.machine import hooks
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import ATTRIBUTES, METHODS, function, method
from aoti_lint.models.modules.weights import module_state
from aoti_lint.models.python import standard
from aoti_lint.models.torch import compiling
from aoti_lint.values.call import Call
from aoti_lint.values.conditions import Cond
from aoti_lint.values.identity import ident
from aoti_lint.values.values import FALSE, NONE, TRUE, Choice, Class, Const, Obj, Ref, Sym, Unknown, Value


@function("delattr", "object.__delattr__")
def _delattr(m: Machine, call: Call) -> Value:
    name = m.see(call.arg(1) or NONE)
    if isinstance(name, Const) and isinstance(name.value, str):
        access.delete_attr(m, call.arg(0) or NONE, name.value)
    return NONE


@function("getattr")
def _getattr(m: Machine, call: Call) -> Value:
    name = m.see(call.arg(1) or NONE)
    owner = m.see(call.arg(0) or NONE)
    if isinstance(name, Choice):
        return lift(m, name, lambda n: _read(m, call, owner, n))
    return _read(m, call, owner, name)


def _read(m: Machine, call: Call, owner: Value, name: Value) -> Value:
    if not (isinstance(name, Const) and isinstance(name.value, str)):
        return m.unknown(call.node, "the name of the attribute is not known")
    default = call.arg(2)
    if default is None:
        return access.get_attr(m, call.node, owner, name.value)
    has = has_attribute(m, owner, name.value)
    if has == FALSE:
        return default
    found = m.read(owner.ident, name.value) if isinstance(owner, Obj) else None
    if has == TRUE:
        return found if found is not None else access.get_attr(m, call.node, owner, name.value)
    return lift(m, has, lambda h: access.get_attr(m, call.node, owner, str(name.value)) if h == TRUE else default)


@function("setattr")
def _setattr(m: Machine, call: Call) -> Value:
    name = m.see(call.arg(1) or NONE)
    if isinstance(name, Const) and isinstance(name.value, str):
        access.set_attr(m, call.node, call.arg(0) or NONE, name.value, call.arg(2) or NONE)
    else:
        m.forget(owner := m.see(call.arg(0) or NONE), "an attribute whose name is not known was set")
        if isinstance(owner, Obj):
            module_state.unsettle(m, owner, "an attribute whose name is not known was set")
    return NONE


@function("hasattr")
def _hasattr(m: Machine, call: Call) -> Value:
    name, owner = m.see(call.arg(1) or NONE), m.see(call.arg(0) or NONE)
    if not (isinstance(name, Const) and isinstance(name.value, str)):
        return m.unknown(call.node, "the name of the attribute is not known")
    return has_attribute(m, owner, name.value)


RELEASED = frozenset({"torch.version.git_version"})
"""Names that every wheel has in `torch/version.py`, a file that is written when torch is built."""


@hooks.has_attribute.answers
def has_attribute(m: Machine, owner: Value, name: str) -> Value:
    """Whether `owner` has the attribute; for torch names a question about the release."""
    if isinstance(owner, Ref):
        qualified = f"{owner.name}.{name}"
        if qualified in RELEASED:
            return TRUE
        there = presence(qualified) if qualified.startswith("torch") else None
        if there is None:
            return ask(m, Cond(("hasattr", qualified), "machine"))
        answer = m.version_cond(there, f"torch has {qualified}")
        return Const(answer) if isinstance(answer, bool) else ask(m, answer)
    if isinstance(owner, Obj):
        own = m.read(owner.ident, name)
        if own is not None and not isinstance(own, Choice):
            return TRUE
        if isinstance(owner.cls, Class) and access.class_member(m, owner.cls, name) is not None:
            return TRUE
        if name == compiling.WRAPPED and tag_of(m, owner) == "Module":
            return Const(owner.compiled is not None)
    elif not isinstance(owner, Unknown | Sym):
        tag = tag_of(m, owner)
        if (tag, name) in METHODS or (tag, name) in ATTRIBUTES:
            return TRUE
    return ask(m, Cond(("hasattr", ident(owner), name)))


@function("type")
def _type(m: Machine, call: Call) -> Value:
    given = m.see(call.arg(0) or NONE)
    if isinstance(given, Obj) and given.cls is not None and given.compiled is None:
        return given.cls
    return Unknown(f"type({ident(given)})", "the type of a value")


@function("vars")
def _vars(m: Machine, call: Call) -> Value:
    given = m.see(call.arg(0) or NONE)
    if isinstance(given, Obj) and given.kind in ("instance", "object"):
        return standard.namespace_dict(m, given)
    if not call.args and not call.open:
        return _locals(m, call)
    return m.unknown(call.node, "a table of names")


@function("dir")
def _dir(m: Machine, call: Call) -> Value:
    made = m.new("object", Ref("dir()"))
    m.store.write(made.ident, "of", m.see(call.arg(0) or NONE))
    return made


@method("dir()", "__contains__")
def _in_dir(m: Machine, call: Call, receiver: Value) -> Value:
    owner, name = m.read(receiver.ident, "of") if isinstance(receiver, Obj) else None, m.see(call.args[0])
    if owner is None or not (isinstance(name, Const) and isinstance(name.value, str)):
        return m.unknown(call.node, "whether a name is in a table of names")
    return has_attribute(m, owner, name.value)


@function("globals")
def _globals(m: Machine, call: Call) -> Value:
    if m.read(m.frame.module.ident, "#stars") is not None:
        return m.unknown(call.node, "a table of names, some of which come from outside")
    return standard.namespace_dict(m, m.frame.module)


@function("locals")
def _locals(m: Machine, call: Call) -> Value:
    if m.frame.ident == m.frame.module.ident:
        return _globals(m, call)
    return m.unknown(call.node, "a table of names")
