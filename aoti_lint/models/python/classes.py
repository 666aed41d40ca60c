"""Classes of the project: defining them, and the kinds whose instances are made by other than `__init__`."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language import access, calls, expressions, functions, statements
from aoti_lint.language.classes import instances, modules
from aoti_lint.language.data import containers
from aoti_lint.lazily.dataclass import replace
from aoti_lint.machine import hooks
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.modules import module_making
from aoti_lint.models.python import records
from aoti_lint.values.call import Call
from aoti_lint.values.code import Code
from aoti_lint.values.frames import Frame
from aoti_lint.values.values import ABSENT, NONE, Bound, Class, Const, Func, Namespace, Obj, Ref, Value

TRAITS = {
    "enum.Enum": "enum", "enum.IntEnum": "enum", "enum.StrEnum": "enum", "enum.Flag": "enum", "enum.IntFlag": "enum",
    "typing.NamedTuple": "namedtuple",
    "pydantic.BaseModel": "dataclass", "pydantic_settings.BaseSettings": "settings",
    "pydantic.BaseSettings": "settings",
    "msgspec.Struct": "dataclass", "typing.TypedDict": "dict", "typing_extensions.TypedDict": "dict",
}  # fmt: skip
METACLASS = access.METACLASS


ASKED = "asked for every attribute"
"""The trait of a class with a `__getattribute__`."""


@hooks.define_class.answers
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
    if any(isinstance(s, nodes.FunctionDef) and s.name == "__getattribute__" for s in node.body):
        traits.add(ASKED)
    outer = m.frame
    made = Class(m.fresh(), Code.of(outer.module.path, node), outer.module, qualname, bases, frozenset(traits))
    if isinstance(made_by, Class) or inherited is not None:
        m.store.write(made.ident, METACLASS, made_by if isinstance(made_by, Class) else inherited or NONE)
    scopes = outer.scopes if outer.ident == outer.module.ident else (outer.ident, *outer.scopes)
    if outer.owner is not None and outer.ident == outer.owner.ident:
        scopes = outer.scopes
    m.root.frames.append(Frame(made.ident, outer.module, qualname, scopes, owner=made, private=node.name))
    try:
        statements.exec_block(m, node.body)
    finally:
        m.root.frames.pop()
    if "enum" in traits:
        _enumerate(m, made)
    hook = access.class_member(m, made, "__init_subclass__", after=made)
    if hook is not None and isinstance(hook[0], Func):
        calls.call(m, Call(node, [], given), Bound(made, "__init_subclass__", hook[0]))
    return made


def _enumerate(m: Machine, cls: Class) -> None:
    """Make the plain names of an enum's body into its members."""
    members: dict[Value, Obj] = {}
    given: list[Value] = []
    ignored = m.read(cls.ident, "_ignore_")
    left_out = containers.items_of(m, ignored) if ignored is not None else []
    for slot, value in list(m.store.slots(cls.ident)):
        if slot.startswith("_") or slot.startswith("#") or isinstance(value, Func | Class | Namespace):
            continue
        if value is ABSENT or left_out is None or Const(slot) in left_out:
            continue
        automatic = isinstance(value, Ref) and value.name == "enum.auto()"
        if value in members and not automatic:
            m.store.write(cls.ident, slot, members[value])
            continue
        shown: Value = _next_value(m, cls, slot, given) if automatic else value
        given.append(shown)
        members[shown] = member = Obj(m.fresh(), "enum", cls)
        m.store.write(member.ident, "value", shown)
        m.store.write(member.ident, "name", Const(slot))
        m.store.write(cls.ident, slot, member)


def _next_value(m: Machine, cls: Class, name: str, given: list[Value]) -> Value:
    """What `auto()` means for the member `name` behind others."""
    bases = [b.name for b in access.ancestors(m, cls) if isinstance(b, Ref)]
    if access.class_member(m, cls, "_generate_next_value_") is not None:
        return m.unknown(None, "the value of an enum member that its class makes")
    if "enum.StrEnum" in bases:
        return Const(name.lower())
    numbers = [v.value for v in given if isinstance(v, Const) and isinstance(v.value, int)]
    if len(numbers) < len(given) or (numbers and max(numbers) != numbers[-1]):
        return m.unknown(None, "the value of an enum member behind others")
    last = numbers[-1] if numbers else 0
    if any(b.endswith("Flag") for b in bases):
        return Const(1 << last.bit_length())
    return Const(last + 1)


@function("enum.auto")
def _auto(m: Machine, call: Call) -> Value:
    return Ref("enum.auto()")


@hooks.make_instance.answers
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
    return functions.invoke(m, call, found[0], cls)


@function("type.__call__")
def _type_call(m: Machine, call: Call) -> Value:
    """`super().__call__(...)` in a metaclass: the class is the first argument."""
    cls = m.see(call.args[0]) if call.args else NONE
    if not isinstance(cls, Class):
        return m.unknown(call.node, "an instance that a metaclass makes")
    rest = Call(call.node, call.args[1:], call.kwargs, call.arg_nodes, call.open)
    made = plainly(m, rest, cls)
    return instances.fresh_instance(m, rest, cls) if made is None else made


@function("object.__new__")
def _object_new(m: Machine, call: Call) -> Value:
    cls = m.see(call.args[0]) if call.args else NONE
    if not isinstance(cls, Class) or call.open:
        return m.unknown(call.node, "an instance that was not followed")
    made = Obj(m.fresh(), "instance", cls)
    instances.prepare(m, made)
    return made


def made_by_new(m: Machine, call: Call, cls: Class, new: Func) -> Value:
    """What `__new__` gives, with `__init__` run on it where that is an instance of the class: also an older one."""
    # It is given the class, whether or not it says that it is a static method.
    made = functions.invoke(m, call, replace(new, role=""), cls)
    init = access.class_member(m, cls, "__init__")

    def apply(one: Value) -> Value:
        own = isinstance(one, Obj) and isinstance(one.cls, Class)
        if isinstance(one, Obj) and isinstance(one.cls, Class) and cls in access.ancestors(m, one.cls):
            if init is not None and isinstance(init[0], Func):
                functions.invoke(m, call, init[0], one)
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
    return records.make(m, call, cls)


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


@hooks.inherited_init.answers
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
            made = module_making.make_module(m, call, base.name)
            if isinstance(made, Obj):
                for slot, value in list(m.store.slots(made.ident)):
                    m.store.write(new.ident, slot, value)


@method("Module", "__init__")
def _module_init(m: Machine, call: Call, receiver: Value) -> Value:
    if isinstance(receiver, Obj):
        module_init(m, call, receiver)
    return NONE
