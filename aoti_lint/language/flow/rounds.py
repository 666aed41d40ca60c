"""`while` loops that come to an end by what is known: they work off a container, or count towards a number."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.ir import nodes
from aoti_lint.language import expressions
from aoti_lint.language.data import containers
from aoti_lint.machine.machine import Machine
from aoti_lint.values.values import Const, Obj, Tup, Value

TAKING = frozenset({"pop", "popleft", "popitem", "get", "get_nowait"})
"""Methods that take an item out of a container."""

Left = int | tuple[Value, ...]
"""How far a count is from where the loop ends, or what the containers hold that are worked off."""


def left(m: Machine, node: nodes.While, before: Left | None = None) -> Left | None:
    """What is left to do for a loop, where it is no more than is followed round by round; None where that is not known.

    With what was left `before` the last round: None also where that round brought the loop no nearer to its end.
    """
    found: Left | None = _counted(m, node.test)
    found = _held(m, node) if found is None else found
    if isinstance(found, int):
        nearer = before is None or (isinstance(before, int) and found < before)
        return found if nearer and found <= expressions.MAX_UNROLL else None
    count = sum(len(items.items) for items in found if isinstance(items, Tup))
    return found if found and found != before and count <= expressions.MAX_UNROLL else None


def _counted(m: Machine, test: nodes.Expr) -> int | None:
    """How far apart the two numbers are that a test compares, or how far from 0 the one is that it asks for."""
    if isinstance(test, nodes.Name | nodes.Attr):
        number = _number(m, test)
        return None if number is None else abs(number)
    if not isinstance(test, nodes.Compare) or len(test.rights) > 1:
        return None
    ends = [_number(m, one) for one in (test.left, test.rights[0])]
    return abs(ends[0] - ends[1]) if ends[0] is not None and ends[1] is not None else None


def _number(m: Machine, node: nodes.Expr) -> int | None:
    """An int that is written there, named, or the length of something."""
    if isinstance(node, nodes.Call):
        return None if (held := next(_items(m, [node]), None)) is None else len(held.items)
    value = Const(node.value) if isinstance(node, nodes.Const) else _peek(m, node)
    return value.value if isinstance(value, Const) and type(value.value) is int else None


def _held(m: Machine, node: nodes.While) -> tuple[Value, ...]:
    """What the containers hold whose items decide when the loop ends: those of its test, or those its body empties."""
    endless = isinstance(node.test, nodes.Const) and bool(node.test.value)
    return tuple(_items(m, _taken(node.body) if endless else [node.test]))


def _taken(body: list[nodes.Stmt]) -> Iterator[nodes.Expr]:
    """The calls that take something out of a container, in the statements of a body that each round comes to."""
    for one in body:
        match one:
            case nodes.Assign(value=nodes.Call(func=nodes.Attr(name=name)) as call) if name in TAKING:
                yield call
            case nodes.ExprStmt(value=nodes.Call(func=nodes.Attr(name=name)) as call) if name in TAKING:
                yield call
            case nodes.Try(body=inner):
                yield from _taken(inner)


def _items(m: Machine, asked: Iterator[nodes.Expr] | list[nodes.Expr]) -> Iterator[Tup]:
    """What the containers hold that are named in these expressions, as far as that is known."""
    for node in asked:
        match node:
            case nodes.Unary(value=inner) | nodes.Walrus(value=inner):
                yield from _items(m, [inner])
            case nodes.Bool(values=values):
                yield from _items(m, values)
            case nodes.Compare(left=first, rights=rights):
                yield from _items(m, [first, *rights])
            case nodes.Call(func=nodes.Name(id="len"), args=[nodes.Arg(value=inner)]):
                yield from _items(m, [inner])
            case nodes.Call(func=nodes.Attr(base=inner)):
                yield from _items(m, [inner])
            case nodes.Name() | nodes.Attr():
                value = _peek(m, node)
                held = m.read(value.ident, "#items") if isinstance(value, Obj) and value.kind != "module" else None
                if isinstance(value, Obj) and value.kind == "dict":
                    pairs = containers.dict_pairs(m, value)
                    held = None if pairs is None else Tup(tuple(key for key, _ in pairs))
                if isinstance(held, Tup):
                    yield held


def _peek(m: Machine, node: nodes.Expr) -> Value | None:
    """What a name or an attribute is worth, with nothing run for it."""
    match node:
        case nodes.Name(id=name):
            found = expressions.lookup(m, name)
        case nodes.Attr(base=base, name=name):
            owner = _peek(m, base)
            found = m.read(owner.ident, name) if isinstance(owner, Obj) else None
        case _:
            return None
    return None if found is None else m.see(found)
