"""`unittest.mock.patch` in its forms: something else in the place of a name, for a while."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from aoti_lint.ir import nodes
from aoti_lint.language import access, functions
from aoti_lint.language.data import containers, subscripts
from aoti_lint.language.flow.with_statements import context
from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.machine import ANY_VARIABLE, Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.process import process
from aoti_lint.models.tests.patching import named
from aoti_lint.models.tests.testing import Before, take_back
from aoti_lint.values.call import Call
from aoti_lint.values.store import Cell
from aoti_lint.values.values import (
    ABSENT,
    NONE,
    Class,
    Const,
    Func,
    Namespace,
    Obj,
    Pairs,
    Partial,
    Ref,
    Tup,
    Unknown,
    Value,
)

Body = Callable[[Value], None]

PATCH = "unittest.mock.patch()"


def _patch(m: Machine, kind: str, owner: Value, values: Value) -> Obj:
    made = opaque(m, PATCH)
    m.store.write(made.ident, "#kind", Const(kind))
    m.store.write(made.ident, "#owner", owner)
    m.store.write(made.ident, "#values", values)
    return made


@function("unittest.mock.patch.dict")
def _patch_dict(m: Machine, site: Call) -> Value:
    owner = m.see(site.arg(0, "in_dict") or NONE)
    if owner == Const("os.environ"):
        owner = process.ENVIRON
    replaced = [(Const(k), v) for k, v in site.kwargs.items() if k not in ("in_dict", "values", "clear")]
    given = containers.dict_pairs(m, site.arg(1, "values") or containers.new_dict(m, []))
    pairs = None if given is None or site.open else [*given, *replaced]
    lost = Unknown(f"u{m.fresh()}", "the entries of a patch")
    return _patch(m, "dict", owner, lost if pairs is None else Pairs(tuple(pairs)))


@function("unittest.mock.patch.object")
def _patch_object(m: Machine, site: Call) -> Value:
    name = m.see(site.arg(1, "attribute") or NONE)
    return _patch(m, "object", site.arg(0, "target") or NONE, Pairs(((name, _replacement(m, site, 2)),)))


@function("unittest.mock.patch")
def _patch_name(m: Machine, site: Call) -> Value:
    """`patch("module.name")`, by the name under which those who call it know it."""
    target = m.see(site.arg(0, "target") or NONE)
    dotted, _, name = str(target.value if isinstance(target, Const) else "").rpartition(".")
    if not dotted:
        return _patch(m, "name", NONE, Pairs(()))
    return _patch(m, "object", named(m, site, dotted), Pairs(((Const(name), _replacement(m, site, 1)),)))


RETURNS = "unittest.mock.Mock(return_value=...)"


def _replacement(m: Machine, site: Call, index: int) -> Value:
    """What a patch puts in place: what it is given, a function that always returns one thing, or a mock."""
    new, returned = site.arg(index, "new"), site.kwargs.get("return_value")
    if new is not None:
        return new
    return m.unknown(site.node, "a mock") if returned is None else Partial(Ref(RETURNS), (returned,), ())


@function(RETURNS)
def _returns(m: Machine, site: Call) -> Value:
    return site.args[0]


@context(PATCH)
def _in_patch(m: Machine, node: nodes.Node, manager: Obj, body: Body) -> None:
    kind, owner, values = (slot(m, manager, name) for name in ("#kind", "#owner", "#values"))
    pairs = values.pairs if isinstance(values, Pairs) else None
    if owner == process.ENVIRON:
        names = [str(k.value) for k, _ in pairs or () if isinstance(k, Const)] + [ANY_VARIABLE]
        with _kept(m, [(process.TABLE, n) for n in names]):
            process.update(m, node, None if pairs is None else list(pairs))
            body(owner)
    elif kind == Const("dict") and isinstance(owner, Obj):
        with _kept(m, [(owner.ident, "#items")]):
            for key, value in pairs or ():
                subscripts.set_item(m, node, owner, key, value)
            if pairs is None:
                containers.set_pairs(m, owner, None)
            body(owner)
    elif kind == Const("object") and isinstance(owner, Obj | Class | Namespace | Ref) and pairs:
        (name, new), *_ = pairs
        shown = str(name.value) if isinstance(name, Const) else ""
        with _kept(m, [_cell(owner, shown)]):
            access.set_attr(m, node, owner, shown, new)
            body(new)
    else:
        body(m.unknown(node, "a mock"))


def _cell(owner: Obj | Class | Namespace | Ref, name: str) -> Cell:
    """Where an attribute is kept."""
    return ("external", f"{owner.name}.{name}") if isinstance(owner, Ref) else (owner.ident, name)


@contextmanager
def _kept(m: Machine, cells: list[Cell]) -> Iterator[None]:
    """What the cells hold now they hold again afterwards."""
    before = [(cell, m.store.read(*cell)) for cell in cells]
    yield
    for (owner, name), value in before:
        if value is not None or m.store.read(owner, name) is not None:
            m.store.write(owner, name, ABSENT if value is None else value)


@method(PATCH, "__call__")
def _patched(m: Machine, site: Call, receiver: Value) -> Value:
    """As a decorator: the function runs inside the patch when it is called."""
    func = m.see(site.arg(0) or NONE)
    if isinstance(func, Func):
        held = m.store.read(func.ident, functions.PATCHES)
        m.store.write(func.ident, functions.PATCHES, Tup((receiver, *(held.items if isinstance(held, Tup) else ()))))
    return func


@method(PATCH, "start")
def _start(m: Machine, site: Call, receiver: Value) -> Value:
    made = m.unknown(site.node, "a mock")
    if not isinstance(receiver, Obj):
        return made
    owner, values = slot(m, receiver, "#owner"), slot(m, receiver, "#values")
    pairs = values.pairs if isinstance(values, Pairs) else ()
    if owner == process.ENVIRON:
        process.update(m, site.node, list(pairs) if isinstance(values, Pairs) else None)
    elif slot(m, receiver, "#kind") == Const("object") and isinstance(owner, Obj | Class | Namespace | Ref) and pairs:
        (name, new), *_ = pairs
        shown = str(name.value) if isinstance(name, Const) else ""
        cell = _cell(owner, shown)
        m.store.write(receiver.ident, "#before", Before(((cell, m.store.read(*cell) or ABSENT),)))
        access.set_attr(m, site.node, owner, shown, new)
        return new
    return made


@method(PATCH, "stop")
def _stop(m: Machine, site: Call, receiver: Value) -> Value:
    values = slot(m, receiver, "#values") if isinstance(receiver, Obj) else NONE
    for key, _ in values.pairs if isinstance(values, Pairs) else ():
        if isinstance(key, Const) and isinstance(receiver, Obj) and slot(m, receiver, "#owner") == process.ENVIRON:
            m.store.write(process.TABLE, str(key.value), ABSENT)
    if isinstance(receiver, Obj):
        take_back(m, receiver)
    return NONE
