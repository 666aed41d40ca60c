"""Operations of a forward on tensors that may be on different devices."""

from __future__ import annotations

from aoti_lint.language.data import containers
from aoti_lint.machine.machine import Machine
from aoti_lint.models.tensors.sizes import number
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.forwards import DtypeMix, Mix, Operand, SizeMix
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import NONE, Obj, Tup, Unknown, Value

META = Device("meta")
MAX_MIXES = 20
"""Operations remembered of one forward: nothing runs after the first that surely mixes devices."""


def note(m: Machine, tensors: list[Tensor], layer: Obj | None = None, kind: str = "") -> None:
    """An operation of this kind takes these tensors, and the weights of a built-in layer.

    Remembered while a forward is traced, unless all are surely on one device. An export does not look at the devices
    of a convolution, and not at those of an embedding, nor of what changes a tensor in place, of which a part is on
    meta (run on torch 2.13).
    """
    if kind == "convolution":
        return
    trace = m.root.trace
    if trace is None or m.root.watch is not None or m.root.site is None or len(trace.mixes) >= MAX_MIXES:
        return
    own = m.read(layer.ident, "#device") if layer is not None else None
    found = [(m.see(t.device), t) for t in tensors]
    places = {device for device, _ in found} | ({own} if own is not None and own != NONE else set())
    if sum(not isinstance(one, Unknown) for one in places) < 2:
        return
    if kind in ("embedding", "in place") and any(leaf == META for one in places for _, leaf in leaves(one)):
        return
    operands = [Operand(device, t.span, _attribute(m, t), t.role) for device, t in found]
    if own is not None:
        operands.append(Operand(own, None, "", "layer"))
    trace.mixes.append(Mix(m.span(m.root.site), tuple(operands), dict(m.root.path), m.root.caught))


def note_dtypes(
    m: Machine, given: Value, other: Value | str | None, layer: str = "", *, late: bool = False, eager: bool = False
) -> None:
    """An operation takes the tensor `given`, and `other`: another one, or the weights of a `layer` of this dtype.

    `late`: an export does not look whether they are the same (run on torch 2.13). `eager`: nor do compiled kernels.
    """
    trace, dtype = m.root.trace, other.dtype if isinstance(other, Tensor) else other
    if trace is None or m.root.watch is not None or m.root.site is None or not isinstance(given, Tensor):
        return
    if not isinstance(dtype, str) or given.dtype is None or given.dtype == dtype or len(trace.dtypes) >= MAX_MIXES:
        return
    if all(one.startswith("torch.") for one in (given.dtype, dtype)):
        span, both = m.span(m.root.site), (given.dtype, dtype)
        trace.dtypes.append(DtypeMix(span, both, layer, late or eager, dict(m.root.path), m.root.caught, eager))


def fit(m: Machine, given: Value, wanted: Value, layer: str = "") -> None:
    """A size that an operation is given has to be another one: that of a tensor, or what a `layer` was made for."""
    if m.root.watch is not None:
        m.root.watch.fit(m, given, wanted)
        return
    one, other = number(m.see(given)), number(m.see(wanted))
    if one is not None and other is not None and one != other:
        _note_sizes(m, one, other, layer)


def reach(m: Machine, given: Value, least: int) -> None:
    """A size that an operation is given has to be so large: a window moves over it."""
    size = number(m.see(given))
    if size is not None and size < least and m.root.watch is None:
        _note_sizes(m, size, least, least=True)


def _note_sizes(m: Machine, given: int, wanted: int, layer: str = "", *, least: bool = False) -> None:
    trace = m.root.trace
    if trace is not None and m.root.site is not None and len(trace.sizes) < MAX_MIXES:
        path = dict(m.root.path)
        trace.sizes.append(SizeMix(m.span(m.root.site), given, wanted, layer, path, m.root.caught, least))


def taken(m: Machine, values: list[Value], together: bool = False) -> list[Tensor]:
    """The tensors among arguments, and in tuples and lists of them, that have to be where the others are.

    `together`: those without dimensions as well.
    """
    found: list[Tensor] = []
    for value in map(m.see, values):
        if isinstance(value, Tensor):
            found += [value] if together or decides(value) else []
        elif isinstance(value, Tup) or (isinstance(value, Obj) and value.kind == "list"):
            found += taken(m, containers.items_of(m, value) or [], together)
    return found


def decides(tensor: Tensor) -> bool:
    """Whether an operation surely takes place where this tensor is: one on the CPU without dimensions may go along."""
    return bool(tensor.shape) or (isinstance(tensor.device, Device) and tensor.device.type != "cpu")


def _attribute(m: Machine, tensor: Tensor) -> str:
    """The attribute of the module whose method runs that holds a tensor; empty if none does."""
    owner = m.frame.receiver
    if isinstance(owner, Obj):
        for slot, value in m.store.slots(owner.ident):
            held = m.see(value)
            if isinstance(held, Tensor) and held.key == tensor.key and not slot.startswith("#"):
                return slot
    return ""
