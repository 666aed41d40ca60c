"""The value of an expression."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from aoti_lint.ir import nodes
from aoti_lint.language import (
    access,
    assignments,
    calls,
    comparisons,
    functions,
    imports,
    operators,
    statements,
    truths,
)
from aoti_lint.language.classes import instances
from aoti_lint.language.data import containers, iterators, subscripts, texts
from aoti_lint.language.effects import compiled_results, given_back
from aoti_lint.language.flow import comprehensions
from aoti_lint.machine import alternatives, hooks
from aoti_lint.machine.machine import ENVIRONMENT, Machine
from aoti_lint.values.call import Call
from aoti_lint.values.choices import choose, leaves
from aoti_lint.values.conditions import usual
from aoti_lint.values.frames import mangled
from aoti_lint.values.identity import ident
from aoti_lint.values.meter import METER
from aoti_lint.values.values import (
    FALSE,
    NONE,
    TRUE,
    Choice,
    Const,
    Func,
    Many,
    Obj,
    Partial,
    Ref,
    SliceValue,
    Sym,
    Tup,
    Unknown,
    Value,
)

BUILTINS = frozenset(dir(builtins))
MAX_UNROLL = 24


def evaluate(m: Machine, node: nodes.Expr) -> Value:
    """The value of `node` on the current path."""
    METER.spent += 1
    if METER.spent > METER.limit:
        METER.spend(0)
    return TABLE[type(node)](m, node)


def _const(m: Machine, node: nodes.Const) -> Value:
    return Const(node.value)


def lookup(m: Machine, name: str) -> Value | None:
    """The variable `name` as the current frame sees it; None if it is bound nowhere."""
    frame = m.root.frames[-1]
    if name.startswith("__"):
        name = mangled(frame, name)
    kind = frame.outer.get(name) if frame.outer else None
    if kind is None:
        found = m.read(frame.ident, name)
        if found is not None:
            return found
    if kind != "global":
        for scope in frame.scopes:
            found = m.read(scope, name)
            if found is not None:
                return found
    found = m.read(frame.module.ident, name)
    if found is not None:
        return found
    return imports.starred(m, frame.module, name)


def _may_be_function(value: Value) -> bool:
    """Whether a value may be a function, whatever the path says."""
    if type(value) is Choice:
        return _may_be_function(value.then) or _may_be_function(value.other)
    return type(value) is Func or type(value) is Sym


def _name(m: Machine, node: nodes.Name) -> Value:
    found = lookup(m, node.id)
    if found is not None:
        if type(found) is Func:
            m.use(found)
        elif type(found) is Choice and _may_be_function(found):
            for _, leaf in leaves(found, m.root.path):
                if type(leaf) is Func:
                    m.use(leaf)
        return found
    if node.id in BUILTINS:
        return Ref(node.id)
    if m.root.watch is not None:
        m.root.watch.unbound(m, node)
    return Unknown(f"{m.frame.module.path}:{node.id}", f"the name {node.id} is not bound that we saw")


def _attr(m: Machine, node: nodes.Attr) -> Value:
    base = evaluate(m, node.base)
    if isinstance(base, Partial) and base.func == Ref("super"):
        return instances.super_attr(m, node, base, mangled(m.frame, node.name))
    return access.get_attr(m, node, base, mangled(m.frame, node.name))


def _sub(m: Machine, node: nodes.Sub) -> Value:
    base = evaluate(m, node.base)
    key = evaluate(m, node.index)
    given_back.taken_apart(m, node, base, "item", key)
    return subscripts.get_item(m, node, base, key)


def _slice(m: Machine, node: nodes.Slice) -> Value:
    parts = [NONE if part is None else evaluate(m, part) for part in (node.lower, node.upper, node.step)]
    return SliceValue(*parts)


def call_of(m: Machine, node: nodes.Call, discarded: bool = False) -> Value:
    """The value of a call expression."""
    if isinstance(node.func, nodes.Name) and node.func.id == "super" and lookup(m, "super") is None:
        return instances.super_of(m, m.frame)
    receiver: Value | None = None
    if isinstance(node.func, nodes.Attr):
        receiver = evaluate(m, node.func.base)
        if isinstance(receiver, Partial) and receiver.func == Ref("super"):
            func = instances.super_attr(m, node.func, receiver, mangled(m.frame, node.func.name))
        else:
            func = access.get_attr(m, node.func, receiver, mangled(m.frame, node.func.name))
    else:
        func = evaluate(m, node.func)

    def made(values: list[Value]) -> Value:
        site = arguments(m, node, values)
        site.discarded = discarded
        if isinstance(func, Unknown) and receiver is not None and isinstance(node.func, nodes.Attr):
            return calls.call_method(m, site, receiver, node.func.name)
        return calls.call(m, site, func)

    return _spread(m, [bool(arg.stars) for arg in node.args], [evaluate(m, arg.value) for arg in node.args], made)


def _spread(m: Machine, starred: list[bool], values: list[Value], made: Callable[[list[Value]], Value]) -> Value:
    """What is `made` of values, of which some are spread: one that has a usual value is followed apart from others."""
    if not any(starred):
        return made(values)
    seen = [m.see(value) if is_starred else value for is_starred, value in zip(starred, values, strict=True)]
    of_several = (i for i, one in enumerate(seen) if starred[i] and isinstance(one, Choice) and _may_be_spread(one))
    index = next(of_several, None)
    if index is None:
        return made(values)

    def arm(value: Value) -> Callable[[], Value]:
        return lambda: _spread(m, starred, [*values[:index], value, *values[index + 1 :]], made)

    one = seen[index]
    assert isinstance(one, Choice)
    return m.choose_value(one.cond, arm(one.then), arm(one.other))


def _may_be_spread(value: Choice) -> bool:
    return usual(value.cond) is not None and any(isinstance(leaf, Obj | Tup) for _, leaf in leaves(value))


def arguments(m: Machine, node: nodes.Call, values: list[Value]) -> Call:
    """The arguments of a call, with `*` and `**` spread as far as they are known."""
    site = Call(node, [])
    for arg, value in zip(node.args, values, strict=True):
        if arg.stars == 1:
            items = containers.items_of(m, value)
            if items is None or site.open:
                site.rest = containers.element_of(m, value) if len(node.args) == 1 else None
                site.open = True
            else:
                site.args += items
                site.arg_nodes += [arg.value] * len(items)
        elif arg.stars == 2:
            pairs = containers.dict_pairs(m, value)
            if pairs is None:
                site.open = True
            for key, held in containers.common_pairs(m, value) if pairs is None else pairs:
                if isinstance(key, Const) and isinstance(key.value, str):
                    site.kwargs[key.value] = held
                else:
                    site.open = True
        elif arg.name is not None:
            site.kwargs[arg.name] = value
        elif not site.open:
            site.args.append(value)
            site.arg_nodes.append(arg.value)
    return site


def _bin(m: Machine, node: nodes.Bin) -> Value:
    left, right = evaluate(m, node.left), evaluate(m, node.right)
    compiled_results.read(m, node, left, right)
    return operators.binary(m, node, node.op, left, right)


def _unary(m: Machine, node: nodes.Unary) -> Value:
    return operators.unary(m, node, node.op, evaluate(m, node.value))


def _bool(m: Machine, node: nodes.Bool) -> Value:
    def rest(index: int) -> Value:
        value = evaluate(m, node.values[index])
        if index == len(node.values) - 1:
            return value
        stop, go = (lambda: m.see(value)), (lambda: rest(index + 1))
        arms = (go, stop) if node.op == "and" else (stop, go)
        return pick(m, value, *arms, node.values[index])

    return rest(0)


def pick(
    m: Machine,
    test: Value,
    then: Callable[[], Value],
    other: Callable[[], Value],
    at: nodes.Node | None = None,
) -> Value:
    """The value of whichever arm the test, which stands at `at`, chooses."""
    cond, first, second = truths.branch(m, test, then, other, at)
    return first if cond is None else choose(cond, first, second)


def _compare(m: Machine, node: nodes.Compare) -> Value:
    left = evaluate(m, node.left)
    result: Value = TRUE
    left_node, single = node.left, len(node.ops) == 1
    for op, right_node in zip(node.ops, node.rights, strict=True):
        if result is not TRUE and result == FALSE:
            break  # What stands behind is not asked for.
        if result is not TRUE and m.root.watch is not None:
            truths.truth(m, result, node)
        right = evaluate(m, right_node)
        if op not in ("is", "is not", "in", "not in"):
            compiled_results.read(m, right_node, left, right)
        at = node if single else nodes.Compare(left_node.start, right_node.end, left_node, [op], [right_node])
        one = comparisons.compare(m, at, op, left, right)
        if result is TRUE or result == TRUE:
            result = one
        else:
            result = alternatives.lift(m, result, lambda r, one=one: one if r == TRUE else r)  # type: ignore[misc]
        left, left_node = right, right_node
    return result


def _ifexp(m: Machine, node: nodes.IfExp) -> Value:
    test = evaluate(m, node.test)
    return pick(m, test, lambda: evaluate(m, node.body), lambda: evaluate(m, node.orelse), node.test)


def spread(m: Machine, items: list[nodes.Expr]) -> list[Value] | None:
    """The values of display items, stars spread; None if a star cannot be."""
    found: list[Value] = []
    complete = True
    for item in items:
        if isinstance(item, nodes.Star):
            inner = containers.items_of(m, evaluate(m, item.value))
            complete = complete and inner is not None
            found += inner or []
        else:
            found.append(evaluate(m, item))
    return found if complete else None


def _seq(m: Machine, node: nodes.Seq) -> Value:
    items = spread(m, node.items)
    if node.kind == "tuple":
        if items is None:
            return m.unknown(node, "the items of a starred tuple are not known")
        return m.unknown(node, texts.TOO_LARGE) if containers.is_large(items) else Tup(tuple(items))
    made = m.new(node.kind)
    containers.set_items(m, made, items if node.kind == "list" or items is None else containers.unique(items))
    return made


def _star(m: Machine, node: nodes.Star) -> Value:
    return evaluate(m, node.value)


def _dict(m: Machine, node: nodes.DictDisplay) -> Value:
    entries: list[tuple[nodes.Node, Value | None, Value]] = []
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = evaluate(m, value_node)
        entries.append((key_node or value_node, None if key_node is None else m.see(evaluate(m, key_node)), value))
    whole = [m.see(value) for _, key, value in entries if key is None]
    if any(isinstance(one, Obj) and one.cls == ENVIRONMENT for one in whole):
        return hooks.merged_environment(m, [(one, key, m.see(value)) for one, key, value in entries])

    def made_of(values: list[Value]) -> Value:
        pairs: list[tuple[Value, Value]] = []
        known = True
        for (_, key, _), value in zip(entries, values, strict=True):
            inner = containers.dict_pairs(m, value) if key is None else [(key, value)]
            known = known and inner is not None
            pairs += inner or ()
        made = containers.new_dict(m, containers.put((), pairs) if known else None)
        for one, key, _ in entries:
            if isinstance(key, Const) and isinstance(key.value, str) and key.value.isupper():
                m.write_entry(made.ident, key.value, m.span(one))
        return made

    return _spread(m, [key is None for _, key, _ in entries], [value for *_, value in entries], made_of)


def _format(m: Machine, node: nodes.Format) -> Value:
    return alternatives.lift_all(m, [evaluate(m, part) for part in node.parts], texts.concat)


def _field(m: Machine, node: nodes.FormatField) -> Value:
    value = evaluate(m, node.value)
    spec = texts.concat([evaluate(m, s) for s in node.spec]) if node.spec else Const("")
    if node.conversion in ("r", "a") or spec != Const(""):

        def apply(v: Value) -> Value:
            if isinstance(v, Const) and isinstance(spec, Const):
                if texts.is_wide(str(spec.value)):
                    return m.unknown(node, texts.TOO_LARGE)
                shown = repr(v.value) if node.conversion in ("r", "a") else v.value
                try:
                    return texts.bounded_text(m, node, format(shown, str(spec.value)))
                except (TypeError, ValueError):
                    return m.unknown(node, "the format does not fit its value")
            if m.root.watch is not None and node.conversion is None and isinstance(spec, Const):
                m.root.watch.shown(m, node, v, str(spec.value))
            return Unknown(f"format:{ident(v)}!{node.conversion}:{ident(spec)}", "a formatted unknown")

        return alternatives.lift(m, value, apply)
    return texts.to_text(m, value)


def _lambda(m: Machine, node: nodes.Lambda) -> Value:
    return statements.make_function(m, node, f"{m.frame.qualname}.<lambda>" if m.frame.qualname else "<lambda>")


def _walrus(m: Machine, node: nodes.Walrus) -> Value:
    value = evaluate(m, node.value)
    if isinstance(node.target, nodes.Name):
        # Inside a comprehension the name belongs to what is around it.
        assignments.bind_name(m, node.target.id, value, next(f for f in reversed(m.root.frames) if not f.inner))
    return value


def _await(m: Machine, node: nodes.Await) -> Value:
    return evaluate(m, node.value)


def _yield(m: Machine, node: nodes.Yield) -> Value:
    value = NONE if node.value is None else evaluate(m, node.value)
    frame = m.frame
    if frame.on_yield is not None:
        frame.on_yield(value)
        return Unknown(f"u{m.fresh()}", "what is sent into a generator")
    if frame.layer:
        now = {cell: held for layer in m.store.layers[frame.layer :] for cell, held in layer.items()}
        frame.at_yield = {**now, **frame.at_yield}
    value = m.see(value)
    if node.is_from:
        iterators.start(m, value)
    items = subscripts.iterate(m, value) if node.is_from else [value]
    found = items if isinstance(items, list) else [items.element] if isinstance(items, Many) else []
    frame.yields += found
    # On some paths only, or nobody knows what: the items cannot be counted.
    if items is not found or len(m.root.path) > len(frame.entry):
        frame.outer["#looped"] = "yes"
    if items is None:
        frame.yields.append(m.unknown(node, "the items of an unknown generator"))
    given = m.read(value.ident, functions.RETURNED) if node.is_from and isinstance(value, Obj) else None
    if given is not None:
        return given
    return Unknown(f"u{m.fresh()}", "what is sent into a generator")


# A module that imports this one in turn is looked up when it is needed.
TABLE: dict[type, Callable[[Machine, Any], Value]] = {
    nodes.Const: _const, nodes.Name: _name, nodes.Attr: _attr, nodes.Sub: _sub, nodes.Slice: _slice,
    nodes.Call: call_of, nodes.Bin: _bin, nodes.Unary: _unary, nodes.Bool: _bool, nodes.Compare: _compare,
    nodes.IfExp: _ifexp, nodes.Seq: _seq, nodes.Star: _star, nodes.DictDisplay: _dict, nodes.Format: _format,
    nodes.FormatField: _field, nodes.Lambda: _lambda, nodes.Walrus: _walrus, nodes.Await: _await,
    nodes.Yield: _yield, nodes.Comp: lambda m, n: comprehensions.comprehension(m, n),
}  # fmt: skip
