"""Dataclasses and their like: which fields a class has, how its instances are made, changed and taken apart."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language import access, calls
from aoti_lint.language.classes import instances
from aoti_lint.language.data import containers
from aoti_lint.lazily.dataclass import dataclass, replace
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.values.call import Call
from aoti_lint.values.values import FALSE, NONE, TRUE, Bound, Class, Const, Func, Obj, Ref, Sym, Tup, Unknown, Value

FIELD = Ref("field")
MAX_NESTED = 6
"""Records inside each other that are taken apart."""


@dataclass(frozen=True, slots=True)
class Field:
    """One annotated name: its default as written, the class it stands in, whether it is given by name only, and
    whether it is handed on to `__post_init__` and not kept (`InitVar`)."""

    name: str
    default: nodes.Expr | None
    owner: Class
    by_name: bool
    passed_on: bool


def fields(m: Machine, cls: Class) -> list[Field]:
    """The fields of a record, base classes first."""
    found: dict[str, Field] = {}
    for one in reversed(access.ancestors(m, cls)):
        if not isinstance(one, Class) or not _has_fields(m, one):
            continue
        by_name = decorated_with(one, "kw_only") is True
        for statement in one.node.body:
            if isinstance(statement, nodes.AnnAssign) and isinstance(statement.target, nodes.Name):
                said = _names(statement.annotation)
                if "ClassVar" in said:
                    continue
                if "KW_ONLY" in said:
                    by_name = True
                    continue
                name = statement.target.id
                own = _keyword(m, one, name, "kw_only")
                wanted = by_name if own is None else own == TRUE
                found[name] = Field(name, statement.value, one, wanted, "InitVar" in said)
    return list(found.values())


def kept(m: Machine, cls: Class) -> list[Field]:
    """The fields that instances have."""
    return [f for f in fields(m, cls) if not f.passed_on]


def _has_fields(m: Machine, cls: Class) -> bool:
    """Whether the annotated names in the body of a class are fields: not in a plain class derived from a dataclass."""
    return bool(cls.node.decorators) or any(isinstance(b, Ref) for b in access.ancestors(m, cls))


def decorated_with(cls: Class, option: str) -> bool | None:
    """What a decorator of a class says of an option; None if it says nothing, or nothing constant."""
    for decorator in cls.node.decorators:
        for arg in decorator.args if isinstance(decorator, nodes.Call) else ():
            if arg.name == option and isinstance(arg.value, nodes.Const):
                return bool(arg.value.value)
    return None


def _names(node: nodes.Expr) -> set[str]:
    match node:
        case nodes.Name(id=name):
            return {name}
        case nodes.Attr(name=name):
            return {name}
        case nodes.Sub(base=base):
            return _names(base)
        case nodes.Const(value=str() as text):
            # A quoted annotation.
            return {text.split("[", 1)[0].rsplit(".", 1)[-1].strip()}
        case _:
            return set()


def _keyword(m: Machine, owner: Class, name: str, keyword: str) -> Value | None:
    """What `field(...)` says by a keyword for the field `name`."""
    value = m.read(owner.ident, name)
    return m.read(value.ident, keyword) if isinstance(value, Obj) and value.cls == FIELD else None


def make(m: Machine, call: Call, cls: Class) -> Value:
    """A new instance of a dataclass, named tuple or settings class."""
    given = list(call.args)
    values: dict[str, Value] = {}
    listed = fields(m, cls)
    for one in listed:
        if one.default is not None and _keyword(m, one.owner, one.name, "init") == FALSE:
            values[one.name] = _default(m, cls, one)
        elif given and not one.by_name:
            values[one.name] = given.pop(0)
        elif one.name in call.kwargs:
            values[one.name] = call.kwargs[one.name]
        elif call.open:
            values[one.name] = Unknown(f"u{m.fresh()}", f"the field {one.name} comes from unknown arguments")
        else:
            values[one.name] = _default(m, cls, one)
    if "namedtuple" in cls.traits:
        return Tup(tuple(values.values()), tuple(values), cls)
    made = Obj(m.fresh(), "instance", cls)
    instances.prepare(m, made)
    handed_on = [values.pop(f.name) for f in listed if f.passed_on]
    for name, value in values.items():
        m.store.write(made.ident, name, value)
    after = access.class_member(m, cls, "__post_init__") or access.class_member(m, cls, "model_post_init")
    if after is not None and isinstance(after[0], Func):
        args: list[Value] = [NONE] if after[0].name == "model_post_init" else handed_on
        calls.call(m, Call(call.node, args), Bound(made, after[0].name, after[0]))
    return made


def is_given(m: Machine, one: Field) -> bool:
    """Whether a field is an argument of `__init__`."""
    return _keyword(m, one.owner, one.name, "init") != FALSE


def is_told_apart(m: Machine, one: Field) -> bool:
    """Whether a field may be left out of comparisons."""
    return _keyword(m, one.owner, one.name, "compare") is not None


def _default(m: Machine, cls: Class, one: Field) -> Value:
    """The default of a field. A settings field can be set from outside."""
    value = m.read(one.owner.ident, one.name) if one.default is not None else None
    if isinstance(value, Obj) and value.kind == "object" and value.cls == FIELD:
        factory = m.read(value.ident, "default_factory")
        plain = m.read(value.ident, "default")
        if factory is not None and one.default is not None:
            value = calls.call(m, Call(one.default, []), factory)
        else:
            value = plain
    if value is None:
        value = Unknown(f"u{m.fresh()}", f"the field {one.name} of {cls.qualname} has no default")
    if "settings" in cls.traits:
        return Sym(f"{cls.module.path}::{cls.qualname}.{one.name}", f"the setting {one.name}", value)
    return value


@function("dataclasses.field", "attr.ib", "attrs.field", "attr.field", "pydantic.Field")
def _field(m: Machine, call: Call) -> Value:
    made = Obj(m.fresh(), "object", FIELD)
    default = call.arg(0, "default")
    if default is not None:
        m.store.write(made.ident, "default", default)
    for name in ("init", "kw_only", "compare"):
        if name in call.kwargs:
            m.store.write(made.ident, name, call.kwargs[name])
    factory = call.kwargs.get("default_factory") or call.kwargs.get("factory")
    if factory is not None:
        m.store.write(made.ident, "default_factory", factory)
    return made


def is_record(value: Value) -> bool:
    """Whether a value is an instance of a dataclass of the project."""
    return isinstance(value, Obj) and isinstance(value.cls, Class) and "dataclass" in value.cls.traits


@function("dataclasses.replace", "attrs.evolve", "copy.replace")
def _replace(m: Machine, call: Call) -> Value:
    old = m.see(call.args[0]) if call.args else NONE
    if isinstance(old, Obj) and isinstance(old.cls, Class) and is_record(old) and not call.open:
        held = {
            f.name: m.read(old.ident, f.name) or m.unknown(call.node, f"the field {f.name}")
            for f in kept(m, old.cls)
            if f.default is None or _keyword(m, f.owner, f.name, "init") != FALSE
        }
        return instances.instantiate(m, Call(call.node, [], {**held, **call.kwargs}), old.cls)
    if isinstance(old, Obj) and old.kind == "instance":
        made = replace(old, ident=m.fresh())
        for slot, value in list(m.store.slots(old.ident)):
            m.store.write(made.ident, slot, call.kwargs.get(slot, value))
        return made
    return m.unknown(call.node, "a changed copy of an unknown")


def _apart(m: Machine, value: Value, as_tuple: bool, depth: int = 0) -> Value:
    """A record as a dict or tuple, and so all records in it; containers are copied."""
    value = m.see(value)
    if depth > MAX_NESTED:
        return m.unknown(None, "records inside each other")
    if isinstance(value, Obj) and isinstance(value.cls, Class) and is_record(value):
        names = [f.name for f in kept(m, value.cls)]
        parts = [_apart(m, m.read(value.ident, n) or m.unknown(None, "a field"), as_tuple, depth + 1) for n in names]
        if as_tuple:
            return Tup(tuple(parts))
        return containers.new_dict(m, [(Const(n), p) for n, p in zip(names, parts, strict=True)])
    if isinstance(value, Tup):
        return replace(value, items=tuple(_apart(m, i, as_tuple, depth + 1) for i in value.items))
    if isinstance(value, Obj) and value.kind == "list":
        items = containers.items_of(m, value)
        made = m.new("list")
        containers.set_items(m, made, None if items is None else [_apart(m, i, as_tuple, depth + 1) for i in items])
        return made
    if isinstance(value, Obj) and value.kind == "dict":
        pairs = containers.dict_pairs(m, value)
        kept_pairs = None if pairs is None else [(k, _apart(m, v, as_tuple, depth + 1)) for k, v in pairs]
        return containers.new_dict(m, kept_pairs)
    return value


def _taken_apart(name: str, as_tuple: bool) -> None:
    @function(name)
    def model(m: Machine, call: Call) -> Value:
        given = m.see(call.args[0]) if call.args else NONE
        if not is_record(given) or len(call.values) > 1:
            return m.unknown(call.node, "the fields of an unknown")
        return _apart(m, given, as_tuple)


for _name in ("dataclasses.asdict", "attrs.asdict", "attr.asdict"):
    _taken_apart(_name, as_tuple=False)
for _name in ("dataclasses.astuple", "attrs.astuple", "attr.astuple"):
    _taken_apart(_name, as_tuple=True)


@function("dataclasses.fields")
def _fields(m: Machine, call: Call) -> Value:
    given = m.see(call.args[0]) if call.args else NONE
    cls = given.cls if isinstance(given, Obj) else given
    if not (isinstance(cls, Class) and "dataclass" in cls.traits):
        return m.unknown(call.node, "the fields of an unknown")
    made = []
    for one in kept(m, cls):
        described = Obj(m.fresh(), "object", Ref("dataclasses.Field"))
        m.store.write(described.ident, "name", Const(one.name))
        made.append(described)
    return Tup(tuple(made))


@hooks.compared_items.answers
def compared_items(m: Machine, value: Value) -> list[Value] | None:
    """The fields of a dataclass instance that are compared; None if they are not all known, or none says so."""
    if not (isinstance(value, Obj) and isinstance(value.cls, Class) and is_record(value)):
        return None
    if not all(isinstance(c, Class) or c == Ref("object") for c in access.ancestors(m, value.cls)):
        return None
    if not value.cls.node.decorators or decorated_with(value.cls, "eq") is False:
        return None
    listed = kept(m, value.cls)
    if any(is_told_apart(m, f) for f in listed):
        return None
    items = [m.read(value.ident, f.name) for f in listed]
    known = [i for i in items if i is not None]
    return known if len(known) == len(items) else None


@hooks.ordered_by_fields.answers
def _ordered(cls: Class) -> bool:
    return decorated_with(cls, "order") is True


@hooks.positional_fields.answers
def _positional(m: Machine, cls: Class) -> list[str]:
    return [one.name for one in fields(m, cls) if not one.by_name]
