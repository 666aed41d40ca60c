"""What code that runs first leaves behind for functions that nobody calls: a start-up sets the model handlers use.

Each root runs on a layer of its own. What one of them binds in a module, or puts into an object of a module, is there
when a framework calls the next; which of them ran before is not known, unless there was nothing before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from aoti_lint.ir import nodes
from aoti_lint.language import access
from aoti_lint.machine.changes import change
from aoti_lint.machine.machine import Machine, is_newer
from aoti_lint.values.choices import choose
from aoti_lint.values.conditions import Cond
from aoti_lint.values.identity import ident
from aoti_lint.values.store import Cell
from aoti_lint.values.torch_values import Device
from aoti_lint.values.values import ABSENT, NONE, Class, Const, Namespace, NodePlace, Obj, Pairs, Tup, Unknown, Value

ITEMS = "#items"
EMPTY = (None, NONE, ABSENT, Tup(()), Pairs(()))
# `self.name = …`, `self.name: int = …`, `self.name += …`, `self.name, other = …`, `(self.name, other) = …`.
_SETTING = (
    rb"(?<![\w.])%s\.(\w+)(?=\s*"
    rb"(?::[^=\r\n]{1,400}|,[^=\r\n()]{0,400}|(?:,[^=()]{0,400})?\)\s*|[-+*/%%@&|^<>]{1,2})?=(?!=))"
)
_ANY = rb"\b(?:setattr|vars)\(\s*%s\b|__dict__\b"
ANY = "*"
"""Stands for attributes whose names are worked out."""
HOLDERS = ("dict", "instance", "object")


def note_root(m: Machine, path: str, before: int, changes: Mapping[Cell, Value]) -> None:
    """Keep what a function of `path`, run as a root, left; `before` is the last identity that was given before it."""
    module = m.modules.namespaces.get(path)
    lasting = set() if module is None else _lasting(m, module, before)
    for cell, value in changes.items():
        if cell in lasting:
            leave(m, cell, value)
    _keep_made(m, before, changes)


def leave(m: Machine, cell: Cell, value: Value) -> None:
    """A root leaves this in a cell of a module, or of what its names stand for; of a class: in its instances."""
    owner = cell[0].ident if isinstance(cell[0], Class) else cell[0]
    assert isinstance(owner, int)
    m.do(_leave, cell, value)
    m.leaves("left", owner, (cell, value))


@change()
def _leave(m: Machine, cell: Cell, value: Value) -> None:
    m.modules.left.setdefault(cell, []).append(value)


def note_instance(m: Machine, receiver: Obj, changes: Mapping[Cell, Value]) -> None:
    """Keep what a method, run as a root, left in its instance, for the other methods."""
    if isinstance(receiver.cls, Class):
        for (owner, slot), value in changes.items():
            if owner == receiver.ident and _told(slot):
                leave(m, (receiver.cls, slot), value)


def restore_instance(m: Machine, new: Obj) -> None:
    """Put what other methods left in instances of its class into a new one."""
    if isinstance(new.cls, Class):
        m.asks("left", new.cls.ident)
    for (owner, slot), values in list(m.modules.left.items()):
        if owner == new.cls:
            _put(m, (new.ident, slot), values)


def doubt_instance(m: Machine, new: Obj, method: str) -> None:
    """What other methods set, somebody may have set before `method` is called.

    So may what is empty to begin with; what stands there otherwise, only where nobody calls the method here.
    """
    for cls in access.ancestors(m, new.cls) if isinstance(new.cls, Class) else ():
        if not isinstance(cls, Class):
            continue
        m.asks("demand", cls.module.path)
        for setter, slot in _settings(m, cls):
            if setter.name in ("__init__", method):
                continue
            called = NodePlace(cls.module.path, setter.start) in m.demand.called
            for name in [slot] if slot != ANY else _empty(m, new):
                _doubt(m, new, name, f"{cls.qualname}.{setter.name}", called)


def _empty(m: Machine, new: Obj) -> list[str]:
    """The attributes of an instance that are there to be set."""
    return [name for name, value in m.store.slots(new.ident) if name[:1] != "#" and value in EMPTY]


class Settings(dict[NodePlace, "list[tuple[nodes.FunctionDef, str]]"]):
    """By the place of a class: its methods with the attributes each sets."""


def _settings(m: Machine, cls: Class) -> list[tuple[nodes.FunctionDef, str]]:
    """The methods of a class with the attributes each sets, looked for in the text once: few bodies are lowered."""
    place, start = cls.place, cls.node.start
    known = m.world.of(Settings).get(place)
    if known is None:
        known = m.world.of(Settings)[place] = []
        text = m.text_of(cls.code)
        for one in cls.node.body:
            if isinstance(one, nodes.FunctionDef) and one.params:
                setting = _SETTING % re.escape(one.params[0].name.encode())
                written = text[one.start - start : one.end - start]
                known += [(one, found[1].decode()) for found in re.finditer(setting, written)]
                if re.search(_ANY % re.escape(one.params[0].name.encode()), written):
                    known.append((one, ANY))
    return known


def _doubt(m: Machine, new: Obj, slot: str, setter: str, called: bool) -> None:
    """A method may have set an attribute; where it is `called`, it was seen to set that in instances as they are."""
    value = m.store.read(new.ident, slot)
    if value is None and isinstance(new.cls, Class):
        # What only the class has may be hidden by now.
        member = access.class_member(m, new.cls, slot)
        value = NONE if member is not None and member[0] == NONE else None
    if value is None or value == ABSENT or isinstance(value, Unknown):
        return
    lost = Unknown(f"set:{setter}.{slot}", f"{slot} may have been set by {setter}()")
    if value in EMPTY:  # it stands there to be set
        m.store.write(new.ident, slot, lost)
    elif not called:
        kept = Cond(("kept", setter, slot), "default", f"{setter}() was not called")
        m.store.write(new.ident, slot, choose(kept, value, lost))


def note_script(m: Machine, script: Namespace, before: int, changes: Mapping[Cell, Value]) -> None:
    """Keep what a script, run as `__main__`, left for its functions, under the names it has as a module."""
    bound = {slot: value for (owner, slot), value in changes.items() if owner == script.ident}
    names = {name: value for name, value in bound.items() if not name.startswith("__")}
    held: dict[str, dict[str, Value]] = {}
    for name, value in names.items():
        if isinstance(value, Obj) and value.kind in HOLDERS:
            held[name] = {slot: v for (owner, slot), v in changes.items() if owner == value.ident and _told(slot)}
    m.do(_end_script, script.path, names, held)
    m.leaves("left", script.path, (names, held))
    _keep_made(m, before, changes)


@change(waits=lambda path, *_: ("scripts", path))
def _end_script(m: Machine, path: str, names: dict[str, Value], held: dict[str, dict[str, Value]]) -> None:
    m.modules.scripts[path] = names, held


def as_module(m: Machine, module: Namespace) -> None:
    """Give what the script `module` left, when it ran, to its functions."""
    m.asks("left", module.path)
    m.want(("scripts", module.path))
    names, held = m.modules.scripts.pop(module.path, ({}, {}))
    for name, value in names.items():
        first = m.store.read(module.ident, name)
        # An object is made anew for the module: only plain values can be told apart.
        if first in EMPTY or isinstance(first, Const | Device):
            leave(m, (module.ident, name), value)
        if isinstance(first, Obj):
            for slot, inner in held.get(name, {}).items():
                leave(m, (first.ident, slot), inner)


def restore(m: Machine) -> None:
    """Put what was left where there is nothing yet; a name that functions bind anew is not known."""
    cells = [cell for cell in m.modules.left if isinstance(cell[0], int)]
    found = {cell: _now(cell, m.store.peek(*cell), m.modules.left[cell]) for cell in cells}
    m.store.put_below({cell: value for cell, value in found.items() if value is not None})


def _put(m: Machine, cell: Cell, values: list[Value]) -> None:
    value = _now(cell, m.store.read(*cell), values)
    if value is not None:
        m.store.write(*cell, value)


def _now(cell: Cell, first: Value | None, values: list[Value]) -> Value | None:
    """What a cell holds that first held this, if these were left there; None where that is nothing else."""
    others = [v for i, v in enumerate(values) if v != first and v not in values[:i]]
    if len(others) == 1 and (first in EMPTY or _continued(first, others[0])):
        return others[0]
    if not others:
        return None
    lost = f"left:{cell!r}:{ident(others[0])}"
    return Unknown(lost, f"{cell[1]} is set by functions that nobody calls here")


def _continued(first: Value | None, later: Value) -> bool:
    """Whether a dict has what it had before, and more."""
    return isinstance(first, Pairs) and isinstance(later, Pairs) and later.pairs[: len(first.pairs)] == first.pairs


def _told(slot: str) -> bool:
    return slot == ITEMS or not slot.startswith(("#", "__"))


def _lasting(m: Machine, module: Namespace, before: int) -> set[Cell]:
    """The cells of a module, and of the objects and classes its names stand for."""
    found: set[Cell] = set()
    for name, value in m.store.slots(module.ident):
        found.add((module.ident, name))
        if isinstance(value, Class) or (
            isinstance(value, Obj) and value.kind in HOLDERS and not is_newer(value.ident, before)
        ):
            found |= {(value.ident, slot) for slot, _ in m.store.slots(value.ident) if _told(slot)}
    return {cell for cell in found if _told(cell[1])}


def _keep_made(m: Machine, before: int, changes: Mapping[Cell, Value]) -> None:
    """What the objects a root made hold is still true of them when another root meets them."""
    made = {c: v for c, v in changes.items() if is_newer(c[0], before)}
    m.keep(made)
