"""How far the interpreter follows code that leads to no export, compile, load or custom operator.

Such code matters only for the values it makes: devices, sizes, paths. Where that takes long, the value is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from aoti_lint.ir import nodes
from aoti_lint.language.flow.lasting import every_node
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.meter import BudgetSpent
from aoti_lint.values.store import Cell
from aoti_lint.values.values import NONE, Func, NodePlace, Obj, Tup, Unknown, Value

MAX_ASIDE = 300
"""Steps one call may take of a function that leads to nothing a rule speaks of, with all it calls."""
ALL_ASIDE = 600
"""Steps all such calls of one root may take before each has to do with few."""
LEAST_ASIDE = 40
"""The few."""


MAX_OBJECTS = 200
"""Objects that are looked into for what code that was not followed has bound."""


def aside(m: Machine, func: Func) -> bool:
    """Whether a call of `func` from here leaves what rules speak of. What an export traces never does."""
    if m.root.budget.most is not None or m.root.trace is not None or isinstance(func.node, nodes.Lambda):
        return False
    return m.root.budget.shallow or not m.project.leads(func.module.path, func.qualname)


def sparingly(m: Machine, site: Call, func: Func, run: Callable[[], Value]) -> Value | None:
    """What `run`, a call of `func`, gives, if it takes few steps; else None, and what it changed is unknown.

    A call that took longer is not tried again, by no case of a test either: they often differ in little.
    """
    budget = m.root.budget
    place = func.place, m.span(site.node)
    if place in budget.longer:
        _lose(m, budget.longer[place])
        return None
    before = budget.steps
    budget.most = before + max(LEAST_ASIDE, min(MAX_ASIDE, ALL_ASIDE - budget.aside))
    stack = m.store.stack()
    m.store.push()
    try:
        made = run()
    except BudgetSpent:
        if budget.steps <= budget.most:
            raise
        changed = tuple(dict.fromkeys(cell for layer in m.store.layers[stack.depth :] for cell in layer))
        m.store.restore(stack)
        budget.longer[place] = changed
        _lose(m, changed)
        return None
    except BaseException:
        m.store.restore(stack)
        raise
    finally:
        budget.most = None
        budget.aside += budget.steps - before
    m.store.commit(m.store.pop())
    return made


class _Bound(dict[NodePlace, frozenset[str]]):
    """By the place of a function: the names of the attributes that it binds."""


def lose_bound(m: Machine, func: Func, value: Value | None) -> None:
    """The attributes that `func` binds are unknown, where `value` and what it holds have them: it was not followed."""
    known = m.world.of(_Bound)
    if func.place not in known:
        known[func.place] = frozenset(_bound(func.node.body))
    names = known[func.place]
    todo, seen = [value], set[int]()
    while todo and names:
        one = m.see(todo.pop() or NONE)
        if isinstance(one, Tup):
            todo += one.items
        if not isinstance(one, Obj) or one.ident in seen or len(seen) > MAX_OBJECTS:
            continue
        seen.add(one.ident)
        for slot, held in list(m.store.slots(one.ident)):
            if slot in names:
                m.store.write(one.ident, slot, Unknown(f"u{m.fresh()}", f"{func.qualname} took too long to follow"))
            else:
                todo.append(held)


def _bound(body: object) -> Iterator[str]:
    """The names of the attributes that statements bind."""
    for one in every_node(body):
        match one:
            case nodes.Assign(targets=targets):
                found: list[nodes.Expr] = targets
            case nodes.AugAssign(target=target) | nodes.AnnAssign(target=target):
                found = [target]
            case _:
                continue
        yield from (part.name for part in every_node(found) if isinstance(part, nodes.Attr))


def _lose(m: Machine, changed: Iterable[Cell]) -> None:
    """What code that was not followed to its end has changed is unknown."""
    there = [cell for cell in changed if m.store.read(*cell) is not None]
    for cell in (*there, ("torch", "default_device")):
        m.store.write(*cell, Unknown(f"u{m.fresh()}", "what was called took too long to follow"))
