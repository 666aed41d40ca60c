"""Context managers that expect or swallow exceptions, patches that are taken back, and helpers of tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aoti_lint.interp import access, calls, containers, contexts, imports
from aoti_lint.interp.contexts import context
from aoti_lint.interp.machine import ANY_VARIABLE, Guard
from aoti_lint.interp.models import environment, folders
from aoti_lint.interp.models.registry import METHODS, Call, function, method
from aoti_lint.interp.models.tools import leave, opaque, raising_aside, slot
from aoti_lint.interp.store import Cell
from aoti_lint.interp.values import (
    ABSENT,
    FALSE,
    NONE,
    TRUE,
    Class,
    Const,
    Func,
    Namespace,
    Obj,
    Pairs,
    Partial,
    Ref,
    Tup,
    Unknown,
    Value,
    leaves,
)

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine
    from aoti_lint.ir import nodes

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
    m.guards.append(Guard(exception_names(m, types), expected=True))
    try:
        with raising_aside(m):
            calls.call(m, Call(site.node, args, {k: v for k, v in site.kwargs.items() if k != "match"}), func)
    finally:
        m.guards.pop()
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
    contexts.guarded(m, _names_of(m, manager), True, body, m.unknown(node, "the exception that was expected"))
    return True


@function(SUPPRESS)
def _suppress(m: Machine, site: Call) -> Value:
    return _manager(m, SUPPRESS, [Unknown("?", "")] if site.open else site.args)


@context(SUPPRESS)
def _in_suppress(m: Machine, node: nodes.Node, manager: Obj, body: Body) -> bool:
    contexts.guarded(m, _names_of(m, manager), False, body, NONE)
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
    folders.note_any(m)
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
    guards = len(m.guards)
    m.store.write(manager.ident, "#entered", TRUE)
    try:
        body(manager)
    finally:
        swallows = len(m.guards) > guards
        del m.guards[guards:]
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
    arms = [held for _, held in leaves(slot(m, manager, "#before", Before(())), m.path)]
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
    guards, depth = len(m.guards), len(m.store.layers)
    added: list[Guard] = []

    def body(given: Value) -> None:
        entered.append(given)
        added.extend(m.guards[guards:])
        for layer in m.store.layers[depth:]:
            changes.update(layer)

    m.store.push()
    try:
        with raising_aside(m):
            contexts.enter(m, site.node, value, body)
    finally:
        m.store.pop()
    before = tuple((cell, m.store.read(*cell) or ABSENT) for cell in changes)
    for (owner, name), new in changes.items():
        m.store.write(owner, name, new)
    if isinstance(receiver, Obj):
        held = slot(m, receiver, "#before", Before(()))
        m.store.write(receiver.ident, "#before", Before((*before, *(held.cells if isinstance(held, Before) else ()))))
        if slot(m, receiver, "#entered") == TRUE:
            m.guards.extend(added)
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


# ---------------------------------------------------------------- patches

PATCH = "unittest.mock.patch()"


def _patch(m: Machine, kind: str, owner: Value, values: Value) -> Obj:
    made = opaque(m, PATCH)
    m.store.write(made.ident, "#kind", Const(kind))
    m.store.write(made.ident, "#owner", owner)
    m.store.write(made.ident, "#values", values)
    return made


@function("unittest.mock.patch.dict")
def _patch_dict(m: Machine, site: Call) -> Value:
    owner = m.see(site.arg(0, "in_dict") or NONE)
    if owner == Const("os.environ"):
        owner = environment.ENVIRON
    named = [(Const(k), v) for k, v in site.kwargs.items() if k not in ("in_dict", "values", "clear")]
    given = containers.dict_pairs(m, site.arg(1, "values") or containers.new_dict(m, []))
    pairs = None if given is None or site.open else [*given, *named]
    lost = Unknown(f"u{m.fresh()}", "the entries of a patch")
    return _patch(m, "dict", owner, lost if pairs is None else Pairs(tuple(pairs)))


@function("unittest.mock.patch.object")
def _patch_object(m: Machine, site: Call) -> Value:
    name = m.see(site.arg(1, "attribute") or NONE)
    return _patch(m, "object", site.arg(0, "target") or NONE, Pairs(((name, _replacement(m, site, 2)),)))


@function("unittest.mock.patch")
def _patch_name(m: Machine, site: Call) -> Value:
    """`patch("module.name")`, by the name under which those who call it know it."""
    target = m.see(site.arg(0, "target") or NONE)
    dotted, _, name = str(target.value if isinstance(target, Const) else "").rpartition(".")
    if not dotted:
        return _patch(m, "name", NONE, Pairs(()))
    from aoti_lint.interp.models.patching import named

    return _patch(m, "object", named(m, site, dotted), Pairs(((Const(name), _replacement(m, site, 1)),)))


RETURNS = "unittest.mock.Mock(return_value=...)"


def _replacement(m: Machine, site: Call, index: int) -> Value:
    """What a patch puts in place: what it is given, a function that always returns one thing, or a mock."""
    new, returned = site.arg(index, "new"), site.kwargs.get("return_value")
    if new is not None:
        return new
    return m.unknown(site.node, "a mock") if returned is None else Partial(Ref(RETURNS), (returned,), ())


@function(RETURNS)
def _returns(m: Machine, site: Call) -> Value:
    return site.args[0]


@context(PATCH)
def _in_patch(m: Machine, node: nodes.Node, manager: Obj, body: Body) -> None:
    kind, owner, values = (slot(m, manager, name) for name in ("#kind", "#owner", "#values"))
    pairs = values.pairs if isinstance(values, Pairs) else None
    if owner == environment.ENVIRON:
        names = [str(k.value) for k, _ in pairs or () if isinstance(k, Const)] + [ANY_VARIABLE]
        with _kept(m, [(environment.TABLE, n) for n in names]):
            environment.update(m, node, None if pairs is None else list(pairs))
            body(owner)
    elif kind == Const("dict") and isinstance(owner, Obj):
        with _kept(m, [(owner.ident, "#items")]):
            for key, value in pairs or ():
                access.set_item(m, node, owner, key, value)
            if pairs is None:
                containers.set_pairs(m, owner, None)
            body(owner)
    elif kind == Const("object") and isinstance(owner, Obj | Class | Namespace | Ref) and pairs:
        (name, new), *_ = pairs
        shown = str(name.value) if isinstance(name, Const) else ""
        with _kept(m, [_cell(owner, shown)]):
            access.set_attr(m, node, owner, shown, new)
            body(new)
    else:
        body(m.unknown(node, "a mock"))


def _cell(owner: Obj | Class | Namespace | Ref, name: str) -> Cell:
    """Where an attribute is kept."""
    return ("external", f"{owner.name}.{name}") if isinstance(owner, Ref) else (owner.ident, name)


@contextmanager
def _kept(m: Machine, cells: list[Cell]) -> Iterator[None]:
    """What the cells hold now they hold again afterwards."""
    before = [(cell, m.store.read(*cell)) for cell in cells]
    yield
    for (owner, name), value in before:
        if value is not None or m.store.read(owner, name) is not None:
            m.store.write(owner, name, ABSENT if value is None else value)


@method(PATCH, "__call__")
def _patched(m: Machine, site: Call, receiver: Value) -> Value:
    """As a decorator: the function runs inside the patch when it is called."""
    func = m.see(site.arg(0) or NONE)
    if isinstance(func, Func):
        held = m.store.read(func.ident, calls.PATCHES)
        m.store.write(func.ident, calls.PATCHES, Tup((receiver, *(held.items if isinstance(held, Tup) else ()))))
    return func


@method(PATCH, "start")
def _start(m: Machine, site: Call, receiver: Value) -> Value:
    made = m.unknown(site.node, "a mock")
    if not isinstance(receiver, Obj):
        return made
    owner, values = slot(m, receiver, "#owner"), slot(m, receiver, "#values")
    pairs = values.pairs if isinstance(values, Pairs) else ()
    if owner == environment.ENVIRON:
        environment.update(m, site.node, list(pairs) if isinstance(values, Pairs) else None)
    elif slot(m, receiver, "#kind") == Const("object") and isinstance(owner, Obj | Class | Namespace | Ref) and pairs:
        (name, new), *_ = pairs
        shown = str(name.value) if isinstance(name, Const) else ""
        cell = _cell(owner, shown)
        m.store.write(receiver.ident, "#before", Before(((cell, m.store.read(*cell) or ABSENT),)))
        access.set_attr(m, site.node, owner, shown, new)
        return new
    return made


@method(PATCH, "stop")
def _stop(m: Machine, site: Call, receiver: Value) -> Value:
    values = slot(m, receiver, "#values") if isinstance(receiver, Obj) else NONE
    for key, _ in values.pairs if isinstance(values, Pairs) else ():
        if isinstance(key, Const) and isinstance(receiver, Obj) and slot(m, receiver, "#owner") == environment.ENVIRON:
            m.store.write(environment.TABLE, str(key.value), ABSENT)
    if isinstance(receiver, Obj):
        take_back(m, receiver)
    return NONE


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
