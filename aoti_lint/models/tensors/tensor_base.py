"""What the models of tensor operations share: dtypes, where a result lives, and how an operation is registered.

An operation is one model for its method, its function in `torch` and elsewhere, and its form that works in place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from aoti_lint.language.effects import autocasts
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import FUNCTIONS, function, method
from aoti_lint.models.tensors.memory import Strides
from aoti_lint.models.tensors.operations.changes import written_out
from aoti_lint.models.tensors.sizes import Shape, is_integer, some
from aoti_lint.models.torch import devices, mixing
from aoti_lint.torch_api.dtypes import DTYPES as NAMES
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.sizes.reckoning import is_float
from aoti_lint.values.torch_values import Mixed, Tensor
from aoti_lint.values.values import NONE, Const, Obj, Ref, Size, Sym, Tup, Unknown, Value

Op: TypeAlias = "Callable[[Machine, Call, Tensor], Value]"

DTYPES = NAMES | {
    "float": "torch.float64", "int": "torch.int64", "bool": "torch.bool", "complex": "torch.complex128",
}  # fmt: skip
"""What a dtype, or a type of Python in its place, is called."""
OF_PYTHON: dict[type, str] = {kind: DTYPES[kind.__name__] for kind in (bool, int, float)}
"""The dtype that numbers of a type of Python have in an array, from the narrowest on."""
FLOATS = frozenset({"torch.float32", "torch.float64"})
"""Floating dtypes that arithmetic keeps, also where autocast changes the smaller ones."""
HALVES = frozenset({"torch.float16", "torch.bfloat16"})
BOOL, LONG = "torch.bool", "torch.int64"
INTEGERS = frozenset({"torch.int64", "torch.int32", "torch.int16", "torch.int8"})


def dtype_name(m: Machine, value: Value | None) -> str | None:
    """The dtype an argument surely names."""
    if value is None:
        return None
    found = {_dtype_of(v) for _, v in leaves(m.see(value))}
    return found.pop() if len(found) == 1 else None


def default_dtype(m: Machine) -> str | None:
    held = m.read("torch", "default_dtype")
    return "torch.float32" if held is None else dtype_name(m, held)


def is_dtype(value: Value) -> bool:
    return isinstance(value, Ref) and (value.name in DTYPES or value.name.startswith(OPEN))


OPEN = "?"
"""How the name of a dtype begins that is that of an argument, whatever that is."""


def _dtype_of(value: Value) -> str | None:
    if not isinstance(value, Ref):
        return None
    return value.name if value.name.startswith(OPEN) else DTYPES.get(value.name)


# ---------------------------------------------------------------- results


def derived(m: Machine, source: Tensor, **changes: Any) -> Tensor:
    """A new tensor made of `source`, on its device."""
    made = replace(source, key=f"t{m.fresh()}", role="", **{"strides": None, **changes})
    if m.root.watch is not None:
        m.root.watch.sources[made.key] = (source.key,)
        m.root.watch.derived(m, made)
    return made


def reshaped(m: Machine, source: Tensor, shape: Shape | None, strides: Strides | None = None) -> Tensor:
    """The elements of `source` in another shape."""
    return derived(m, source, shape=shape, strides=strides)


def keeps_float(m: Machine, tensor: Tensor) -> str | None:
    """The dtype of arithmetic on one tensor, where it is surely that of the tensor."""
    return tensor.dtype if is_kept(m, tensor.dtype) else None


def is_kept(m: Machine, dtype: str | None) -> bool:
    """Whether arithmetic on tensors of one dtype surely gives it, too."""
    return dtype in FLOATS or (dtype or "").startswith(OPEN) or (dtype in HALVES and is_uncast(m))


def is_uncast(m: Machine) -> bool:
    """Whether no autocast has a say in what runs now: in a forward that is traced, all of them are known.

    Not so in a kernel that is tried for itself.
    """
    trace, watch = m.root.trace, m.root.watch
    if trace is None or (watch is not None and not watch.knows_autocasts()):
        return False
    return not trace.casts and not autocasts.around(m)


def asked_dtype(m: Machine, call: Call, otherwise: str | None) -> str | None:
    """The dtype a call asks for, by name or in its place, else `otherwise`."""
    placed = [a for a in call.args if not isinstance(m.see(a), Const | Size | Tup | Obj | Tensor)]
    given = call.kwargs.get("dtype", placed[-1] if placed else None)
    return otherwise if given is None or m.see(given) == NONE else dtype_name(m, given)


def is_number(value: Value) -> bool:
    """Whether a value is surely a number (or nothing) and so has no say in device and shape."""
    if isinstance(value, Sym) and value.default is not None:
        return is_number(value.default)
    return isinstance(value, Const | Size) or is_integer(value) or is_float(value)


def place(m: Machine, values: list[Value], together: bool = False, kind: str = "") -> Value:
    """The device of an operation on several operands, given that it succeeds.

    `together`: tensors without dimensions are no exception. `kind` is what `mixing.note` wants to know.
    """
    tensors = [v for v in values if isinstance(v, Tensor)]
    firm = [t for t in tensors if together or mixing.decides(t)]
    mixing.note(m, firm, kind=kind)
    if not firm and any(not isinstance(v, Tensor) and not is_number(v) for v in values):
        return some(m, "the device of an operation with something unknown")
    joined = devices.join_devices([m.see(t.device) for t in firm or tensors])
    if not isinstance(joined, Mixed):
        return joined
    return some(m, "the operation mixes devices")


def common_dtype(tensors: list[Tensor]) -> str | None:
    """The dtype all of them have."""
    found = {t.dtype for t in tensors}
    return found.pop() if len(found) == 1 else None


RISING = tuple(
    f"torch.{name}"
    for name in ("bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")
)
"""Dtypes of which the later one of two is what torch makes of both, but for the two halves and for the two bytes (run
on torch 2.13: `torch.promote_types` of all pairs)."""
BYTES = frozenset({"torch.uint8", "torch.int8"})


def promoted(tensors: list[Tensor]) -> str | None:
    """The dtype that torch makes of several tensors; those without dimensions have less to say, and are not judged."""
    found = {t.dtype for t in tensors}
    if len(found) == 1:
        return found.pop()
    if not all(t.shape and t.dtype in RISING for t in tensors) or found >= BYTES:
        return None
    largest = max((name for name in found if name is not None), key=RISING.index)
    return "torch.float32" if found >= HALVES and largest in HALVES else largest


def common_kept(m: Machine, values: list[Value]) -> str | None:
    """The dtype that products of matrices keep, if all of them have it: autocast changes that of floating ones."""
    found = common_dtype([v for v in values if isinstance(v, Tensor)])
    kept = found is not None and (found.startswith(OPEN) or found in INTEGERS)
    return found if kept or (found in FLOATS | HALVES and is_uncast(m)) else None


def joined(
    m: Machine,
    values: list[Value],
    shape: Shape | None,
    dtype: str | None = None,
    together: bool = False,
    kind: str = "",
) -> Value:
    """The result of an operation on several operands; unknown if none is a tensor."""
    tensors = [v for v in values if isinstance(v, Tensor)]
    if not tensors:
        return some(m, "an operation on unknown values")
    return of_several(m, tensors, shape, dtype, place(m, values, together, kind))


def of_several(m: Machine, tensors: list[Tensor], shape: Shape | None, dtype: str | None, device: Value) -> Tensor:
    """A new tensor made of several."""
    made = derived(m, tensors[0], shape=shape, dtype=dtype, device=device)
    if m.root.watch is not None:
        m.root.watch.sources[made.key] = tuple(t.key for t in tensors)
    return made


def operand(m: Machine, call: Call, index: int, *names: str) -> Value:
    """An argument that is another operand, under one of its names; `NONE` where it is not given."""
    return m.see(call.arg(index, next((name for name in names if name in call.kwargs), None)) or NONE)


# ---------------------------------------------------------------- registering

SPACES = {
    "t": "torch.", "f": "torch.nn.functional.", "l": "torch.linalg.", "s": "torch.special.", "r": "torch.fft.",
}  # fmt: skip


def op(names: str, spaces: str = "mt", loose: bool = False) -> Callable[[Op], Op]:
    """Register an operation on a tensor under several names.

    `spaces`: `m` method, `t` function of `torch`, `f` of `torch.nn.functional`, `l` of `torch.linalg`, `s` of
    `torch.special`, `r` of `torch.fft`, `i` also in place (`name_`). `loose`: arguments we cannot see change nothing
    but the dtype.
    """

    def register(model: Op) -> Op:
        def run(m: Machine, call: Call, receiver: Value) -> Value:
            assert isinstance(receiver, Tensor)
            written = written_out(m, call)
            if written is not None:
                return written
            if call.open and not loose:
                return joined(m, [receiver, some(m, "an argument we cannot see")], None)
            return model(m, call, receiver)

        for name in names.split():
            if "m" in spaces:
                method("Tensor", name)(run)
            for letter, prefix in SPACES.items():
                if letter in spaces:
                    function(prefix + name)(_on_input(run))
            if "i" in spaces:
                _register_in_place(name)
        return model

    return register


def _register_in_place(name: str) -> None:
    method("Tensor", f"{name}_")(_in_place)
    for space in ("torch.", "torch.nn.functional."):
        FUNCTIONS[f"{space}{name}_"] = _on_input(_in_place)


def _in_place(m: Machine, call: Call, receiver: Value) -> Value:
    mixing.note(m, mixing.taken(m, [receiver, *call.values]), kind="in place")
    return receiver


def itself(m: Machine, call: Call, receiver: Value) -> Value:
    """A method that works in place and keeps sizes, dtype and device."""
    return receiver


def _on_input(run: Callable[[Machine, Call, Value], Value]) -> Callable[[Machine, Call], Value]:
    """The function whose first argument is the tensor."""

    def called(m: Machine, call: Call) -> Value:
        given = call.arg(0, "input", call.kwargs.get("self"))
        if given is None:
            return m.unknown(call.node, "a function of torch was called without a tensor that we saw")
        rest = Call(
            call.node,
            call.args[1:],
            {k: v for k, v in call.kwargs.items() if k not in ("input", "self")},
            call.arg_nodes[1:],
            call.open,
            call.discarded,
        )

        def apply(value: Value) -> Value:
            if isinstance(value, Tensor):
                return run(m, rest, value)
            return m.unknown(call.node, "a function of torch was given something unknown")

        return lift(m, given, apply)

    return called


def given_device(m: Machine, value: Value | None, otherwise: Value) -> Value:
    """The device an optional argument names; `otherwise` where it is None."""
    if value is None:
        return otherwise
    return lift(m, value, lambda v: otherwise if v == NONE else devices.as_device(m, v))


def undefined(key: str, reason: str) -> Unknown:
    """The same unknown for the same question."""
    return Unknown(key, reason)
