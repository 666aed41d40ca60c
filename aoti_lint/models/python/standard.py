"""Container classes and small functions of the standard library: collections, copy, itertools, operator, functools."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.ir import nodes
from aoti_lint.language import access, calls, operators
from aoti_lint.language.data import containers, subscripts
from aoti_lint.language.effects import exported_state
from aoti_lint.language.tools import opaque, plain
from aoti_lint.machine import alternatives
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import attribute, function
from aoti_lint.models.python.containers.dicts import entries_of
from aoti_lint.models.python.containers.lists import several
from aoti_lint.models.torch import inferred
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import (
    ABSENT,
    NONE,
    TRUE,
    Bound,
    Choice,
    Const,
    Many,
    Namespace,
    Obj,
    Pairs,
    Partial,
    Ref,
    Tup,
    Value,
)

MAX_COMBINATIONS = 256

# ---------------------------------------------------------------- collections


@function("collections.OrderedDict", "collections.UserDict", "types.MappingProxyType")
def _ordered_dict(m: Machine, site: Call) -> Value:
    return containers.new_dict(m, entries_of(m, site))


@function("collections.defaultdict")
def _default_dict(m: Machine, site: Call) -> Value:
    made = containers.new_dict(m, entries_of(m, Call(site.node, site.args[1:], site.kwargs, [], site.open)))
    m.store.write(made.ident, "#factory", site.arg(0, None, NONE) or NONE)
    return made


@function("collections.Counter")
def _counter(m: Machine, site: Call) -> Value:
    return containers.new_dict(m, None)


@function("collections.ChainMap")
def _chain_map(m: Machine, site: Call) -> Value:
    """The entries of all; as what is written goes to the first of the dicts, that one is no longer known."""
    made = containers.merge_dicts(m, [] if site.open else list(reversed(site.args)))
    for first in site.args[:1]:
        m.forget(first, "it is written to through a ChainMap")
    return made


@function("collections.deque")
def _deque(m: Machine, site: Call) -> Value:
    made = m.new("list")
    bounded = site.arg(1, "maxlen", NONE) != NONE
    items = several(m, site.args[0]) if site.args else []
    containers.set_items(m, made, None if bounded or site.open else items)
    return made


@function("collections.namedtuple", "typing.NamedTuple")
def _named_tuple(m: Machine, site: Call) -> Value:
    """A new class of tuples; its fields travel with the function that makes them."""
    fields = field_names(m, site.arg(1, "field_names") or NONE)
    given = site.kwargs.get("defaults", Tup(()))
    defaults = several(m, given)
    if fields is None or defaults is None:
        return m.unknown(site.node, "the fields of a named tuple are not known")
    return Partial(Ref("collections.namedtuple()"), (Tup(tuple(Const(f) for f in fields)), Tup(tuple(defaults))), ())


def field_names(m: Machine, given: Value) -> list[str] | None:
    given = m.see(given)
    if isinstance(given, Const) and isinstance(given.value, str):
        return given.value.replace(",", " ").split()
    items = containers.items_of(m, given)
    names = [i.items[0] if isinstance(i, Tup) and i.items else i for i in items or ()]
    known = plain(names)
    return None if items is None or known is None else [str(n) for n in known]


@function("collections.namedtuple()")
def _make_tuple(m: Machine, site: Call) -> Value:
    names, defaults, *given = site.args
    assert isinstance(names, Tup)
    assert isinstance(defaults, Tup)
    fields = [str(n.value) for n in names.items if isinstance(n, Const)]
    values = dict(zip(fields[len(fields) - len(defaults.items) :], defaults.items, strict=True))
    values |= dict(zip(fields, given, strict=False)) | site.kwargs
    items = tuple(values.get(f) or m.unknown(site.node, f"the field {f} is not given") for f in fields)
    return m.unknown(site.node, "the arguments are not all known") if site.open else Tup(items, tuple(fields))


@function("types.SimpleNamespace", "argparse.Namespace")
def _namespace(m: Machine, site: Call) -> Value:
    return namespace(m, {} if site.open else site.kwargs)


@function("random.Random", "random.SystemRandom")
def _generator(m: Machine, site: Call) -> Value:
    return opaque(m, "random.Random")


def namespace(m: Machine, values: dict[str, Value]) -> Obj:
    """An object that is nothing but its attributes."""
    made = opaque(m, "argparse.Namespace")
    for name, value in values.items():
        m.store.write(made.ident, name, value)
    return made


@attribute("argparse.Namespace", "__dict__")
@attribute("instance", "__dict__")
@attribute("Module", "__dict__")
def _namespace_dict(m: Machine, node: nodes.Node, value: Value) -> Value:
    return namespace_dict(m, value)


def namespace_dict(m: Machine, value: Value) -> Value:
    """`vars(namespace)`: the attributes an object has now as a dict; what is put there goes to the object too."""
    assert isinstance(value, Obj | Namespace)
    cells = [(n, m.see(v)) for n, v in m.store.slots(value.ident) if not n.startswith("#")]
    made = containers.new_dict(m, [(Const(n), v) for n, v in cells if v is not ABSENT])
    m.store.write(made.ident, containers.OWNER, value)
    m.store.write(made.ident, containers.BEFORE, m.store.read(made.ident, "#items") or NONE)
    return made


# ---------------------------------------------------------------- copy


@function("copy.copy")
def _copy(m: Machine, site: Call) -> Value:
    return alternatives.lift(m, site.arg(0, "x") or NONE, lambda v: duplicate(m, v, None))


@function("copy.deepcopy")
def _deep_copy(m: Machine, site: Call) -> Value:
    made = duplicate(m, site.arg(0, "x") or NONE, {})
    inferred.renewed(m, made)
    return made


def duplicate(m: Machine, value: Value, memo: dict[int, Obj] | None) -> Value:
    """A new object like `value`; with a `memo` also all it holds is new."""
    match value:
        case Obj(ident=number, kind=kind, cls=cls) if kind != "enum":
            if memo is not None and number in memo:
                return replace(memo[number], compiled=value.compiled)
            made = replace(m.new(kind, cls), compiled=value.compiled)
            if memo is not None:
                memo[number] = made
            for name, held in list(m.store.slots(number)):
                m.store.write(made.ident, name, held if memo is None else duplicate(m, held, memo))
            return made
        case Tensor() if memo is not None:
            # Marks such as mark_dynamic are attributes of the tensor object, which the copy carries on.
            m.store.write(exported_state.COPIED, value.key, TRUE)
            return value
    if memo is None:
        return value
    match value:
        case Tup(items, fields, cls):
            return Tup(tuple(duplicate(m, i, memo) for i in items), fields, cls)
        case Pairs(pairs):
            return Pairs(tuple((k, duplicate(m, v, memo)) for k, v in pairs))
        case Many(element):
            return Many(duplicate(m, element, memo))
        case Choice(cond, then, other):
            return Choice(cond, duplicate(m, then, memo), duplicate(m, other, memo))
        case Bound(receiver, name, func):
            return Bound(duplicate(m, receiver, memo), name, func)
        case Partial(func, args, kwargs):
            copies = tuple((k, duplicate(m, v, memo)) for k, v in kwargs)
            return Partial(duplicate(m, func, memo), tuple(duplicate(m, a, memo) for a in args), copies)
        case _:
            return value


# ---------------------------------------------------------------- operator and functools


@function("operator.itemgetter")
def _item_getter(m: Machine, site: Call) -> Value:
    return Partial(Ref("operator.itemgetter()"), (Tup(tuple(site.args)),), ())


@function("operator.itemgetter()")
def _get_items(m: Machine, site: Call) -> Value:
    keys, owner = site.args[0], site.arg(1) or NONE
    assert isinstance(keys, Tup)
    found = [subscripts.get_item(m, site.node, owner, k) for k in keys.items]
    return found[0] if len(found) == 1 else Tup(tuple(found))


@function("operator.attrgetter")
def _attr_getter(m: Machine, site: Call) -> Value:
    return Partial(Ref("operator.attrgetter()"), (Tup(tuple(site.args)),), ())


@function("operator.attrgetter()")
def _get_attrs(m: Machine, site: Call) -> Value:
    names, owner = site.args[0], site.arg(1) or NONE
    assert isinstance(names, Tup)
    found = []
    for name in names.items:
        value = owner if isinstance(name, Const) else m.unknown(site.node, "the name of an attribute is not known")
        for part in str(name.value).split(".") if isinstance(name, Const) else []:
            value = access.get_attr(m, site.node, value, part)
        found.append(value)
    return found[0] if len(found) == 1 else Tup(tuple(found))


@function("operator.getitem")
def _getitem(m: Machine, site: Call) -> Value:
    return subscripts.get_item(m, site.node, site.arg(0) or NONE, site.arg(1) or NONE)


def _operator(name: str, op: str) -> None:
    @function(f"operator.{name}")
    def model(m: Machine, site: Call) -> Value:
        return operators.binary(m, site.node, op, site.arg(0) or NONE, site.arg(1) or NONE)


OPERATORS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**"}
for _name, _op in OPERATORS.items():
    _operator(_name, _op)


@function("functools.reduce")
def _reduce(m: Machine, site: Call) -> Value:
    items = several(m, site.arg(1))
    if items is None or len(items) > containers.MAX_ITEMS or len(site.args) < 2:
        return m.unknown(site.node, "the items that are reduced are not all known")
    start = [site.args[2]] if len(site.args) > 2 else []
    if not start and not items:
        return m.unknown(site.node, "nothing to reduce")
    result, *rest = [*start, *items]
    for item in rest:
        result = calls.call(m, Call(site.node, [result, item]), site.args[0])
    return result
