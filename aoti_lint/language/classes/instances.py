"""Instances of the classes of the project, and what `super()` gives in their methods."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language import access, functions, kinds
from aoti_lint.language.classes import modules
from aoti_lint.machine import hooks, tables
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.frames import Frame
from aoti_lint.values.identity import ident
from aoti_lint.values.values import Bound, Class, Func, Obj, Partial, Ref, Unknown, Value


def instantiate(m: Machine, site: Call, cls: Class) -> Value:
    """`Cls(...)`."""
    made = hooks.make_instance(m, site, cls)
    return fresh_instance(m, site, cls) if made is None else made


def fresh_instance(m: Machine, site: Call, cls: Class) -> Value:
    """A new instance of an ordinary class, with its `__init__` run."""
    new = Obj(m.fresh(), "instance", cls)
    prepare(m, new)
    init = access.class_member(m, cls, "__init__")
    if init is not None and isinstance(init[0], Func):
        functions.invoke(m, site, init[0], new)
    elif any(isinstance(b, Ref) for b in access.ancestors(m, cls)):
        hooks.inherited_init(m, site, new)
    return new


def prepare(m: Machine, new: Obj) -> None:
    """What a `torch.nn.Module` has before its own `__init__` ran."""
    if modules.is_module(m, new):
        modules.start_module(m, new)


def super_of(m: Machine, frame: Frame) -> Value:
    """The value of `super()` in a method."""
    if frame.owner is None or frame.receiver is None:
        return Unknown(f"u{m.fresh()}", "super() outside a method")
    return Partial(Ref("super"), (frame.owner, frame.receiver), ())


def hidden_bases(m: Machine, cls: Class) -> bool:
    """Whether a class outside the project may make its instances in a way of its own."""
    bases = (b for b in access.ancestors(m, cls) if not isinstance(b, Class))
    return any(b not in modules.HARMLESS and not modules.is_module_class(m, b) for b in bases)


def super_attr(m: Machine, node: nodes.Node, proxy: Partial, name: str) -> Value:
    """`super().name`."""
    owner, receiver = proxy.args
    if name == "__call__" and isinstance(receiver, Class) and owner == m.read(receiver.ident, access.METACLASS):
        return Partial(Ref("type.__call__"), (receiver,), ())
    cls = receiver.cls if isinstance(receiver, Obj) else receiver
    if isinstance(cls, Class) and isinstance(owner, Class):
        found = access.class_member(m, cls, name, after=owner)
        if found is not None:
            if isinstance(receiver, Obj):
                return access.bind(m, node, receiver, name, found[0])
            return Bound(receiver, name, found[0]) if isinstance(found[0], Func) else found[0]
    if isinstance(receiver, Obj) and (kinds.tag_of(m, receiver), name) in tables.METHODS:
        return Bound(receiver, name)
    if name == "__init__":
        return Ref("object.__init__")
    if name == "__new__" and isinstance(receiver, Class) and not hidden_bases(m, receiver):
        return Ref("object.__new__")
    if name in ("__getattribute__", "__setattr__", "__delattr__") and kinds.tag_of(m, receiver) != "Module":
        return Partial(Ref(f"object.{name}"), (receiver,), ())
    return Unknown(f"super:{ident(receiver)}.{name}", "a method of a class outside the project")
