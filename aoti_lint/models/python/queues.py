"""`queue.Queue` and its kind, as long as one thread fills and empties them.

What another thread puts in or takes out comes at a time that nobody knows: what such a queue holds is not known from
there on (`workers.apart` says what runs in another thread).
"""

from __future__ import annotations

from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.process.workers import is_aside
from aoti_lint.models.python.containers.lists import change
from aoti_lint.values.call import Call
from aoti_lint.values.values import NONE, TRUE, Const, Many, Obj, Tup, Unknown, Value

QUEUE = "queue.Queue"


@function(QUEUE, "queue.SimpleQueue")
def _queue(m: Machine, site: Call) -> Value:
    made = opaque(m, QUEUE)
    m.store.write(made.ident, "#items", Tup(()))
    return made


@function("queue.LifoQueue")
def _stack(m: Machine, site: Call) -> Value:
    made = _queue(m, site)
    if isinstance(made, Obj):
        m.store.write(made.ident, "#last first", TRUE)
    return made


def _held(m: Machine, queue: Value) -> Value:
    """What a queue holds, as one thread sees it."""
    if not isinstance(queue, Obj):
        return NONE
    if is_aside(m):
        m.store.write(queue.ident, "#items", Unknown(f"u{m.fresh()}", "other threads fill and empty this queue"))
    return m.see(slot(m, queue, "#items"))


@method(QUEUE, "put", "put_nowait")
def _put(m: Machine, site: Call, receiver: Value) -> Value:
    _held(m, receiver)
    change(m, receiver, lambda items: [*items, site.arg(0, "item") or NONE])
    return NONE


@method(QUEUE, "get", "get_nowait")
def _get(m: Machine, site: Call, receiver: Value) -> Value:
    held = _held(m, receiver)
    if isinstance(held, Many):
        return held.element
    last = isinstance(receiver, Obj) and slot(m, receiver, "#last first") == TRUE
    if isinstance(held, Tup) and held.items:
        change(m, receiver, lambda items: items[:-1] if last else items[1:])
        return held.items[-1 if last else 0]
    change(m, receiver, lambda _: None)  # somebody else fills it
    return m.unknown(site.node, "an item of a queue that is not known")


@method(QUEUE, "qsize")
def _count(m: Machine, site: Call, receiver: Value) -> Value:
    held = _held(m, receiver)
    if not isinstance(held, Tup):
        return m.unknown(site.node, "how many items a queue holds")
    return Const(len(held.items))


@method(QUEUE, "empty")
def _empty(m: Machine, site: Call, receiver: Value) -> Value:
    count = _count(m, site, receiver)
    return Const(not count.value) if isinstance(count, Const) else count


@method(QUEUE, "task_done", "join")
def _done(m: Machine, site: Call, receiver: Value) -> Value:
    return NONE
