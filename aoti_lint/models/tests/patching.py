"""What pytest hands to tests itself: `monkeypatch`, `request`, temporary folders."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.ir import nodes
from aoti_lint.language import access, calls, imports
from aoti_lint.language.data import subscripts
from aoti_lint.language.flow.with_statements import context
from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.machine import ANY_VARIABLE, Machine
from aoti_lint.machine.tables import Model, attribute, function, method
from aoti_lint.models.process import process
from aoti_lint.models.process.files import fresh_folder
from aoti_lint.models.tests.testing import Before, take_back
from aoti_lint.values.call import Call
from aoti_lint.values.store import Cell
from aoti_lint.values.values import ABSENT, NONE, Bound, Class, Const, Namespace, Obj, PathValue, Ref, Value

MONKEY = "pytest.MonkeyPatch()"
FACTORY = "pytest.TempPathFactory()"


@function("pytest.MonkeyPatch", "pytest.MonkeyPatch.context", "_pytest.monkeypatch.MonkeyPatch")
def monkeypatch(m: Machine, site: Call) -> Value:
    return opaque(m, MONKEY)


@context(MONKEY)
def _in_monkeypatch(m: Machine, node: nodes.Node, manager: Obj, body: Callable[[Value], None]) -> None:
    body(manager)
    take_back(m, manager)


@method(MONKEY, "context")
def _context(m: Machine, site: Call, receiver: Value) -> Value:
    return opaque(m, MONKEY)


@method(MONKEY, "undo")
def _undo(m: Machine, site: Call, receiver: Value) -> Value:
    if isinstance(receiver, Obj):
        take_back(m, receiver)
        m.store.write(receiver.ident, "#before", Before(()))
    return NONE


def _remember(m: Machine, patch: Value, cell: Cell) -> None:
    """What a cell held before the first change through `patch`."""
    held = slot(m, patch, "#before", Before(())) if isinstance(patch, Obj) else NONE
    if isinstance(patch, Obj) and isinstance(held, Before) and all(known != cell for known, _ in held.cells):
        old = m.store.read(*cell) or ABSENT
        m.store.write(patch.ident, "#before", Before(((cell, old), *held.cells)))


def _variable(m: Machine, node: nodes.Node, patch: Value, name: Value, value: Value) -> None:
    known = m.see(name)
    _remember(m, patch, (process.TABLE, str(known.value) if isinstance(known, Const) else ANY_VARIABLE))
    process.update(m, node, [(known, value)])


@method(MONKEY, "setenv")
def _setenv(m: Machine, site: Call, receiver: Value) -> Value:
    value = site.arg(1, "value") or NONE
    joined = m.see(site.arg(2, "prepend") or NONE) != NONE
    value = m.unknown(site.node, "a variable put in front of another") if joined else value
    _variable(m, site.node, receiver, site.arg(0, "name") or NONE, value)
    return NONE


@method(MONKEY, "delenv")
def _delenv(m: Machine, site: Call, receiver: Value) -> Value:
    _variable(m, site.node, receiver, site.arg(0, "name") or NONE, NONE)
    return NONE


@method(MONKEY, "setattr")
def _setattr(m: Machine, site: Call, receiver: Value) -> Value:
    """`setattr(owner, name, value)`, or `setattr("module.name", value)`."""
    first, second = m.see(site.arg(0, "target") or NONE), m.see(site.arg(1, "name") or NONE)
    value = site.arg(2, "value")
    if isinstance(first, Const) and isinstance(first.value, str):
        dotted, _, name = first.value.rpartition(".")
        _patch(m, site, receiver, named(m, site, dotted), name, site.arg(1, "name") or NONE)
    elif isinstance(second, Const) and isinstance(second.value, str) and value is not None:
        _patch(m, site, receiver, first, second.value, value)
    else:
        m.forget(first, "a test patches it")
    return NONE


@method(MONKEY, "delattr")
def _delattr(m: Machine, site: Call, receiver: Value) -> Value:
    owner, name = m.see(site.arg(0, "target") or NONE), m.see(site.arg(1, "name") or NONE)
    if isinstance(name, Const) and isinstance(name.value, str):
        _patch(m, site, receiver, owner, name.value, m.unknown(site.node, "an attribute that a test takes away"))
    return NONE


def named(m: Machine, site: Call, dotted: str) -> Value:
    """What a dotted name means: a module, or something in one."""
    parts = dotted.split(".")
    for end in range(len(parts), 0, -1):
        path = imports.find(m, ".".join(parts[:end]), 0)
        owner: Value | None = imports.run_module(m, path) if path is not None else None
        if owner is not None:
            for part in parts[end:]:
                owner = access.get_attr(m, site.node, owner, part)
            return m.see(owner)
    return Ref(dotted)


def _patch(m: Machine, site: Call, patch: Value, owner: Value, name: str, new: Value) -> None:
    if isinstance(owner, Ref):
        _remember(m, patch, ("external", f"{owner.name}.{name}"))
    elif isinstance(owner, Obj | Class | Namespace):
        _remember(m, patch, (owner.ident, name))
    access.set_attr(m, site.node, owner, name, new)


@method(MONKEY, "setitem", "delitem")
def _setitem(m: Machine, site: Call, receiver: Value) -> Value:
    owner, key, value = m.see(site.arg(0, "dic") or NONE), site.arg(1, "name") or NONE, site.arg(2, "value")
    if owner == process.ENVIRON:
        _variable(m, site.node, receiver, key, NONE if value is None else value)
    elif isinstance(owner, Obj):
        _remember(m, receiver, (owner.ident, "#items"))
        if value is None:
            subscripts.delete_item(m, site.node, owner, key)
        else:
            subscripts.set_item(m, site.node, owner, key, value)
    return NONE


@method(MONKEY, "chdir")
def _chdir(m: Machine, site: Call, receiver: Value) -> Value:
    return calls.call(m, site, Ref("os.chdir"))


@method(MONKEY, "syspath_prepend")
def _syspath(m: Machine, site: Call, receiver: Value) -> Value:
    return NONE


# ---------------------------------------------------------------- folders


def folder(m: Machine) -> Value:
    return PathValue(fresh_folder(m))


@method(FACTORY, "mktemp", "getbasetemp")
def _mktemp(m: Machine, site: Call, receiver: Value) -> Value:
    return folder(m)


# ---------------------------------------------------------------- pytest-mock

MOCKER = "pytest_mock.MockerFixture()"


@attribute(MOCKER, "patch")
def _mocker_patch(m: Machine, node: nodes.Node, receiver: Value) -> Value:
    return Ref("pytest_mock.patch")


def _started(name: str) -> Model:
    """The patch of `unittest.mock` of that name, from here to the end of the test."""

    def start(m: Machine, site: Call) -> Value:
        return calls.call(m, Call(site.node, []), Bound(calls.call(m, site, Ref(name)), "start"))

    return start


for _kind in ("patch", "patch.object", "patch.dict"):
    function(f"pytest_mock.{_kind}")(_started(f"unittest.mock.{_kind}"))


BUILT_IN: dict[str, Callable[[Machine], Value]] = {
    "tmp_path": folder, "tmpdir": folder,
    "tmp_path_factory": lambda m: opaque(m, FACTORY), "tmpdir_factory": lambda m: opaque(m, FACTORY),
    "monkeypatch": lambda m: opaque(m, MONKEY),
    "mocker": lambda m: opaque(m, MOCKER),
}  # fmt: skip
"""Fixtures of pytest itself, and of pytest-mock."""
