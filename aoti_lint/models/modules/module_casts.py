"""`module.half()` and the like: the parameters and buffers of a module are given another dtype."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.language import access
from aoti_lint.language.classes.modules import is_module
from aoti_lint.language.effects import autocasts, exported_state
from aoti_lint.machine.alternatives import lift_all
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import method
from aoti_lint.models.modules import module_parts
from aoti_lint.models.tensors.tensor_base import DTYPES, default_dtype, dtype_name, is_dtype
from aoti_lint.models.torch import inferred
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Class, Obj, Ref, Tup, Unknown, Value

FLOATING = frozenset({"torch.float16", "torch.bfloat16", "torch.float32", "torch.float64"})
"""The dtypes that such a cast changes: what holds integers stays as it is."""
DTYPE = "#dtype"
"""The slot of a built-in layer that holds the dtype of its weights: a `Ref` where it is known, or several of them."""


def of_new(m: Machine, call: Call) -> Value:
    """The dtype of the weights of a layer that is made."""
    given = m.see(call.kwargs.get("dtype", NONE))
    named = default_dtype(m) if given == NONE else dtype_name(m, given)
    return _unknown(m, "the dtype of a layer") if named is None or call.open else Ref(named)


def _caster(name: str) -> None:
    @method("Module", name)
    def casted(m: Machine, call: Call, receiver: Value) -> Value:
        if name != "float":
            autocasts.note_cast(m, receiver)
        cast_by(m, call, receiver, asked(m, call) if name == "type" else Ref(DTYPES[f"torch.{name}"]))
        return receiver


for _name in ("half", "float", "double", "bfloat16", "type"):
    _caster(_name)


def asked(m: Machine, call: Call) -> Value:
    """The dtype that the arguments of `.to(…)` or `.type(…)` ask for."""

    def named(given: list[Value]) -> Value:
        names = (dtype_name(m, one) for one in map(m.see, given) if is_dtype(one))
        return next((Ref(name) for name in names if name is not None), _unknown(m, "a dtype"))

    return lift_all(m, [call.kwargs.get("dtype", NONE), *call.args], named)


def cast_by(m: Machine, call: Call, model: Value, dtype: Value) -> None:
    """A method of a model gives it another dtype."""
    inferred.renewed(m, model)
    exported_state.cast(m, call.node, model, dtype)
    cast(m, model, dtype)


def cast(m: Machine, value: Value, dtype: Value, seen: set[int] | None = None) -> None:
    """Give the floating parameters and buffers of a module, and of those in it, another dtype."""
    seen = set() if seen is None else seen
    value = m.see(value)
    if not isinstance(value, Obj) or value.ident in seen:
        return
    seen.add(value.ident)
    if isinstance(value.cls, Class) and access.class_member(m, value.cls, "_apply") is not None:
        dtype = _unknown(m, f"{value.cls.qualname} casts itself in a way of its own")
    for slot, held in list(m.store.slots(value.ident)):
        held = m.see(held)
        if slot == DTYPE:
            m.store.write(value.ident, slot, dtype)
        elif isinstance(held, Tensor) and held.role:
            m.store.write(value.ident, slot, _casted(held, dtype))
        elif isinstance(held, Tup) and slot == "#items" and any(isinstance(one, Tensor) for one in held.items):
            items = (_casted(one, dtype) if isinstance(one, Tensor) else one for one in held.items)
            m.store.write(value.ident, slot, Tup(tuple(items)))
    for part in module_parts.parts(m, value):
        if is_module(m, part):
            cast(m, part, dtype, seen)


def of_weights(m: Machine, model: Value) -> Value:
    """The dtype of all floating weights of a model; None where they differ, or are not all known."""
    inside = module_parts.descendants(m, model) or []
    found = {m.see(m.read(one.ident, DTYPE) or NONE) for one in inside if isinstance(one, Obj)}
    found |= {
        Ref(part.dtype)
        for one in inside
        if isinstance(one, Obj)
        for part in module_parts.parts(m, one)
        if isinstance(part, Tensor) and part.role and part.dtype in FLOATING
    }
    known = found - {NONE}
    return known.pop() if len(known) == 1 else NONE


def _casted(tensor: Tensor, dtype: Value) -> Tensor:
    if tensor.dtype not in FLOATING:
        return tensor
    return replace(tensor, dtype=dtype.name if isinstance(dtype, Ref) else None)


def _unknown(m: Machine, reason: str) -> Unknown:
    return Unknown(f"u{m.fresh()}", reason)
