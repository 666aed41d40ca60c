"""Attributes: reading, binding, writing."""

from __future__ import annotations

import itertools
from collections import Counter, deque

from aoti_lint.ir import nodes
from aoti_lint.ir.names import written
from aoti_lint.language import calls, imports, kinds
from aoti_lint.language.classes import overloads
from aoti_lint.language.effects import exported_parts, exported_state, given_back, settings, torch_imports
from aoti_lint.language.flow import unfit
from aoti_lint.machine import hooks, tables
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import GRAPH, Machine
from aoti_lint.values.call import Call
from aoti_lint.values.choices import DECIDABLE
from aoti_lint.values.events.packages import AttributeUse
from aoti_lint.values.torch_values import Loaded, LoadedProgram, Program, ProgramModule, Tensor
from aoti_lint.values.values import (
    ABSENT,
    NONE,
    Absent,
    Bound,
    Choice,
    Class,
    Const,
    Func,
    Namespace,
    Obj,
    Partial,
    Ref,
    Sym,
    Tup,
    Unknown,
    Value,
)

ARTEFACTS = (Program, LoadedProgram, ProgramModule, Loaded)
"""What exports and loads give."""
PROPERTIES = frozenset({"property", "cached property"})
MODULES = ("instance", "module")
"""Kinds of objects that may be modules of torch."""
MAX_BASES = 20
"""Classes that may derive from each other in one line."""
MAX_ANCESTORS = 500
"""Classes that one may derive from in all."""
METACLASS = "#metaclass"
"""The cell of a class that holds the class of the project that made it."""
VERSION = "torch version"
"""The qualified name that stands for torch's version (see `models.versions`)."""
VERSION_STARTS = "torch version starts with"
"""The qualified name of its method `startswith`."""
_PARTS = ("an item of ", "the attribute ")
"""How it begins what is said of a part."""
BESIDE_RELEASE = frozenset({
    "endswith", "is_prerelease", "is_devrelease", "is_postrelease", "pre", "dev", "post", "local", "find", "count",
    "index", "isdigit",
})  # fmt: skip
"""Parts of a version, as text or parsed, that do not say which release it is."""


def get_attr(m: Machine, node: nodes.Node, value: Value, name: str) -> Value:
    """`value.name`."""
    return lift(m, value, lambda v: _get_attr(m, node, v, name))


def _get_attr(m: Machine, node: nodes.Node, value: Value, name: str) -> Value:
    match value:
        case Namespace():
            return imports.member(m, node, value, name)
        case Ref(qualified):
            return external(m, node, f"{qualified}.{name}")
        case Class():
            return member_of_class(m, node, value, name)
        case Obj():
            return _instance_member(m, node, value, name)
        case Tup(items, fields) if name in fields:
            return items[fields.index(name)]
        case Tup(cls=Class()):
            own = overloads.method_of_tuple(m, node, value, name)
            if own is not None:
                return own
        case Func() if name in ("__name__", "__qualname__"):
            return m.read(value.ident, "__name__") or Const(value.name if name == "__name__" else value.qualname)
        case Func(ident=number) if (held := m.read(number, name)) is not None:
            return held
        case Partial() if name == "func":
            return value.func
        case Bound(receiver, _, found) if name in ("__self__", "__func__"):
            given = receiver if name == "__self__" else found
            return given if given is not None else m.unknown(node, f"the {name} of a method")
    tag = kinds.tag_of(m, value)
    model = tables.ATTRIBUTES.get((tag, name))
    if model is not None:
        made = model(m, node, value)
        if m.root.watch is not None and isinstance(value, Tensor):
            m.root.watch.attribute(m, node, name, value, made)
        return made
    if isinstance(value, Unknown | Sym):
        given_back.taken_apart(m, node, value, "attribute", Const(name))
        given = given_back.part(m, value, Const(name), attribute=True)
        if given is not None:
            return given
        return Unknown(f"{value.key}.{name}", lost_part(node, f"the attribute {name}", value))
    if isinstance(value, Absent):
        return m.unknown(node, "the name is not bound here")
    if isinstance(value, ARTEFACTS):
        bound = m.read(value.ident, name)
        if bound is not None:
            return bound
        if (tag, name) not in tables.METHODS and m.read(value.ident, GRAPH) is None:
            m.emit(AttributeUse, node, of=value, name=name, used="read")
    elif isinstance(value, Bound):
        exported_parts.tell(m, node, value, name, "read")
    elif isinstance(value, Const):
        unfit.attribute(m, node, type(value.value), name)
    elif isinstance(value, Tup) and value.cls is None and not value.fields:
        unfit.attribute(m, node, tuple, name)
    return Bound(value, name)


def lost_part(node: nodes.Node, part: str, value: Value) -> str:
    """Why an attribute or an item of a value is not known; that of a part says of what the whole is a part."""
    why = value.reason if isinstance(value, Unknown) else ""
    if why.startswith(_PARTS):
        return why
    whole = written(node.base) if isinstance(node, nodes.Attr | nodes.Sub) else ""
    if whole:
        return f"{part} of {whole}" + (f" ({why})" if why else "")
    return f"{part} of {describe(value)}"


def describe(value: Value) -> str:
    match value:
        case Unknown(_, reason):
            return f"an unknown value ({reason})" if reason else "an unknown value"
        case Sym(_, origin):
            return origin or "an option"
        case Ref(name):
            return name
        case Class() | Func():
            return value.qualname
        case _:
            return "a value"


def external(m: Machine, node: nodes.Node, name: str) -> Value:
    """The thing outside the project that `name` means; a missing torch name is told to the rules."""
    if name.startswith(VERSION):
        return _of_version(m, node, name)
    patched = m.read("external", name)
    if patched is None:
        imports.note_use(m, node, name, "attribute")
    if name.startswith("torch._"):
        torch_imports.begin(m, node, name)
    if patched is not None:
        return patched
    made = tables.VALUES.get(name)
    return made(m) if made is not None else Ref(name)


def _of_version(m: Machine, node: nodes.Node, name: str) -> Value:
    """What belongs to torch's version: its release and its parts are still the version."""
    last = name.rpartition(".")[2]
    if last == "startswith":
        return Ref(VERSION_STARTS)
    return m.unknown(node, f"{last} of torch's version") if last in BESIDE_RELEASE else Ref(VERSION)


class Lines(dict[int, "tuple[tuple[Value, ...], list[Value]]"]):
    """By the identities of classes: their bases and all that these derive from, where no base depends on anything."""


def ancestors(m: Machine, cls: Class) -> list[Value]:
    """`cls` and its bases, in the order in which Python looks attributes up."""
    known = m.world.of(Lines).get(cls.ident)
    # Its decorators make another value of a class, with the same bases.
    if known is not None and known[0] is cls.bases:
        return [cls, *known[1]]
    found: dict[Value, None] = {}
    shared = decided = False
    todo: list[tuple[Value, int]] = [(cls, 0)]
    while todo and len(found) < MAX_ANCESTORS:
        one, depth = todo.pop()
        if one in found or depth > MAX_BASES:
            shared = shared or one in found
            continue
        found[one] = None
        bases = one.bases if isinstance(one, Class) else ()
        decided = decided or any(type(base) in DECIDABLE for base in bases)
        todo += [(m.see(base), depth + 1) for base in reversed(bases)]
    # Depth first is Python's order unless two bases have one in common.
    line = (_linearised(m, cls, 0, {}) if shared and not todo else None) or [*found]
    if not decided:
        m.world.of(Lines)[cls.ident] = cls.bases, line[1:]
    return line


def _linearised(m: Machine, cls: Value, depth: int, known: dict[Value, list[Value] | None]) -> list[Value] | None:
    """The method resolution order (C3) of a class; None if it has none. `known` has those of its bases so far."""
    if cls in known:
        return known[cls]
    bases = [m.see(b) for b in cls.bases] if isinstance(cls, Class) and depth <= MAX_BASES else []
    lines = [_linearised(m, base, depth + 1, known) for base in bases]
    todo = [deque(line) for line in (*lines, bases) if line]
    order: list[Value] | None = None if len(todo) < len(lines) else [cls]
    waiting = Counter(one for line in todo for one in itertools.islice(line, 1, None))
    while order is not None and todo:
        first = next((line[0] for line in todo if not waiting[line[0]]), None)
        if first is None:
            order = None
            break
        order.append(first)
        for line in todo:
            if line[0] == first:
                line.popleft()
                if line:
                    waiting[line[0]] -= 1
        todo = [line for line in todo if line]
    known[cls] = order
    return order


def class_member(m: Machine, cls: Class, name: str, after: Class | None = None) -> tuple[Value, Class] | None:
    """The attribute as the class body left it, and the class it stands in; `after` starts behind that class (super)."""
    line = ancestors(m, cls)
    if after is not None and after in line:
        line = line[line.index(after) + 1 :]
    for one in line:
        if isinstance(one, Class):
            found = m.read(one.ident, name)
            if found is not None:
                return found, one
    return None


def member_of_class(m: Machine, node: nodes.Node, cls: Class, name: str) -> Value:
    found = class_member(m, cls, name)
    if found is None and isinstance(made_by := m.read(cls.ident, METACLASS), Class):
        found = class_member(m, made_by, name)
        if found is not None and isinstance(found[0], Func):
            return Bound(cls, name, found[0])
    if found is None:
        if name in ("__name__", "__qualname__"):
            return Const(cls.name)
        if any(not isinstance(b, Class) for b in ancestors(m, cls)):
            return Bound(cls, name)
        return m.unknown(node, f"{cls.qualname} has no {name} that we saw")
    value, _ = found
    if isinstance(value, Func) and value.role == "class":
        return Bound(cls, name, value)
    return value


def _instance_member(m: Machine, node: nodes.Node, value: Obj, name: str) -> Value:
    if isinstance(value.cls, Class) and "asked for every attribute" in value.cls.traits:
        asked = class_member(m, value.cls, "__getattribute__")
        if asked is not None and isinstance(asked[0], Func):
            return calls.call(m, Call(node, [Const(name)]), Bound(value, "__getattribute__", asked[0]))
    return plain_member(m, node, value, name)


def plain_member(m: Machine, node: nodes.Node, value: Obj, name: str) -> Value:
    """The attribute of an instance, unless its class answers for all of them."""
    own = m.read(value.ident, name)
    if own is not None and not name.startswith("#"):
        exported_state.read(m, node, value, name, own)
        return own
    if isinstance(value.cls, Class):
        found = class_member(m, value.cls, name)
        if found is not None:
            exported_state.read(m, node, value, name, found[0])
            return bind(m, node, value, name, found[0])
        if name == "__class__":
            return value.cls
    tag = kinds.tag_of(m, value)
    model = tables.ATTRIBUTES.get((tag, name))
    if model is not None:
        return model(m, node, value)
    if (tag, name) in tables.METHODS:
        return Bound(value, name)
    getter = class_member(m, value.cls, "__getattr__") if isinstance(value.cls, Class) else None
    if getter is not None and isinstance(getter[0], Func):
        # Asked last, as Python does: a wrapper of a module still has the module's own methods.
        return calls.call(m, Call(node, [Const(name)]), Bound(value, "__getattr__", getter[0]))
    if value.kind == "object":
        return Unknown(f"o{value.ident}.{name}", f"the attribute {name} of something from outside the project")
    if value.kind in ("instance", "enum") and isinstance(value.cls, Class):
        # Perhaps set from outside, perhaps inherited from a class we cannot see: the same attribute, the same unknown.
        return Unknown(f"o{value.ident}.{name}", f"the attribute {name} of {value.cls.qualname} was not seen being set")
    unfit.attribute(m, node, _BUILT_IN.get(value.kind), name)
    return Bound(value, name)


_BUILT_IN: dict[str, type] = {"dict": dict, "list": list, "set": set}


def bind(m: Machine, node: nodes.Node, receiver: Obj, name: str, found: Value) -> Value:
    """What reading a class attribute through an instance gives: functions become methods, properties are run."""

    def apply(one: Value) -> Value:
        if isinstance(one, Func):
            if one.role == "static":
                return one
            if one.role == "class":
                return Bound(receiver.cls or receiver, name, one)
            if one.role in PROPERTIES:
                given = calls.call(m, Call(node, []), Bound(receiver, name, one))
                if one.role == "cached property" and one is found:
                    m.store.write(receiver.ident, name, given)
                return given
            return Bound(receiver, name, one)
        getter = class_member(m, one.cls, "__get__") if isinstance(one, Obj) and isinstance(one.cls, Class) else None
        if getter is not None and isinstance(getter[0], Func):
            site = Call(node, [receiver, receiver.cls or NONE])
            return calls.call(m, site, Bound(one, "__get__", getter[0]))
        return one

    return lift(m, found, apply)


def set_attr(m: Machine, node: nodes.Node, value: Value, name: str, new: Value) -> None:
    """`value.name = new`."""
    value = m.see(value)
    match value:
        case Choice(cond, then, other):
            m.fork(cond, lambda: set_attr(m, node, then, name, new), lambda: set_attr(m, node, other, name, new))
        case Obj():
            if isinstance(value.cls, Class):
                found = class_member(m, value.cls, name)
                if found is not None and isinstance(found[0], Func) and found[0].role in PROPERTIES:
                    setter = class_member(m, value.cls, f"#setter:{name}")
                    if setter is not None and isinstance(setter[0], Func):
                        calls.call(m, Call(node, [new]), Bound(value, name, setter[0]))
                        return
                if found is not None and is_descriptor(m, found[0]):
                    new = m.unknown(node, f"{name} is stored by a descriptor")
            if isinstance(value.cls, Class) and class_member(m, value.cls, "__setattr__") is not None:
                new = m.unknown(node, f"{value.cls.qualname} stores attributes in a way of its own")
            if name == "training" and kinds.tag_of(m, value) == "Module":
                # The flag of this module alone: its children keep theirs.
                name = "#training"
            if value.kind in MODULES:
                new = hooks.bound_in_module(m, value, name, new)
                if new is ABSENT:
                    return
            if m.root.watch is not None:
                m.root.watch.stored(m, node, value, name, new)
            if value.kind in MODULES:
                exported_state.bound(m, node, value, name, new)
            m.store.write(value.ident, name, new)
            if value.kind == "module" and not name.startswith("#"):
                hooks.replaced_in_module(m, value, new)
        case Class() | Namespace() | Func():
            m.store.write(value.ident, name, new)
        case Ref(qualified):
            settings.set_key(m, node, f"{qualified}.{name}", new)
            m.store.write("external", f"{qualified}.{name}", new)
        case Tensor():
            if m.root.watch is not None:
                m.root.watch.marked(m, node, value, name)
            hooks.set_on_tensor(m, value, name, new)
        case ProgramModule() | Program() | LoadedProgram() | Loaded():
            m.emit(AttributeUse, node, of=value, name=name, used="bound")
            m.store.write(value.ident, name, new)
            if isinstance(value, ProgramModule):
                # It may be a part of the graph, or a method.
                m.forget(value, f"its attribute {name} was bound")
        case Bound() if (part := exported_parts.part_of(value, name)) is not None:
            m.forget(part[0], f"its attribute {part[1]} was bound")
        case _:
            pass


def is_descriptor(m: Machine, value: Value) -> bool:
    """Whether a class attribute decides itself what writing it through an instance does."""
    return isinstance(value, Obj) and isinstance(value.cls, Class) and class_member(m, value.cls, "__set__") is not None


def delete_attr(m: Machine, value: Value, name: str) -> None:
    """`del value.name`."""
    value = m.see(value)
    if isinstance(value, Choice):
        then, other = value.then, value.other
        m.fork(value.cond, lambda: delete_attr(m, then, name), lambda: delete_attr(m, other, name))
    if isinstance(value, Obj) and value.kind in MODULES:
        hooks.deleted_from_module(m, value, name)
    if isinstance(value, Obj | Class | Namespace):
        m.store.write(value.ident, name, ABSENT)
