"""What a name, an attribute or an item is bound to, and values that are changed in place."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language import access, expressions, kinds, operators
from aoti_lint.language.classes import overloads
from aoti_lint.language.data import containers, subscripts
from aoti_lint.language.effects import given_back
from aoti_lint.language.flow import raised, unfit
from aoti_lint.machine import hooks, tables
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.events.packages import PathUse
from aoti_lint.values.flow import FALL, Flow
from aoti_lint.values.frames import Frame, mangled
from aoti_lint.values.torch_values import EXPLAINED, Package, Program, Tensor
from aoti_lint.values.values import ABSENT, NONE, Choice, Class, Const, Obj, Ref, Value


def bind_name(m: Machine, name: str, value: Value, frame: Frame | None = None) -> None:
    """`name = value` in the current frame, or in one around it."""
    m.store.write(*_cell(m, name, frame or m.frame), value)


def delete_name(m: Machine, target: nodes.Name) -> None:
    """`del name`."""
    cell = _cell(m, target.id, m.frame)
    hooks.let_go(m, target, *cell)
    m.store.write(*cell, ABSENT)


def _cell(m: Machine, name: str, frame: Frame) -> tuple[object, str]:
    """The namespace that a name of a frame stands in, and how it is called there."""
    name = mangled(frame, name)
    declared = frame.outer.get(name)
    if declared == "global":
        return frame.module.ident, name
    if declared == "nonlocal":
        return next((s for s in frame.scopes if m.store.read(s, name) is not None), frame.ident), name
    return frame.ident, name


def assign(m: Machine, target: nodes.Expr, value: Value) -> None:
    """`target = value` for any target."""
    match target:
        case nodes.Name(id=name):
            cell = _cell(m, name, m.frame)
            if isinstance(value, Obj) or value == NONE:
                hooks.let_go(m, target, *cell)
            m.store.write(*cell, value)
        case nodes.Attr(base=base, name=name):
            access.set_attr(m, target, expressions.evaluate(m, base), mangled(m.frame, name), value)
        case nodes.Sub(base=base, index=index):
            owner = expressions.evaluate(m, base)
            subscripts.set_item(m, target, owner, expressions.evaluate(m, index), value)
        case nodes.Seq(items=items):
            _unpack(m, target, items, value)
        case nodes.Star(value=inner):
            assign(m, inner, value)
        case _:
            pass


def _unpack(m: Machine, node: nodes.Node, targets: list[nodes.Expr], value: Value) -> None:
    value = m.see(value)
    unfit.gone_through(m, node, value)
    items = containers.items_of(m, value)
    star = next((i for i, t in enumerate(targets) if isinstance(t, nodes.Star)), None)
    if items is not None and star is not None and len(items) >= len(targets) - 1:
        after = len(targets) - star - 1
        middle = items[star : len(items) - after]
        items = [*items[:star], m.new_list(middle), *(items[len(items) - after :] if after else [])]
    if items is not None and len(items) == len(targets):
        for target, item in zip(targets, items, strict=True):
            assign(m, target, item)
        return
    if m.root.watch is not None and (items is not None or isinstance(value, Tensor)):
        m.root.watch.not_unpacked(m, value, targets)
    if items is not None:
        raised.note(m, node, "ValueError")
    if isinstance(value, Package | Program) or (isinstance(value, Obj) and value.cls == Ref(EXPLAINED)):
        m.emit(PathUse, node, package=value, used="unpacked")
    if star is None:
        given_back.taken_apart(m, node, value, "unpacked", Const(len(targets)))
    element = containers.element_of(m, value)
    for i, target in enumerate(targets):
        if element is not None and not isinstance(target, nodes.Star):
            assign(m, target, element)
        elif items is not None or i == star:
            assign(m, target, m.unknown(node, "unpacked"))
        else:
            place = i if star is None or i < star else i - len(targets)
            assign(m, target, subscripts.get_item(m, node, value, Const(place)))


IN_PLACE = {"|": "__ior__"}


def augment(m: Machine, node: nodes.AugAssign, before: Value, more: Value) -> Flow:
    before = m.see(before)
    if isinstance(before, Choice):
        then, other = before.then, before.other
        m.fork(before.cond, lambda: augment(m, node, then, more), lambda: augment(m, node, other, more))
        return FALL
    if isinstance(before, Obj) and before.kind == "list" and node.op == "+":
        if m.root.watch is not None:
            m.root.watch.filled(m, node, before, True)
        first, second = containers.items_of(m, before), containers.items_of(m, more)
        containers.set_items(m, before, None if first is None or second is None else [*first, *second])
        return FALL
    if isinstance(before, Obj) and before.kind == "dict" and node.op == "|":
        merged = containers.merge_dicts(m, [before, more])
        containers.set_pairs(m, before, containers.dict_pairs(m, merged))
        return FALL
    if isinstance(before, Obj) and isinstance(before.cls, Class):
        made = overloads.in_place(m, node, node.op, before, more)
        if made is not None:
            assign(m, node.target, made)
            return FALL
    if m.root.watch is not None and isinstance(before, Tensor):
        m.root.watch.changed(m, node, before, node.op, [more])
    model = tables.METHODS.get((kinds.tag_of(m, before), IN_PLACE.get(node.op, "")))
    if model is not None:
        model(m, Call(node, [more]), before)
        return FALL
    assign(m, node.target, operators.binary(m, node, node.op, before, more))
    return FALL
