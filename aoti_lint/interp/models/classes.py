"""Classes of the project: defining them, and the kinds whose instances are made by other than `__init__`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from aoti_lint.interp import access, calls, containers, expressions, statements
from aoti_lint.interp.machine import Frame
from aoti_lint.interp.models import modules
from aoti_lint.interp.models.registry import Call, function, method
from aoti_lint.interp.operators import lift
from aoti_lint.interp.values import (
    FALSE,
    NONE,
    Bound,
    Class,
    Const,
    Func,
    Namespace,
    Obj,
    Ref,
    Sym,
    Tup,
    Unknown,
    Value,
)
from aoti_lint.ir import nodes

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine

TRAITS = {
    "enum.Enum": "enum", "enum.IntEnum": "enum", "enum.StrEnum": "enum", "enum.Flag": "enum",
    "typing.NamedTuple": "namedtuple",
    "pydantic.BaseModel": "dataclass", "pydantic_settings.BaseSettings": "settings",
    "pydantic.BaseSettings": "settings",
    "msgspec.Struct": "dataclass", "typing.TypedDict": "dict", "typing_extensions.TypedDict": "dict",
}  # fmt: skip
METACLASS = access.METACLASS


def define(m: Machine, node: nodes.ClassDef, qualname: str) -> Class:
    """The class, with its body run."""
    bases = tuple(m.see(expressions.evaluate(m, a.value)) for a in node.args if a.name is None and not a.stars)
    given = {a.name: expressions.evaluate(m, a.value) for a in node.args if a.name is not None}
    made_by = m.see(given.pop("metaclass", NONE))
    traits: set[str] = set()
    if isinstance(made_by, Class) and access.class_member(m, made_by, "__call__") is not None:
        traits.add("made by its metaclass")
    inherited = next((held for b in bases if isinstance(b, Class) and (held := m.read(b.ident, METACLASS))), None)
    for base in bases:
        if isinstance(base, Class):
            traits |= base.traits
        elif isinstance(base, Ref) and base.name in TRAITS:
            traits.add(TRAITS[base.name])
    outer = m.frame
    made = Class(m.fresh(), node, outer.module, qualname, bases, frozenset(traits))
    if isinstance(made_by, Class) or inherited is not None:
        m.store.write(made.ident, METACLASS, made_by if isinstance(made_by, Class) else inherited or NONE)
    scopes = outer.scopes if outer.ident == outer.module.ident else (outer.ident, *outer.scopes)
    if outer.owner is not None and outer.ident == outer.owner.ident:
        scopes = outer.scopes
    m.frames.append(Frame(made.ident, outer.module, qualname, scopes, owner=made))
    try:
        statements.exec_block(m, node.body)
    finally:
        m.frames.pop()
    if "enum" in traits:
        _enumerate(m, made)
    hook = access.class_member(m, made, "__init_subclass__", after=made)
    if hook is not None and isinstance(hook[0], Func):
        calls.call(m, Call(node, [], given), Bound(made, "__init_subclass__", hook[0]))
    return made


def _enumerate(m: Machine, cls: Class) -> None:
    """Make the plain names of an enum's body into its members."""
    members: dict[Value, Obj] = {}
    for index, (slot, value) in enumerate(list(m.store.slots(cls.ident)), 1):
        if slot.startswith("_") or slot.startswith("#") or isinstance(value, Func | Class | Namespace):
            continue
        automatic = isinstance(value, Ref) and value.name == "enum.auto()"
        if value in members and not automatic:
            m.store.write(cls.ident, slot, members[value])
            continue
        members[value] = member = Obj(m.fresh(), "enum", cls)
        shown: Value = (
            Const(slot.lower())
            if automatic and Ref("enum.StrEnum") in cls.bases
            else Const(index)
            if automatic
            else value
        )
        m.store.write(member.ident, "value", shown)
        m.store.write(member.ident, "name", Const(slot))
        m.store.write(cls.ident, slot, member)


@function("enum.auto")
def _auto(m: Machine, call: Call) -> Value:
    return Ref("enum.auto()")


def fields(m: Machine, cls: Class) -> list[tuple[str, nodes.Expr | None, Class]]:
    """The annotated fields of a dataclass, base classes first, with default expression and owner."""
    found: dict[str, tuple[str, nodes.Expr | None, Class]] = {}
    for one in reversed(access.ancestors(m, cls)):
        if isinstance(one, Class):
            for statement in one.node.body:
                if isinstance(statement, nodes.AnnAssign) and isinstance(statement.target, nodes.Name):
                    if "ClassVar" in _names(statement.annotation):
                        continue
                    found[statement.target.id] = (statement.target.id, statement.value, one)
    return list(found.values())


def _names(node: nodes.Expr) -> set[str]:
    match node:
        case nodes.Name(id=name):
            return {name}
        case nodes.Attr(name=name):
            return {name}
        case nodes.Sub(base=base):
            return _names(base)
        case _:
            return set()


def special(m: Machine, call: Call, cls: Class) -> Value | None:
    """The instance of an enum, named tuple, dataclass or settings class; None for an ordinary class."""
    if "enum" in cls.traits:
        return _member_by_value(m, call, cls)
    if "made by its metaclass" in cls.traits:
        return made_by_metaclass(m, call, cls)
    return plainly(m, call, cls)


def made_by_metaclass(m: Machine, call: Call, cls: Class) -> Value:
    """What the `__call__` of the metaclass gives."""
    metaclass = m.read(cls.ident, METACLASS)
    found = access.class_member(m, metaclass, "__call__") if isinstance(metaclass, Class) else None
    if found is None or not isinstance(found[0], Func):
        return m.unknown(call.node, f"an instance that the metaclass of {cls.qualname} makes")
    return calls.invoke(m, call, found[0], cls)


@function("type.__call__")
def _type_call(m: Machine, call: Call) -> Value:
    """`super().__call__(...)` in a metaclass: the class is the first argument."""
    cls = m.see(call.args[0]) if call.args else NONE
    if not isinstance(cls, Class):
        return m.unknown(call.node, "an instance that a metaclass makes")
    rest = Call(call.node, call.args[1:], call.kwargs, call.arg_nodes, call.open)
    made = plainly(m, rest, cls)
    return calls.fresh_instance(m, rest, cls) if made is None else made


@function("object.__new__")
def _object_new(m: Machine, call: Call) -> Value:
    cls = m.see(call.args[0]) if call.args else NONE
    if not isinstance(cls, Class) or call.open:
        return m.unknown(call.node, "an instance that was not followed")
    made = Obj(m.fresh(), "instance", cls)
    calls.prepare(m, made)
    return made


def made_by_new(m: Machine, call: Call, cls: Class, new: Func) -> Value:
    """What `__new__` gives, with `__init__` run on it where that is an instance of the class: also an older one."""
    made = calls.invoke(m, call, new, cls)
    init = access.class_member(m, cls, "__init__")

    def apply(one: Value) -> Value:
        own = isinstance(one, Obj) and isinstance(one.cls, Class)
        if isinstance(one, Obj) and isinstance(one.cls, Class) and cls in access.ancestors(m, one.cls):
            if init is not None and isinstance(init[0], Func):
                calls.invoke(m, call, init[0], one)
        elif not own:
            for value in call.values:
                m.forget(value, f"it was given to {cls.qualname}.__new__")
        return one

    return lift(m, made, apply)


def plainly(m: Machine, call: Call, cls: Class) -> Value | None:
    """As `special`, for a class that its metaclass leaves alone."""
    new = access.class_member(m, cls, "__new__")
    if new is not None and not cls.traits & {"namedtuple", "dict"}:
        if isinstance(new[0], Func):
            return made_by_new(m, call, cls, new[0])
        return m.unknown(call.node, f"an instance that {cls.qualname} makes in a way of its own")
    own_init = access.class_member(m, cls, "__init__")
    if not cls.traits & {"dataclass", "namedtuple", "settings", "dict"} or own_init is not None:
        return None
    if "dict" in cls.traits:
        return containers.new_dict(m, None if call.open else [(Const(k), v) for k, v in call.kwargs.items()])
    names = fields(m, cls)
    given = list(call.args)
    values: dict[str, Value] = {}
    for name, default, owner in names:
        if default is not None and _not_in_init(m, owner, name):
            values[name] = _default(m, cls, name, default, owner)
        elif given:
            values[name] = given.pop(0)
        elif name in call.kwargs:
            values[name] = call.kwargs[name]
        elif call.open:
            values[name] = Unknown(f"u{m.fresh()}", f"the field {name} comes from unknown arguments")
        else:
            values[name] = _default(m, cls, name, default, owner)
    if "namedtuple" in cls.traits:
        return Tup(tuple(values.values()), tuple(values), cls)
    made = Obj(m.fresh(), "instance", cls)
    calls.prepare(m, made)
    for name, value in values.items():
        m.store.write(made.ident, name, value)
    after = access.class_member(m, cls, "__post_init__") or access.class_member(m, cls, "model_post_init")
    if after is not None and isinstance(after[0], Func):
        calls.call(
            m,
            Call(call.node, [NONE] if after[0].name == "model_post_init" else []),
            Bound(made, after[0].name, after[0]),
        )
    return made


def _not_in_init(m: Machine, owner: Class, name: str) -> bool:
    """Whether a field was declared with `field(init=False)`."""
    value = m.read(owner.ident, name)
    return isinstance(value, Obj) and value.cls == Ref("field") and m.read(value.ident, "init") == FALSE


def _default(m: Machine, cls: Class, name: str, default: nodes.Expr | None, owner: Class) -> Value:
    """The default of a field. A settings field can be set from outside."""
    value = m.read(owner.ident, name) if default is not None else None
    if isinstance(value, Obj) and value.kind == "object" and value.cls == Ref("field"):
        factory = m.read(value.ident, "default_factory")
        plain = m.read(value.ident, "default")
        if factory is not None and default is not None:
            value = calls.call(m, Call(default, []), factory)
        else:
            value = plain
    if value is None:
        value = Unknown(f"u{m.fresh()}", f"the field {name} of {cls.qualname} has no default")
    if "settings" in cls.traits:
        return Sym(f"{cls.module.path}::{cls.qualname}.{name}", f"the setting {name}", value)
    return value


@function("dataclasses.field", "attr.ib", "attrs.field", "attr.field", "pydantic.Field")
def _field(m: Machine, call: Call) -> Value:
    made = Obj(m.fresh(), "object", Ref("field"))
    default = call.arg(0, "default")
    if default is not None:
        m.store.write(made.ident, "default", default)
    if "init" in call.kwargs:
        m.store.write(made.ident, "init", call.kwargs["init"])
    factory = call.kwargs.get("default_factory") or call.kwargs.get("factory")
    if factory is not None:
        m.store.write(made.ident, "default_factory", factory)
    return made


def _member_by_value(m: Machine, call: Call, cls: Class) -> Value:
    wanted = m.see(call.args[0]) if call.args else NONE
    for _, member in m.store.slots(cls.ident):
        if (
            isinstance(member, Obj)
            and member.kind == "enum"
            and (member == wanted or m.read(member.ident, "value") == wanted)
        ):
            return member
    return m.unknown(call.node, f"a member of {cls.qualname} that depends on its value")


@function("dataclasses.replace", "attrs.evolve", "copy.replace")
def _replace(m: Machine, call: Call) -> Value:
    old = m.see(call.args[0]) if call.args else NONE
    if isinstance(old, Obj) and isinstance(old.cls, Class) and "dataclass" in old.cls.traits and not call.open:
        held = {
            name: m.read(old.ident, name) or m.unknown(call.node, f"the field {name}")
            for name, default, owner in fields(m, old.cls)
            if default is None or not _not_in_init(m, owner, name)
        }
        return calls.instantiate(m, Call(call.node, [], {**held, **call.kwargs}), old.cls)
    if isinstance(old, Obj) and old.kind == "instance":
        made = replace(old, ident=m.fresh())
        for slot, value in list(m.store.slots(old.ident)):
            m.store.write(made.ident, slot, call.kwargs.get(slot, value))
        return made
    return m.unknown(call.node, "a changed copy of an unknown")


@function("dataclasses.asdict", "attrs.asdict")
def _asdict(m: Machine, call: Call) -> Value:
    given = m.see(call.args[0]) if call.args else NONE
    if isinstance(given, Obj) and isinstance(given.cls, Class):
        pairs: list[tuple[Value, Value]] = [
            (Const(name), m.read(given.ident, name) or NONE) for name, _, _ in fields(m, given.cls)
        ]
        return containers.new_dict(m, pairs)
    return m.unknown(call.node, "the fields of an unknown")


@function("dataclasses.astuple", "attrs.astuple")
def _astuple(m: Machine, call: Call) -> Value:
    given = m.see(call.args[0]) if call.args else NONE
    if isinstance(given, Obj) and isinstance(given.cls, Class):
        return Tup(tuple(m.read(given.ident, name) or NONE for name, _, _ in fields(m, given.cls)))
    return m.unknown(call.node, "the fields of an unknown")


def inherited_init(m: Machine, call: Call, new: Obj) -> None:
    """`__init__` of a class outside the project."""
    if modules.is_module(m, new):
        module_init(m, call, new)


def module_init(m: Machine, call: Call, new: Obj) -> None:
    """`__init__` of a built-in module class, run on an instance of a project class that derives from it."""
    if isinstance(new.cls, Class):
        base = next(
            (b for b in access.ancestors(m, new.cls) if isinstance(b, Ref) and modules.is_module_class(m, b)), None
        )
        if isinstance(base, Ref) and base.name not in modules.BASES:
            made = modules.make_module(m, call, base.name)
            if isinstance(made, Obj):
                for slot, value in list(m.store.slots(made.ident)):
                    m.store.write(new.ident, slot, value)


@method("Module", "__init__")
def _module_init(m: Machine, call: Call, receiver: Value) -> Value:
    if isinstance(receiver, Obj):
        module_init(m, call, receiver)
    return NONE
