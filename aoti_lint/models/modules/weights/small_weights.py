"""Weights that a package never has as constants: those that the compiler writes into its code, or that nothing reads.

Parameters of no dimension, and of one with at most 8 elements (`torch/_inductor/graph.py`, `can_inline_constant`,
release 2.13.0), and `num_batches_tracked` of batch norms in eval mode (run on torch 2.13).
"""

from __future__ import annotations

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.machine.machine import Machine
from aoti_lint.models.modules.weights.module_state import BUFFER
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Const, Obj, Ref, Tup, Value

MOST = 8
"""Elements of a weight of one dimension that is written into the code."""
BIASED = {"Linear": (1, 2), **{f"Conv{rank}d": (1, 7) for rank in (1, 2, 3)}}
"""Layers with a bias: the arguments that say how long it is, and whether there is one."""
NORMS = frozenset({"BatchNorm1d", "BatchNorm2d", "BatchNorm3d"})


@dataclass(frozen=True, slots=True)
class Buffer:
    """A buffer by its name: what it is an attribute of, and under which name; whether a `state_dict` has it.

    `counted`: it holds what batch normalisation counted in training, and its layer surely reads it.
    """

    name: str
    owner: int
    slot: str
    persistent: bool
    counted: bool = False


def of_module(m: Machine, module: Obj) -> list[str]:
    """The names of such weights that a module surely has itself."""
    if isinstance(module.cls, Ref):
        return _of_layer(m, module, module.cls.name.rsplit(".", 1)[-1])
    held = ((slot, m.see(value)) for slot, value in m.store.slots(module.ident) if slot[:1] != "#")
    return [slot for slot, one in held if isinstance(one, Tensor) and one.role == "parameter" and _is_small(one.shape)]


def large_buffers(m: Machine, module: Obj) -> list[Buffer]:
    """The buffers of a module that are surely too large to be written into the code."""
    if isinstance(module.cls, Ref):
        known = module.cls.name.rsplit(".", 1)[-1] in NORMS and m.read(module.ident, "#training") == FALSE
        size = m.see(m.read(module.ident, "#arg0") or NONE)
        plain = isinstance(size, Const) and m.read(module.ident, "#arg4") in (None, TRUE)
        counted = () if not (known and plain) or _is_short(size) else ("running_mean", "running_var")
        return [Buffer(name, module.ident, name, True, True) for name in counted]
    held = [(slot, m.see(value)) for slot, value in m.store.slots(module.ident) if slot[:1] != "#"]
    own = [(slot, one, m.read(module.ident, f"{BUFFER}{slot}")) for slot, one in held]
    return [
        Buffer(slot, module.ident, slot, persistent == TRUE)
        for slot, one, persistent in own
        if persistent in (TRUE, FALSE) and isinstance(one, Tensor) and one.shape and not _may_be_small(one.shape)
    ]


def large_parameters(m: Machine, layer: Obj) -> list[str]:
    """The parameters of a layer that are surely too large for that, if it has them and none was put in their place."""
    name = layer.cls.name.rsplit(".", 1)[-1] if isinstance(layer.cls, Ref) else ""
    if any(m.read(layer.ident, slot) is not None for slot in ("#open", "weight", "bias")):
        return []
    if name not in BIASED:
        return ["weight"] if name == "Embedding" else []
    length, bias = (m.see(m.read(layer.ident, f"#arg{index}") or NONE) for index in BIASED[name])
    long = isinstance(length, Const) and isinstance(length.value, int) and length.value > MOST
    return ["weight", "bias"] if long and bias in (NONE, TRUE) else ["weight"]


def _may_be_small(shape: tuple[Value, ...]) -> bool:
    return len(shape) == 1 and (not isinstance(shape[0], Const) or _is_short(shape[0]))


def _is_small(shape: tuple[Value, ...] | None) -> bool:
    return shape is not None and (not shape or (len(shape) == 1 and _is_short(shape[0])))


def _is_short(size: Value) -> bool:
    return isinstance(size, Const) and isinstance(size.value, int) and size.value <= MOST


def _of_layer(m: Machine, layer: Obj, name: str) -> list[str]:
    replaced = any(m.read(layer.ident, slot) is not None for slot in ("#open", "weight", "bias"))
    if replaced or not isinstance(m.read(layer.ident, "#device"), Device):
        return []

    def given(index: int) -> Value:
        return m.see(m.read(layer.ident, f"#arg{index}") or NONE)

    if name in BIASED:
        length, bias = BIASED[name]
        return ["bias"] if _is_short(given(length)) and given(bias) in (NONE, TRUE) else []
    if name == "LayerNorm":
        size = given(0)
        return ["weight"] if _is_small(size.items if isinstance(size, Tup) else (size,)) else []
    if name in NORMS and m.read(layer.ident, "#training") == FALSE:
        own = ["weight", "running_mean", "running_var"] if _is_short(given(0)) else []
        return [*own, "num_batches_tracked"]
    return []
