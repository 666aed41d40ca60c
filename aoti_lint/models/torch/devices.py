"""Devices: making them, comparing them, and the default one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

from aoti_lint.ir import nodes
from aoti_lint.language.classes import objects
from aoti_lint.language.effects import api_calls
from aoti_lint.language.truths import ask
from aoti_lint.lazily.regex import regex
from aoti_lint.machine import hooks
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import attribute, function
from aoti_lint.models.torch import visible_gpus
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.conditions import Cond
from aoti_lint.values.events.devices import DeviceUse
from aoti_lint.values.identity import ident
from aoti_lint.values.torch_values import Device, Mixed, Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Bound, Choice, Const, Obj, Ref, Sym, Text, Unknown, Value

CPU = Device("cpu")
TYPES = frozenset(
    {"cpu", "cuda", "xpu", "mps", "meta", "npu", "hpu", "xla", "mtia", "hip", "vulkan", "ipu", "privateuseone", "lazy"}
)
"""The types of devices that torch has a name for."""
SPELLING = regex(r"([a-z0-9_]+?)(?::(\d+))?")


def parse(text: str) -> Device | None:
    """The device a string names; None if torch knows no such type."""
    found = SPELLING.fullmatch(text)
    if found is None or found[1] not in TYPES:
        return None
    return Device(found[1], int(found[2]) if found[2] else None)


def as_device(m: Machine, value: Value) -> Value:
    """What torch makes of `value` where it wants a device: a device, or the symbol or unknown that decides it."""
    return lift(m, value, lambda v: _as_device(m, v))


def _as_device(m: Machine, value: Value) -> Value:
    value = objects.plain_enum(m, value)
    match value:
        case Const(str() as text):
            return parse(text) or Unknown(f"device:{text}", f"{text!r} is no device type we know")
        case Const(int() as index) if not isinstance(index, bool):
            return Device("cuda", index)
        case Device() | Sym():
            return value
        case Text(parts) if isinstance(parts[0], Const):
            found = re.match(r"([a-z]+):", str(parts[0].value))
            known = parse(found[1]) if found else None
            return known or Unknown(f"device:{ident(value)}", "a device put together from unknown parts")
        case Tensor(device=device):
            return device
        case Unknown():
            return value
        case _:
            return Unknown(f"device:{ident(value)}", "a device we could not follow")


def tell(m: Machine, call: Call, index: int | None = None) -> None:
    """Tell the rules of the device of a call (`device`, or at `index`) where it may be text that names none we know."""
    name = "device" if "device" in call.kwargs else index
    given = call.arg(index, "device")
    if given is None or name is None:
        return
    for _, leaf in leaves(m.see(given), m.root.path):
        usual = leaf.default if isinstance(leaf, Sym) else leaf
        if isinstance(usual, Const) and isinstance(usual.value, str) and parse(usual.value) is None:
            m.emit(DeviceUse, call.node, device=given, place=api_calls.places(m, call).get(name, m.span(call.node)))
            return


def is_device(value: Value) -> bool:
    """Whether every alternative is a device, or an option that stands where a device is expected."""
    return all(isinstance(leaf, Device) for _, leaf in leaves(value)) or isinstance(value, Sym)


def default_device(m: Machine) -> Value:
    """The device factories use when none is given."""
    return m.read("torch", "default_device") or CPU


@hooks.on_device.answers
def _manager(m: Machine, value: Value) -> AbstractContextManager[None] | None:
    return default(m, value) if is_device(value) else None


@contextmanager
def default(m: Machine, device: Value) -> Iterator[None]:
    """`with torch.device(...)`."""
    saved = default_device(m)
    m.store.write("torch", "default_device", device)
    try:
        yield
    finally:
        m.store.write("torch", "default_device", saved)


@function("torch.set_default_device")
def _set_default(m: Machine, call: Call) -> Value:
    given = call.arg(0, "device", NONE) or NONE
    m.store.write("torch", "default_device", CPU if given == NONE else as_device(m, given))
    return NONE


@function("torch.set_default_tensor_type")
def _set_default_type(m: Machine, call: Call) -> Value:
    for slot in ("default_device", "default_dtype"):
        m.store.write("torch", slot, m.unknown(call.node, "set_default_tensor_type was not followed"))
    return NONE


@function("torch.get_default_device")
def _get_default(m: Machine, call: Call) -> Value:
    return default_device(m)


@function("torch.device")
def _device(m: Machine, call: Call) -> Value:
    first = call.arg(0, "type") or call.arg(None, "device") or NONE
    index = call.arg(1, "index")
    made = as_device(m, first)
    if isinstance(made, Device) and isinstance(index, Const) and isinstance(index.value, int):
        return Device(made.type, index.value)
    return made


@attribute("Device", "type")
def _type(m: Machine, node: nodes.Node, value: Value) -> Value:
    assert isinstance(value, Device)
    return Const(value.type)


@attribute("Sym", "type")
def _type_of_symbol(m: Machine, node: nodes.Node, value: Value) -> Value:
    """The device by its type is the same device."""
    assert isinstance(value, Sym)
    if isinstance(value.default, Device):
        return replace(value, default=Const(value.default.type))
    return Unknown(f"{value.key}.type", "an attribute of an option")


@attribute("Device", "index")
def _index(m: Machine, node: nodes.Node, value: Value) -> Value:
    assert isinstance(value, Device)
    return Const(value.index)


def join(m: Machine, values: list[Value]) -> Value:
    """The device of an operation on several tensors. A CPU tensor without dimensions goes with any device.

    Several devices give `Mixed`; an unknown one makes the result unknown.
    """
    found: list[Value] = []
    scalars: list[Value] = []
    for value in values:
        value = m.see(value)
        if isinstance(value, Tensor):
            (scalars if value.shape == () else found).append(m.see(value.device))
        elif isinstance(value, Choice | Unknown | Obj):
            return Unknown(f"join:{ident(value)}", "the device of an unknown operand")
    return join_devices(found or scalars)


def join_devices(found: list[Value]) -> Value:
    """The one device of these, `Mixed` of several known ones, or unknown."""
    if not found:
        return CPU
    first = found[0]
    if all(one == first for one in found):
        return first
    if any(not isinstance(one, Device) for one in found):
        return Unknown("join:" + ",".join(ident(d) for d in found), "devices that may or may not be the same")
    if len({one.type for one in found if isinstance(one, Device)}) == 1:
        return first
    return Mixed(tuple(dict.fromkeys(found)))


def available(m: Machine, kind: str) -> Value:
    """Whether this machine has such a device: the same question wherever it is asked.

    It has no GPU where the script has hidden them all.
    """
    if kind == "cuda" and visible_gpus.count(visible_gpus.begin(m)) == 0:
        return FALSE
    return ask(m, Cond(("available", kind), "machine", f"this machine has {kind}"))


def _is_available(kind: str) -> None:
    @function(f"torch.{'backends.' if kind == 'mps' else ''}{kind}.is_available")
    def model(m: Machine, call: Call) -> Value:
        return available(m, kind)


for _kind in ("cuda", "xpu", "mps"):
    _is_available(_kind)


@function("torch.accelerator.is_available")
def _accelerator(m: Machine, call: Call) -> Value:
    return available(m, "an accelerator")


@function("torch.cuda.device_count", "torch.xpu.device_count", "torch.accelerator.device_count")
def _count(m: Machine, call: Call) -> Value:
    return Sym("machine:device_count", "the number of devices of this machine")


@function("torch.cuda.current_device")
def _current(m: Machine, call: Call) -> Value:
    return Device("cuda")


@function("torch.accelerator.current_accelerator")
def _current_accelerator(m: Machine, call: Call) -> Value:
    """None on a machine that has none."""
    found = Sym("machine:accelerator", "the accelerator of this machine", Device("cuda"))
    present = available(m, "an accelerator")
    return lift(m, present, lambda there: found if there == TRUE else NONE)


def target(m: Machine, call: Call) -> Value | None:
    """The device a `.to(...)` moves to; None if it only changes the dtype."""
    given = call.kwargs.get("device") or call.kwargs.get("other") or (call.args[0] if call.args else None)
    if given is None:
        return m.unknown(call.node, "the arguments of .to() are not all known") if call.open else None
    given = m.see(given)
    usual = given.default if isinstance(given, Sym) else given
    if given == NONE or (isinstance(usual, Ref) and usual.name.startswith("torch.")):
        return None  # a dtype such as torch.float16
    return as_device(m, given)


MOVES = {"cuda": "cuda", "cpu": "cpu", "xpu": "xpu", "npu": "npu", "ipu": "ipu"}
"""Methods of modules and tensors that move, and where to."""


def move_target(m: Machine, call: Call, name: str) -> Value:
    """The device of `.cuda()`, `.cuda(1)`, `.cpu()` and the like."""
    index = m.see(call.arg(0, "device", NONE) or NONE)
    if isinstance(index, Const) and isinstance(index.value, int) and not isinstance(index.value, bool):
        return Device(MOVES[name], index.value)
    if index == NONE:
        return Device(MOVES[name])
    return lift(m, as_device(m, index), lambda d: d if isinstance(d, Device) else Device(MOVES[name]))


@hooks.called_in_forward.answers
def note_inside(m: Machine, call: Call, func: Value) -> None:
    """Note a call of the forward that is traced now which may put something elsewhere than on the CPU."""
    name = func.name if isinstance(func, Bound) else ""
    moving = name in MOVES or name == "to"
    given = m.see(call.kwargs.get("device") or NONE)
    if not moving and given == NONE:
        return
    trace = m.root.trace
    wanted = (target(m, call) if name == "to" else move_target(m, call, name)) if moving else as_device(m, given)
    for _, one in leaves(wanted or NONE):
        known = one.default if isinstance(one, Sym) else one
        # What `.to()` is given and nobody knows is a dtype more often than a device.
        unknown = isinstance(known, Unknown) and not moving
        if trace is not None and (unknown or (isinstance(known, Device) and known.type not in ("cpu", "meta"))):
            trace.places = True
