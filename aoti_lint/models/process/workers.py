"""Processes, threads, executors and tasks: what they are given to run is run where they are started."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language import access, calls
from aoti_lint.language.data import containers, subscripts
from aoti_lint.language.tools import opaque, raising_aside, slot
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.python.containers.lists import several
from aoti_lint.values.call import Call
from aoti_lint.values.values import FALSE, NONE, TRUE, Class, Const, Many, Obj, Ref, Tup, Value

WORKER = "threading.Thread"
"""The class that stands for threads and processes alike; the cell `#apart` says that it is a process."""
POOL = "concurrent.futures.Executor"
FUTURE = "concurrent.futures.Future"
MAX_JOBS = 8
"""Items a pool runs a function over one by one."""
SHARED = ("files",)
"""What a process changes for others too."""


_ASIDE = ("threads", "aside")
"""The cell that says whether another thread runs."""


def is_aside(m: Machine) -> bool:
    """Whether what runs now may run while another thread does: it is run by one, or its file has a kind of its own."""
    own = (one for _, one in m.store.slots(m.frame.module.ident) if isinstance(one, Class))
    return m.read(*_ASIDE) == TRUE or any(Ref(WORKER) in access.ancestors(m, one) for one in own)


def apart(
    m: Machine, node: nodes.Node, func: Value, args: list[Value], kwargs: dict[str, Value], process: bool
) -> Value:
    """Run `func` as a worker does: what it raises ends there, and a process changes nothing here but files."""
    site = Call(node, args, kwargs)
    if not process:
        outer = m.read(*_ASIDE) or FALSE
        m.store.write(*_ASIDE, TRUE)
        with raising_aside(m):
            result = calls.call(m, site, func)
        m.store.write(*_ASIDE, outer)
        return result
    result, changes, _ = m.arm({}, lambda: calls.call(m, site, func))
    m.store.commit({cell: value for cell, value in changes.items() if cell[0] in SHARED})
    return result


# ---------------------------------------------------------------- threads and processes


def _worker(m: Machine, site: Call, process: bool) -> Value:
    made = opaque(m, WORKER)
    m.store.write(made.ident, "#target", site.arg(1, "target") or NONE)
    m.store.write(made.ident, "#args", site.arg(3, "args") or Tup(()))
    m.store.write(made.ident, "#kwargs", site.arg(4, "kwargs") or NONE)
    m.store.write(made.ident, "#apart", Const(process))
    return made


@function("threading.Thread")
def _thread(m: Machine, site: Call) -> Value:
    return _worker(m, site, process=False)


@function("multiprocessing.Process", "torch.multiprocessing.Process", "multiprocessing.context.Process")
def _process(m: Machine, site: Call) -> Value:
    return _worker(m, site, process=True)


@function("threading.Timer")
def _timer(m: Machine, site: Call) -> Value:
    args = site.arg(2, "args") or Tup(())
    return _worker(m, Call(site.node, [], {"target": site.arg(1, "function") or NONE, "args": args}), process=False)


@method(WORKER, "start", "run")
def _start(m: Machine, site: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Obj)
    args = containers.items_of(m, slot(m, receiver, "#args"))
    pairs = containers.dict_pairs(m, slot(m, receiver, "#kwargs")) or []
    target = slot(m, receiver, "#target")
    if args is not None and target != NONE:
        kwargs = {str(k.value): v for k, v in pairs if isinstance(k, Const)}
        apart(m, site.node, target, args, kwargs, slot(m, receiver, "#apart") == Const(True))
    return NONE


@method(WORKER, "join", "terminate", "kill", "close", "is_alive", "cancel")
def _join(m: Machine, site: Call, receiver: Value) -> Value:
    return m.unknown(site.node, "the state of a worker")


@function("torch.multiprocessing.spawn", "torch.multiprocessing.start_processes")
def _spawn(m: Machine, site: Call) -> Value:
    """Runs `fn(rank, *args)` in several processes: once here, with an unknown rank."""
    args = containers.items_of(m, site.arg(1, "args") or Tup(()))
    if args is not None:
        rank = m.unknown(site.node, "the rank of a process")
        apart(m, site.node, site.arg(0, "fn") or NONE, [rank, *args], {}, process=True)
    return NONE


@function("multiprocessing.get_context", "torch.multiprocessing.get_context")
def _context(m: Machine, site: Call) -> Value:
    return Ref("multiprocessing")


@function("multiprocessing.set_start_method", "torch.multiprocessing.set_start_method")
def _setting(m: Machine, site: Call) -> Value:
    return NONE


# ---------------------------------------------------------------- pools


def _pool(m: Machine, process: bool) -> Value:
    made = opaque(m, POOL)
    m.store.write(made.ident, "#apart", Const(process))
    return made


@function("concurrent.futures.ThreadPoolExecutor", "multiprocessing.pool.ThreadPool", "multiprocessing.dummy.Pool")
def _thread_pool(m: Machine, site: Call) -> Value:
    return _pool(m, process=False)


@function("concurrent.futures.ProcessPoolExecutor", "multiprocessing.Pool", "torch.multiprocessing.Pool")
def _process_pool(m: Machine, site: Call) -> Value:
    return _pool(m, process=True)


def _is_process(m: Machine, receiver: Value) -> bool:
    return isinstance(receiver, Obj) and slot(m, receiver, "#apart") == Const(True)


@method(POOL, "submit")
def _submit(m: Machine, site: Call, receiver: Value) -> Value:
    if not site.args or site.open:
        return m.unknown(site.node, "what a pool runs is not known")
    result = apart(m, site.node, site.args[0], site.args[1:], site.kwargs, _is_process(m, receiver))
    return future(m, result)


@method(POOL, "apply", "apply_async")
def _apply(m: Machine, site: Call, receiver: Value) -> Value:
    args = containers.items_of(m, site.arg(1, "args") or Tup(()))
    if args is None:
        return m.unknown(site.node, "what a pool runs is not known")
    return apart(m, site.node, site.arg(0, "func") or NONE, args, {}, _is_process(m, receiver))


@method(POOL, "map", "imap", "imap_unordered", "map_async")
def _map(m: Machine, site: Call, receiver: Value) -> Value:
    columns = [subscripts.iterate(m, c) for c in site.args[1:]]
    return _over(m, site, receiver, columns, spread=False)


@method(POOL, "starmap", "starmap_async")
def _starmap(m: Machine, site: Call, receiver: Value) -> Value:
    return _over(m, site, receiver, [subscripts.iterate(m, site.arg(1, "iterable") or NONE)], spread=True)


def _over(m: Machine, site: Call, receiver: Value, columns: list[list[Value] | Many | None], spread: bool) -> Value:
    """Run a function over the rows of its columns; over alike items once."""
    process, func = _is_process(m, receiver), site.arg(0) or NONE
    known = [c for c in columns if isinstance(c, list)]
    if len(known) == len(columns) and known and len(known[0]) <= MAX_JOBS:
        rows = [list(r) for r in zip(*known, strict=False)]
        if spread:
            rows = [containers.items_of(m, r[0]) or [] for r in rows]
        return m.new_list([apart(m, site.node, func, row, {}, process) for row in rows])
    row = [c.element if isinstance(c, Many) else m.unknown(site.node, "an item a pool runs over") for c in columns]
    if not spread:
        apart(m, site.node, func, row, {}, process)
    return m.unknown(site.node, "what a pool gives")


@method(POOL, "__enter__")
def _enter(m: Machine, site: Call, receiver: Value) -> Value:
    return receiver


@method(POOL, "shutdown", "close", "join", "terminate")
def _shutdown(m: Machine, site: Call, receiver: Value) -> Value:
    return NONE


def future(m: Machine, result: Value) -> Value:
    made = opaque(m, FUTURE)
    m.store.write(made.ident, "#result", result)
    return made


@method(FUTURE, "result", "get")
def _result(m: Machine, site: Call, receiver: Value) -> Value:
    return slot(m, receiver, "#result") if isinstance(receiver, Obj) else NONE


@method(FUTURE, "done", "cancel", "exception", "add_done_callback", "wait")
def _state(m: Machine, site: Call, receiver: Value) -> Value:
    return m.unknown(site.node, "the state of a future")


@function("concurrent.futures.as_completed")
def _as_completed(m: Machine, site: Call) -> Value:
    given = site.arg(0, "fs") or NONE
    items = several(m, given)
    return m.unknown(site.node, "futures in the order they end") if items is None else m.new_list(items)


# ---------------------------------------------------------------- tasks: a coroutine was run where it was called


@function("asyncio.run", "asyncio.create_task", "asyncio.ensure_future", "asyncio.wait_for", "asyncio.shield")
def _await(m: Machine, site: Call) -> Value:
    return site.arg(0) or NONE


@function("asyncio.gather")
def _gather(m: Machine, site: Call) -> Value:
    return m.unknown(site.node, "the results of unknown tasks") if site.open else m.new_list(site.args)


@function("asyncio.to_thread")
def _to_thread(m: Machine, site: Call) -> Value:
    if not site.args:
        return m.unknown(site.node, "what a thread runs is not known")
    return apart(m, site.node, site.args[0], site.args[1:], site.kwargs, process=False)


@function("asyncio.sleep", "time.sleep")
def _sleep(m: Machine, site: Call) -> Value:
    return NONE
