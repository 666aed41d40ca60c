"""Whatever a nested run does to the state, it is gone afterwards; a new part of the state cannot be forgotten."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.machine import state
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.state import Budget, Demand, Root
from aoti_lint.torch_api.versions import SUPPORTED
from aoti_lint.values.values import Const, NodePlace
from tests.snippets import Files

PACKAGE = Path(state.__file__).parents[1]
CHANGED: dict[type, Callable[[Any], object]] = {
    list: lambda held: held.append("changed"),
    dict: lambda held: held.update(changed="changed"),
    set: lambda held: held.add("changed"),
}


ASSUMED = ("path", "closed")
"""What is assumed: bound anew, never changed in place (see the last test), so a nested run may share it."""


def machine() -> Machine:
    return Machine(Files({}), SUPPORTED)  # type: ignore[arg-type]  # a project in memory


def spoil(root: Root) -> None:
    """Change every part in place, as far as it can be, and bind it to something else."""
    for one in fields(root):
        held = getattr(root, one.name)
        if type(held) in CHANGED and one.name not in ASSUMED:
            CHANGED[type(held)](held)
        setattr(root, one.name, f"spoilt {one.name}")


def shown(owner: Root) -> dict[str, str]:
    return {one.name: repr(getattr(owner, one.name)) for one in fields(owner)}


def nested(m: Machine) -> Iterator[tuple[Root, Demand | None]]:
    yield Root("other", Budget(5)), m.demand.tried()
    yield m.root.within(budget=Budget(5)), m.demand.tried()
    yield m.root.within(budget=Budget(5), trace=state.Trace(), muted=1), m.demand.tried()


@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("fails", [False, True])
def test_a_nested_run_leaves_nothing(kind: int, fails: bool) -> None:
    m = machine()
    m.root.path["known"] = True  # type: ignore[index]
    m.root.guards.append("handler")  # type: ignore[arg-type]
    m.store.write("owner", "slot", Const("before"))
    root, demand, layers = m.root, m.demand, m.store.layers
    before = shown(root), len(layers)
    other, tried = list(nested(m))[kind]
    assert tried is not None
    with pytest.raises(RuntimeError) if fails else pytest.MonkeyPatch.context(), m.running(other, tried):
        m.store.push()
        m.store.write("owner", "slot", Const("inside"))
        tried.called.add(NodePlace("a.py", 1))
        tried.cut.add("a.py")
        spoil(m.root)
        if fails:
            raise RuntimeError
    assert (m.root, m.demand, m.store.layers) == (root, demand, layers)
    assert (shown(m.root), len(m.store.layers)) == before
    assert m.store.read("owner", "slot") == Const("before")
    assert not demand.called
    assert not demand.cut


def test_what_a_nested_run_made_takes_no_room_afterwards() -> None:
    m = machine()
    with m.running(Root("a.py::f", Budget(5))) as changed:
        kept, lost = m.new_list([Const(1)]), m.new_list([Const(2)])
        m.store.write(kept.ident, "added", Const(3))
        m.store.write("table", "slot", Const(4))
        m.keep({(kept.ident, "#items"): changed[kept.ident, "#items"]})
    owners = set().union(*m.store._slots)
    assert owners & {kept.ident, lost.ident, "table"} == {kept.ident, "table"}
    assert [slot for slot, _ in m.store.slots(kept.ident)] == ["#items"]


@pytest.mark.parametrize("part", fields(Root), ids=lambda one: one.name)
def test_what_a_nested_run_may_change_in_place_is_its_own(part: Field[Any]) -> None:
    """A list of `within()` that is not copied would be the leak that eight lists of attributes once were."""
    root = Root("a.py", Budget(5))
    held, inner = getattr(root, part.name), getattr(root.within(), part.name)
    if isinstance(held, list | set | dict) and part.name not in ASSUMED:
        assert inner == held
        assert inner is not held


def test_only_the_machine_chooses_what_runs() -> None:
    """Nobody else binds a root or a demand, so nobody can forget to take one back."""
    found = []
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            targets = node.targets if isinstance(node, ast.Assign) else []
            for one in [inner for target in targets for inner in ast.walk(target)]:
                if isinstance(one, ast.Attribute) and one.attr in ("root", "demand") and isinstance(one.ctx, ast.Store):
                    owner = ast.unparse(one.value)
                    if owner in ("m", "self.m", "self._m") or (path.name == "machine.py" and owner == "self"):
                        found.append(path.relative_to(PACKAGE).as_posix())
    assert set(found) == {"machine/machine.py"}


def test_nothing_is_assumed_in_place() -> None:
    """`root.path` is bound anew: what was assumed where a value was made must not change under it."""
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "root.path[" not in text, path
        assert "root.path.update(" not in text, path
        assert "root.closed[" not in text, path
        assert "root.closed.update(" not in text, path
