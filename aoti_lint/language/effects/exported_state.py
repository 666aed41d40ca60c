"""Attributes that the forward of an exported model read, and what the script does to them after the export.

The program has numbers and texts as they were, and shares the tensors that were there with the model: what is written
into them later is seen by the program, and not by a package or a file that was made of it before.
"""

from __future__ import annotations

from collections.abc import Mapping

from aoti_lint.ir import nodes
from aoti_lint.machine.machine import HANDED, Machine
from aoti_lint.values.events.packages import AttributeUse
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import ABSENT, NONE, Bound, Const, Func, Obj, Ref, Value

READ = "#read by an export: "
"""How the slot of an object begins that says that an export read the attribute of this name: a constant, if it is."""
TENSORS = "read by an export"
"""Owner of cells, one for the key of each tensor among these attributes, that say which one it is."""

COPIED = "copied"
"""Owner of cells, one for the key of each tensor that a deep copy of what holds it has under the same key."""
MODE = "training"
"""The attribute that `eval()` sets, of a model with all its layers."""
DTYPE = "dtype"
"""What stands for an attribute of a model where all its weights are of one dtype."""
HOOKS = "forward hooks"
"""What stands for an attribute of a module where its forward is called, with the hooks that it has then."""
KEEPING = frozenset({"requires_grad_", "detach_", "share_memory_", "retain_grad_", "rename_"})
"""Methods whose names end like those that change a tensor, and that leave its values alone."""


def writes(method: str) -> bool:
    """Whether a method of a tensor changes what is in it."""
    return method.endswith("_") and not method.startswith("_") and method not in KEEPING


def read(m: Machine, node: nodes.Node, owner: Obj, name: str, held: Value) -> None:
    """`owner.name` is read: perhaps in the forward of an export, perhaps by the object itself after one."""
    if m.root.trace is not None:
        if not isinstance(held, Func):
            m.root.trace.read.setdefault((owner.ident, name), (owner, held))
    elif (owner.ident, name) in m.root.late and m.frame.receiver is not None:
        _read(m, node, owner, name)


def called(m: Machine, node: nodes.Node, owner: Obj) -> None:
    """The module `owner` is called, and with it its hooks."""
    if m.root.trace is not None:
        m.root.trace.read.setdefault((owner.ident, HOOKS), (owner, NONE))
    elif (owner.ident, HOOKS) in m.root.late:
        _read(m, node, owner, HOOKS)


def hooked(m: Machine, node: nodes.Node, owner: Obj) -> None:
    """A hook is registered for the calls of the module `owner`."""
    if m.root.trace is None and m.read(owner.ident, f"{READ}{HOOKS}") is not None:
        _tell(m, node, owner, HOOKS, "bound")


def given_away(m: Machine, node: nodes.Node) -> None:
    """Code that is not followed was given something: with a model, it may read all that this has."""
    for (ident, name), owner in list(m.root.late.items()):
        if m.read(ident, HANDED) is not None:
            _read(m, node, owner, name)


def _read(m: Machine, node: nodes.Node, owner: Obj, name: str) -> None:
    del m.root.late[owner.ident, name]
    held = (one for frame in m.root.frames if frame.receiver is not None for _, one in m.store.slots(frame.ident))
    given = frozenset(one.key for one in held if isinstance(one, Tensor))
    m.emit(AttributeUse, node, of=owner, name=name, used="read", given=given)


def exported(m: Machine, found: Mapping[tuple[int, str], tuple[Obj, Value]]) -> None:
    """An export read these attributes. One that was bound anew before may be on its way back to what it was."""
    for (ident, name), (owner, held) in found.items():
        settled = (ident, name) not in m.root.rebound
        mark = held if isinstance(held, Const | Ref) else NONE
        m.store.write(ident, f"{READ}{name}", mark if settled else ABSENT)
        if isinstance(held, Tensor):
            m.store.write(TENSORS, held.key, Bound(owner, name) if settled else ABSENT)


def bound(m: Machine, node: nodes.Node, owner: Obj, name: str, new: Value) -> None:
    """`owner.name = new` is about to be done."""
    if m.root.trace is not None or m.frame.qualname.endswith("__init__"):
        return
    old, known = m.read(owner.ident, name), m.read(owner.ident, f"{READ}{name}")
    if m.see(new) in (old, known):
        return
    if isinstance(m.frame.at, nodes.AugAssign) and isinstance(old, Tensor):
        changed(m, node, old)
        return
    if old is not None:
        m.root.rebound.add((owner.ident, name))
    if known is not None and _is_said(m.see(new)):
        _tell(m, node, owner, name, "bound")


def cast(m: Machine, node: nodes.Node, model: Value, dtype: Value) -> None:
    """The weights of a model are given another dtype, and with them those of its programs."""
    known = m.read(model.ident, f"{READ}{DTYPE}") if isinstance(model, Obj) else None
    if not isinstance(model, Obj) or not isinstance(known, Ref) or not isinstance(dtype, Ref):
        return
    if dtype != known:
        _tell(m, node, model, DTYPE, "bound")
    elif (model.ident, DTYPE) in m.root.late:
        _read(m, node, model, DTYPE)  # they are as they were


def changed(m: Machine, node: nodes.Node, tensor: Value) -> None:
    """What is in a tensor is changed in place."""
    if not isinstance(tensor, Tensor) or m.root.trace is not None or m.read(COPIED, tensor.key) is not None:
        return
    found = m.read(TENSORS, tensor.key)
    if isinstance(found, Bound) and isinstance(found.receiver, Obj):
        _tell(m, node, found.receiver, found.name, "changed")


def _tell(m: Machine, node: nodes.Node, owner: Obj, name: str, used: str) -> None:
    m.root.late[owner.ident, name] = owner
    m.emit(AttributeUse, node, of=owner, name=name, used=used)


def _is_said(new: Value) -> bool:
    """Whether a value says what the attribute is from now on; None frees what was there."""
    return new != NONE and isinstance(new, Const | Tensor | Obj)
