"""How far the interpreter follows code that leads to no export, compile, load or custom operator.

Such code matters only for the values it makes: devices, sizes, paths. Where that takes long, the value is unknown.
"""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.ir import nodes
from aoti_lint.machine.machine import Machine
from aoti_lint.values.meter import BudgetSpent
from aoti_lint.values.values import Func, Unknown, Value

MAX_ASIDE = 300
"""Steps one call may take of a function that leads to nothing a rule speaks of, with all it calls."""
ALL_ASIDE = 600
"""Steps all such calls of one root may take before each has to do with few."""
LEAST_ASIDE = 40
"""The few."""


def aside(m: Machine, func: Func) -> bool:
    """Whether a call of `func` from here leaves what rules speak of. What an export traces never does."""
    if m.root.budget.most is not None or m.root.trace is not None or isinstance(func.node, nodes.Lambda):
        return False
    return not m.project.leads(func.module.path, func.qualname)


def sparingly(m: Machine, run: Callable[[], Value]) -> Value | None:
    """What `run` gives, if it takes few steps; else None, and what it changed is unknown."""
    before = m.root.budget.steps
    m.root.budget.most = before + max(LEAST_ASIDE, min(MAX_ASIDE, ALL_ASIDE - m.root.budget.aside))
    stack = m.store.stack()
    m.store.push()
    try:
        made = run()
    except BudgetSpent:
        if m.root.budget.steps <= m.root.budget.most:
            raise
        changed = {cell for layer in m.store.layers[stack.depth :] for cell in layer}
        m.store.restore(stack)
        for cell in changed:
            if m.store.read(*cell) is not None:
                m.store.write(*cell, Unknown(f"u{m.fresh()}", "what was called took too long to follow"))
        m.store.write("torch", "default_device", Unknown(f"u{m.fresh()}", "what was called took too long to follow"))
        return None
    except BaseException:
        m.store.restore(stack)
        raise
    finally:
        m.root.budget.most = None
        m.root.budget.aside += m.root.budget.steps - before
    m.store.commit(m.store.pop())
    return made
