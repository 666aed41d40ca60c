"""Comprehensions and generator expressions: unrolled where the items are known, else one element stands for all."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.ir import nodes
from aoti_lint.language import assignments, expressions, truths
from aoti_lint.language.data import containers, iterators, subscripts
from aoti_lint.machine.machine import Machine
from aoti_lint.values.frames import Frame
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Many, Obj, Tup, Unknown, Value


def comprehension(m: Machine, node: nodes.Comp) -> Value:
    """A comprehension: unrolled where the items are known, else one element stands for all."""
    found: list[Value] = []
    exact = whole = True
    count: int | None = None
    # What is made of a dict, such as that of all weights, is a dict of as many entries.
    most = containers.MAX_PAIRS if node.kind == "dict" and len(node.generators) == 1 else expressions.MAX_UNROLL

    def element() -> None:
        value = expressions.evaluate(m, node.element)
        found.append(Tup((expressions.evaluate(m, node.key), value)) if node.key is not None else value)

    def level(index: int) -> None:
        nonlocal exact, count
        if index == len(node.generators):
            element()
            return
        generator = node.generators[index]
        source = m.see(first if index == 0 else expressions.evaluate(m, generator.iter))
        if not whole:
            iterators.start(m, source)
        items = subscripts.iterate(m, source)
        if isinstance(items, list) and len(items) <= most:
            sequence: list[Value] = items
        else:
            exact = False
            if len(node.generators) == 1 and not generator.tests:
                count = items.count if isinstance(items, Many) else len(items) if isinstance(items, list) else None
            sequence = [
                items.element if isinstance(items, Many) else m.unknown(generator, "an item of an unknown iterable")
            ]
        for item in sequence:
            assignments.assign(m, generator.target, item)
            filtered(index, 0)

    def filtered(index: int, test: int) -> None:
        nonlocal exact
        tests = node.generators[index].tests
        if test == len(tests):
            level(index + 1)
            return
        asked = tests[test]
        cond, *_ = truths.branch(
            m, expressions.evaluate(m, asked), lambda: filtered(index, test + 1), lambda: None, asked
        )
        exact = exact and cond is None

    first = expressions.evaluate(m, node.generators[0].iter)
    inside = _inside(m)

    def make(taken_at_once: bool) -> Value:
        """The items of a generator expression, made when they are asked for."""
        nonlocal whole
        whole = taken_at_once
        m.store.push()
        m.root.frames.append(inside)
        try:
            level(0)
        finally:
            m.root.frames.pop()
            changes = m.store.pop()
        if whole or not found:
            m.store.commit(changes)
        else:
            iterators.interleaved(m, changes, {}, lambda cell: cell[0] == inside.ident)
            iterators.exhaust(m, first)
        return gathered(m, found, exact, count)

    if node.kind == "generator":
        return iterators.new(m, make)
    m.root.frames.append(inside)
    try:
        level(0)
    finally:
        m.root.frames.pop()
    if node.kind == "dict":
        pairs = [(m.see(pair.items[0]), pair.items[1]) for pair in found if isinstance(pair, Tup)]
        if not exact and not any(one.tests for one in node.generators):
            return containers.dict_of(m, found[0] if len(found) == 1 else None)
        return containers.new_dict(m, containers.put((), pairs) if exact else None)
    made = m.new("set" if node.kind == "set" else "list")
    if exact:
        containers.set_items(m, made, containers.unique(found) if node.kind == "set" else found)
    else:
        m.store.write(made.ident, "#items", gathered(m, found, exact, count if node.kind == "list" else None))
    return made


def gathered(m: Machine, found: list[Value], exact: bool, count: int | None = None) -> Value:
    """What was found in one go: all items, or one or several like every item, of which there are `count`."""
    if exact:
        return Tup(tuple(found))
    same = found and all(alike(f, found[0]) for f in found)
    return (
        Many(found[0], count if len(found) == 1 else None) if same else Unknown(f"u{m.fresh()}", "items not all known")
    )


def _inside(m: Machine) -> Frame:
    """The scope of a comprehension in the current frame, whose names it sees unless that is a class body."""
    outer = m.frame
    hidden = outer.ident == outer.module.ident or (outer.owner is not None and outer.ident == outer.owner.ident)
    scopes = outer.scopes if hidden else (outer.ident, *outer.scopes)
    return Frame(
        m.fresh(),
        outer.module,
        outer.qualname,
        scopes,
        owner=outer.owner,
        receiver=outer.receiver,
        private=outer.private,
        inner=True,
        at=outer.at,
    )


def alike(a: Value, b: Value) -> bool:
    """Whether two values made by one piece of code in two rounds can stand for each other."""
    if isinstance(a, Tup) and isinstance(b, Tup) and len(a.items) == len(b.items):
        return a.fields == b.fields and all(alike(x, y) for x, y in zip(a.items, b.items, strict=True))
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return a == replace(b, key=a.key)
    return a == b or (isinstance(a, Obj) and isinstance(b, Obj) and a.kind == b.kind and a.cls == b.cls)
