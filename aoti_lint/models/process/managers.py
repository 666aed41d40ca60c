"""Context managers of `contextlib` that call something when they are left, or whenever a function is called."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.ir import nodes
from aoti_lint.language import access, calls
from aoti_lint.language.flow import with_statements
from aoti_lint.language.flow.with_statements import context
from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.values.call import Call
from aoti_lint.values.values import NONE, Func, Obj, Partial, Ref, Value

CLOSING = "contextlib.closing()"
DECORATED = "contextlib.ContextDecorator()"


@function("contextlib.closing", "contextlib.aclosing")
def _closing(m: Machine, site: Call) -> Value:
    made = opaque(m, CLOSING)
    m.store.write(made.ident, "#thing", site.arg(0, "thing") or NONE)
    return made


@context(CLOSING)
def _in_closing(m: Machine, node: nodes.Node, manager: Obj, body: Callable[[Value], None]) -> None:
    thing = slot(m, manager, "#thing")
    body(thing)
    calls.call(m, Call(node, []), access.get_attr(m, node, thing, "close"))


@function(with_statements.GENERATOR.name)
def _decorate(m: Machine, site: Call) -> Value:
    """What a `contextmanager` function makes, used as a decorator: it is made anew for each call."""
    made, *args = site.args
    func = m.see(args[-1]) if args else NONE
    if not isinstance(func, Func):
        calls.give_away(m, site, "a context manager that is called")
        return m.unknown(site.node, "a context manager that is called")
    manager = Partial(with_statements.GENERATOR, (made, *args[:-1]), tuple(site.kwargs.items()))
    return Partial(Ref(DECORATED), (manager, func), ())


@function(DECORATED)
def _decorated(m: Machine, site: Call) -> Value:
    manager, func, *args = site.args
    found: list[Value] = []

    def body(_: Value) -> None:
        found.append(calls.call(m, Call(site.node, args, site.kwargs, [], site.open), func))

    with_statements.enter(m, site.node, manager, body)
    return found[0] if found else m.unknown(site.node, "what a function gives that was not called")
