"""The GPUs of a process: which of them it sees, and which is the current one."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.ir import nodes
from aoti_lint.language.flow.with_statements import context
from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.torch import devices, visible_gpus
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.devices import GpuUse
from aoti_lint.values.torch_values import Device
from aoti_lint.values.values import ABSENT, NONE, TRUE, Const, Obj, Unknown, Value

CHOSEN = "torch.cuda.device()"

# ---------------------------------------------------------------- the current one


def current(m: Machine) -> Value:
    """The index of the current GPU as the script has set it; `NONE` where it has not, and it is the first.

    Where another GPU alone was used so far it stays the current one for a package that is loaded: torch does not go
    back to a GPU that has no context yet, though `torch.cuda.current_device()` says 0 (run on torch 2.11, two H200).
    """
    chosen = m.read("torch", "current gpu")
    if chosen is not None:
        return chosen
    if m.read("torch", "another gpu used") is not None and m.read("torch", "first gpu used") is None:
        return Unknown(f"u{m.fresh()}", "the first GPU was not used yet, and another one was")
    return NONE


def _index(m: Machine, given: Value) -> Value:
    def apply(value: Value) -> Value:
        device = devices.as_device(m, value)
        if isinstance(device, Device) and device.type == "cuda" and device.index is not None:
            return Const(device.index)
        return Unknown(f"u{m.fresh()}", "the index of a GPU")

    return lift(m, given, apply)


@function("torch.cuda.set_device", "torch.accelerator.set_device_index", "torch.accelerator.set_device_idx")
def _set_device(m: Machine, call: Call) -> Value:
    m.store.write("torch", "current gpu", _index(m, call.arg(0, "device") or NONE))
    return NONE


@function("torch.cuda.device", "torch.accelerator.device_index", "torch.cuda.device_of")
def _chosen(m: Machine, call: Call) -> Value:
    made = opaque(m, CHOSEN)
    m.store.write(made.ident, "#index", _index(m, call.arg(0, "device") or call.arg(None, "obj") or NONE))
    return made


@context(CHOSEN)
def _in_chosen(m: Machine, node: nodes.Node, manager: Obj, body: Callable[[Value], None]) -> None:
    before = m.store.read("torch", "current gpu") or ABSENT
    m.store.write("torch", "current gpu", slot(m, manager, "#index"))
    try:
        body(NONE)
    finally:
        m.store.write("torch", "current gpu", before)


def note(m: Machine, node: nodes.Node, device: Value) -> None:
    """Tell the rules where a tensor is put on a GPU by a script that says which GPUs it sees."""
    if m.root.trace is not None or m.root.watch is not None:
        return
    used = [leaf for _, leaf in leaves(device, m.root.path) if isinstance(leaf, Device) and leaf.type == "cuda"]
    if used:
        which = "first gpu used" if used[0].index in (None, 0) and len(used) == 1 else "another gpu used"
        m.store.write("torch", which, TRUE)
        visible = visible_gpus.begin(m)
        if visible != NONE:
            m.emit(GpuUse, node, device=device, visible=visible)
