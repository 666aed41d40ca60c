"""Instances of project classes that Python takes for containers: by `__iter__`, `__getitem__`, `keys`."""

from __future__ import annotations

from aoti_lint.language import access, calls
from aoti_lint.language.data import containers
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.values import Bound, Class, Const, Func, Obj, Ref, Value

MAPPINGS = frozenset(
    Ref(f"{module}.{name}")
    for module in ("collections.abc", "typing", "collections")
    for name in ("Mapping", "MutableMapping")
)


def site(m: Machine, value: Obj) -> Call | None:
    """A call without arguments where the code stands that runs."""
    node = m.frame.at if m.root.frames else None
    return None if node is None else Call(node, [])


def own_method(m: Machine, value: Obj, name: str) -> Bound | None:
    """The method of the project that an instance has under this name."""
    found = access.class_member(m, value.cls, name) if isinstance(value.cls, Class) else None
    return Bound(value, name, found[0]) if found is not None and isinstance(found[0], Func) else None


def is_mapping(m: Machine, value: Obj) -> bool:
    """Whether the class of an instance is made in the image of a dict."""
    if not isinstance(value.cls, Class):
        return False
    return any(b in MAPPINGS for b in access.ancestors(m, value.cls))


def iterator(m: Machine, value: Obj) -> Value | None:
    """What `iter()` of an instance gives; None where it has no `__iter__` of the project, or gives another instance."""
    method, call = own_method(m, value, "__iter__"), site(m, value)
    if method is None or call is None:
        return None
    made = m.see(calls.call(m, call, method))
    return None if isinstance(made, Obj) and made.kind == "instance" else made


def items(m: Machine, value: Obj) -> list[Value] | None:
    """The items an iteration over an instance gives; None if they are not all known."""
    if own_method(m, value, "__iter__") is not None:
        made = iterator(m, value)
        return None if made is None else containers.items_of(m, made)
    length, getter, call = own_method(m, value, "__len__"), own_method(m, value, "__getitem__"), site(m, value)
    if length is None or getter is None or call is None or is_mapping(m, value):
        return None
    size = m.see(calls.call(m, call, length))
    if not isinstance(size, Const) or not isinstance(size.value, int) or not 0 <= size.value <= containers.MAX_ITEMS:
        return None
    return [calls.call(m, Call(call.node, [Const(i)]), getter) for i in range(size.value)]


def pairs(m: Machine, value: Obj) -> list[tuple[Value, Value]] | None:
    """The pairs of an instance that is taken for a dict; None if it is none, or they are not all known."""
    keys, getter, call = own_method(m, value, "keys"), own_method(m, value, "__getitem__"), site(m, value)
    if getter is None or call is None or (keys is None and not is_mapping(m, value)):
        return None
    found = items(m, value) if keys is None else containers.items_of(m, calls.call(m, call, keys))
    if found is None:
        return None
    return [(key, calls.call(m, Call(call.node, [key]), getter)) for key in found]
