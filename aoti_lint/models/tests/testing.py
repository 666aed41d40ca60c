"""Context managers that expect or swallow exceptions, what is taken back, and helpers of tests."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.ir import nodes
from aoti_lint.language import calls, imports
from aoti_lint.language.data import containers
from aoti_lint.language.effects import made_folders
from aoti_lint.language.flow import with_statements
from aoti_lint.language.flow.with_statements import context
from aoti_lint.language.tools import leave, opaque, raising_aside, slot
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import METHODS, function, method
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.frames import Guard
from aoti_lint.values.store import Cell
from aoti_lint.values.values import ABSENT, FALSE, NONE, TRUE, Class, Const, Obj, Partial, Ref, Tup, Unknown, Value

Body = Callable[[Value], None]

# ---------------------------------------------------------------- expected and swallowed exceptions

RAISES = "pytest.raises"
SUPPRESS = "contextlib.suppress"
PASSES = "contextlib.nullcontext"


def exception_names(m: Machine, values: list[Value]) -> frozenset[str]:
    """The names of exception types; of those we cannot tell, the base of all."""
    found: set[str] = set()
    for value in values:
        value = m.see(value)
        items = containers.items_of(m, value)
        if items is not None:
            found |= exception_names(m, items)
        elif isinstance(value, Ref):
            found.add(value.name.rsplit(".", 1)[-1])
        elif isinstance(value, Class):
            found.add(value.name)
        else:
            found.add("BaseException")
    return frozenset(found)


def _names_of(m: Machine, manager: Obj) -> frozenset[str]:
    held = slot(m, manager, "#types", Tup(()))
    return frozenset(str(i.value) for i in held.items if isinstance(i, Const)) if isinstance(held, Tup) else frozenset()


def _manager(m: Machine, cls: str, types: list[Value]) -> Obj:
    made = opaque(m, cls)
    names = exception_names(m, types or [Unknown("?", "")])
    m.store.write(made.ident, "#types", Tup(tuple(Const(n) for n in sorted(names))))
    return made


def _expecting(m: Machine, site: Call, types: list[Value], func: Value | None, args: list[Value]) -> Value:
    """A context manager that expects an exception, or at once a call of `func` that does."""
    if func is None:
        return _manager(m, RAISES, types)
    m.root.guards.append(Guard(exception_names(m, types), expected=True))
    try:
        with raising_aside(m):
            calls.call(m, Call(site.node, args, {k: v for k, v in site.kwargs.items() if k != "match"}), func)
    finally:
        m.root.guards.pop()
    return m.unknown(site.node, "the exception that was expected")


@function("pytest.raises", "pytest.RaisesGroup", "pytest.RaisesExc")
def _raises(m: Machine, site: Call) -> Value:
    expected = site.arg(0, "expected_exception")
    func = site.args[1] if len(site.args) > 1 else site.kwargs.get("func")
    return _expecting(m, site, [] if expected is None else [expected], func, site.args[2:])


def _assert_raises(m: Machine, site: Call, receiver: Value) -> Value:
    expected = site.arg(0, "exception")
    func = site.args[1] if len(site.args) > 1 else site.kwargs.get("callable")
    return _expecting(m, site, [] if expected is None else [expected], func, site.args[2:])


def _assert_raises_regex(m: Machine, site: Call, receiver: Value) -> Value:
    expected = site.arg(0, "exception")
    func = site.args[2] if len(site.args) > 2 else site.kwargs.get("callable")
    return _expecting(m, site, [] if expected is None else [expected], func, site.args[3:])


@context(RAISES)
def _in_raises(m: Machine, node: nodes.Node, manager: Obj, body: Body) -> bool:
    with_statements.guarded(m, _names_of(m, manager), True, body, m.unknown(node, "the exception that was expected"))
    return True


@function(SUPPRESS)
def _suppress(m: Machine, site: Call) -> Value:
    return _manager(m, SUPPRESS, [Unknown("?", "")] if site.open else site.args)


@context(SUPPRESS)
def _in_suppress(m: Machine, node: nodes.Node, manager: Obj, body: Body) -> bool:
    with_statements.guarded(m, _names_of(m, manager), False, body, NONE)
    return True


@function("contextlib.nullcontext")
def _null(m: Machine, site: Call) -> Value:
    made = opaque(m, PASSES)
    m.store.write(made.ident, "#value", site.arg(0, "enter_result", NONE) or NONE)
    return made


@function(
    "pytest.warns", "pytest.deprecated_call", "warnings.catch_warnings", "contextlib.redirect_stdout",
    "contextlib.redirect_stderr", "unittest.mock.patch.multiple",
)  # fmt: skip
def _harmless(m: Machine, site: Call) -> Value:
    return _null(m, Call(site.node, [m.unknown(site.node, "what a context manager gives")]))


@function("contextlib.chdir")
def _in_folder(m: Machine, site: Call) -> Value:
    made_folders.note_any(m)
    return _harmless(m, site)


@context(PASSES)
def _in_null(m: Machine, node: nodes.Node, manager: Obj, body: Body) -> None:
    body(slot(m, manager, "#value"))


# ---------------------------------------------------------------- several managers in one

STACK = "contextlib.ExitStack"


@dataclass(frozen=True, slots=True)
class Before(Value):
    """What cells held before something changed them."""

    cells: tuple[tuple[Cell, Value], ...]


@function("contextlib.ExitStack", "contextlib.AsyncExitStack")
def _exit_stack(m: Machine, site: Call) -> Value:
    return opaque(m, STACK)


@context(STACK)
def _in_stack(m: Machine, node: nodes.Node, manager: Obj, body: Body) -> bool:
    """Managers entered on the stack hold to its end: their guards are taken off, what they changed is taken back."""
    guards = len(m.root.guards)
    m.store.write(manager.ident, "#entered", TRUE)
    try:
        body(manager)
    finally:
        swallows = len(m.root.guards) > guards
        del m.root.guards[guards:]
        m.store.write(manager.ident, "#entered", FALSE)
    take_back(m, manager)
    call_back(m, node, manager)
    return swallows


def call_back(m: Machine, node: nodes.Node, stack: Obj) -> None:
    """Call what was put on a stack, the last first."""
    held = slot(m, stack, "#callbacks", Tup(()))
    m.store.write(stack.ident, "#callbacks", Tup(()))
    for callback in reversed(held.items) if isinstance(held, Tup) else ():
        calls.call(m, Call(node, []), callback)


def take_back(m: Machine, manager: Obj) -> None:
    arms = [held for _, held in leaves(slot(m, manager, "#before", Before(())), m.root.path)]
    for held in arms:
        for (owner, name), before in held.cells if isinstance(held, Before) else ():
            sure = len(arms) == 1
            m.store.write(owner, name, before if sure else Unknown(f"u{m.fresh()}", "a patch that some paths made"))


@method(STACK, "close", "aclose", "__exit__")
def _close_stack(m: Machine, site: Call, receiver: Value) -> Value:
    """Leave what was entered: what it changed is taken back."""
    if isinstance(receiver, Obj):
        take_back(m, receiver)
        call_back(m, site.node, receiver)
    m.store.write("torch", "default_device", Unknown(f"u{m.fresh()}", "a stack of context managers was closed"))
    return NONE


@method(STACK, "enter_context", "enter_async_context")
def _enter_context(m: Machine, site: Call, receiver: Value) -> Value:
    """Enter a manager and stay in it: what it does until its body runs is kept, what it does afterwards is not."""
    value = m.see(site.arg(0, "cm") or NONE)
    entered: list[Value] = []
    changes: dict[Cell, Value] = {}
    guards, depth = len(m.root.guards), len(m.store.layers)
    added: list[Guard] = []

    def body(given: Value) -> None:
        entered.append(given)
        added.extend(m.root.guards[guards:])
        for layer in m.store.layers[depth:]:
            changes.update(layer)

    m.store.push()
    try:
        with raising_aside(m):
            with_statements.enter(m, site.node, value, body)
    finally:
        m.store.pop()
    before = tuple((cell, m.store.read(*cell) or ABSENT) for cell in changes)
    for (owner, name), new in changes.items():
        m.store.write(owner, name, new)
    if isinstance(receiver, Obj):
        held = slot(m, receiver, "#before", Before(()))
        m.store.write(receiver.ident, "#before", Before((*before, *(held.cells if isinstance(held, Before) else ()))))
        if slot(m, receiver, "#entered") == TRUE:
            m.root.guards.extend(added)
    return entered[0] if entered else m.unknown(site.node, "what a context manager gives")


@method(STACK, "callback")
def _callback(m: Machine, site: Call, receiver: Value) -> Value:
    held = slot(m, receiver, "#callbacks", Tup(())) if isinstance(receiver, Obj) else NONE
    if isinstance(receiver, Obj) and site.args:
        known = held.items if isinstance(held, Tup) else ()
        later = Partial(site.args[0], tuple(site.args[1:]), tuple(site.kwargs.items()))
        m.store.write(receiver.ident, "#callbacks", Tup((*known, later)))
    return site.arg(0) or NONE


@method(STACK, "push", "pop_all", "push_async_callback")
def _on_stack(m: Machine, site: Call, receiver: Value) -> Value:
    return m.unknown(site.node, "a callback at the end of a block")


# ---------------------------------------------------------------- helpers of tests


@function("pytest.importorskip")
def _import_or_skip(m: Machine, site: Call) -> Value:
    name = m.see(site.arg(0, "modname") or NONE)
    if isinstance(name, Const) and isinstance(name.value, str):
        return imports.import_module(m, site.node, name.value)
    return m.unknown(site.node, "a module of an unknown name")


@function("pytest.skip", "pytest.fail", "pytest.exit", "pytest.xfail")
def _leave(m: Machine, site: Call) -> Value:
    return leave(m, "Skipped")


def _leave_test(m: Machine, site: Call, receiver: Value) -> Value:
    return leave(m, "SkipTest")


def _sub_test(m: Machine, site: Call, receiver: Value) -> Value:
    return opaque(m, PASSES)


def _check(m: Machine, site: Call, receiver: Value) -> Value:
    return NONE


CHECKS = (
    "assertEqual", "assertNotEqual", "assertTrue", "assertFalse", "assertIs", "assertIsNot", "assertIsNone",
    "assertIsNotNone", "assertIn", "assertNotIn", "assertIsInstance", "assertNotIsInstance", "assertAlmostEqual",
    "assertNotAlmostEqual", "assertGreater", "assertGreaterEqual", "assertLess", "assertLessEqual", "assertRegex",
    "assertCountEqual", "assertListEqual", "assertDictEqual", "assertTupleEqual", "assertSetEqual",
)  # fmt: skip

# What `self` is in a test may not be known: the names say enough.
for _tag in ("instance", "Unknown"):
    METHODS[_tag, "assertRaises"] = _assert_raises
    METHODS[_tag, "assertRaisesRegex"] = _assert_raises_regex
    METHODS[_tag, "skipTest"] = _leave_test
    for _name in ("subTest", "assertWarns", "assertWarnsRegex", "assertLogs", "assertNoLogs"):
        METHODS[_tag, _name] = _sub_test
    for _name in CHECKS:
        METHODS[_tag, _name] = _check
