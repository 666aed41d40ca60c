"""`assert`: which way it goes on, and what is known of what it asks about."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language import assignments, expressions, truths
from aoti_lint.language.flow import raised
from aoti_lint.language.flow.lasting import every_node
from aoti_lint.machine.machine import Machine
from aoti_lint.values.flow import FALL, Flow, Leaf, join
from aoti_lint.values.values import Bound, Class, Func, Namespace, Obj, Partial, Ref, Value

_DEFINED = Bound | Class | Func | Namespace | Partial | Ref
_HOLDERS = ("instance", "module")
_WHY = "an assertion says something else of it"


def exec_assert(m: Machine, node: nodes.Assert) -> Flow:
    """Go on where the assertion holds. One that fails for sure holds, too, unless it is written to fail.

    A script with `assert False, "not reached"` ends there. Any other assertion tells more than we know: a value that
    it contradicts is one that we got wrong, and is not known from there on.
    """
    asked = m.world.version_questions
    test = expressions.evaluate(m, node.test)
    failed = Leaf("raise", Ref("AssertionError"))
    cond, first, second = truths.branch(m, test, lambda: FALL, lambda: failed, node.test)
    if cond is not None:
        return join(cond, first, second)
    plain = m.world.version_questions == asked and m.root.watch is None
    if first == FALL or not plain or isinstance(node.test, nodes.Const):
        return first
    raised.note(m, node, "AssertionError")
    _forget(m, node.test)
    return FALL


def _forget(m: Machine, test: nodes.Expr) -> None:
    """Make what a test asks about unknown: its names, and of an instance only the attributes that it reads."""
    inside = list(every_node(test))
    held: set[int] = set()
    for one in inside:
        if isinstance(one, nodes.Attr) and isinstance(one.base, nodes.Name):
            owner = _value(m, one.base)
            if isinstance(owner, Obj) and owner.kind in _HOLDERS:
                held.add(id(one.base))
                assignments.assign(m, one, m.unknown(one, _WHY))
    for one in inside:
        if isinstance(one, nodes.Name) and id(one) not in held and not isinstance(_value(m, one), _DEFINED | None):
            assignments.assign(m, one, m.unknown(one, _WHY))


def _value(m: Machine, name: nodes.Name) -> Value | None:
    found = expressions.lookup(m, name.id)
    return None if found is None else m.see(found)
