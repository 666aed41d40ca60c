"""`dynamic_axes`, `input_names` and `output_names` of an export to ONNX: which of the inputs they speak of."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from aoti_lint.language.data import frozen
from aoti_lint.machine.alternatives import lift_all
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.events.exports import OnnxAxes, OnnxAxesUnread
from aoti_lint.values.torch_values import DimValue, Tensor
from aoti_lint.values.values import NONE, Choice, Const, Obj, Pairs, Sym, Tup, Unknown, Value


def by_axes(m: Machine, call: Call) -> bool:
    """Whether `dynamic_axes` says which sizes are dynamic."""
    given, axes = (m.see(call.kwargs.get(name, NONE)) for name in ("dynamic_shapes", "dynamic_axes"))
    return given == NONE and axes != NONE


def entries(m: Machine, call: Call) -> list[Value | None] | None:
    """The entries of `dynamic_axes`, which go to the inputs in their order, whatever they are called.

    Those of `output_names` are left out, those of `input_names` that are missing come last (2.13.0,
    `torch/onnx/_internal/exporter/_dynamic_shapes.py:20`). None where it is not known which there are, or where any
    goes to another input than it is meant for.
    """
    told = _told(m, call)
    found = _by_name(told) if by_axes(m, call) and _misplaced(told) == NONE else None
    return None if found is None else [*found.values()]


def _told(m: Machine, call: Call) -> list[Value]:
    return [frozen.freeze(m, call.kwargs.get(name, NONE)) for name in ("dynamic_axes", "output_names", "input_names")]


def _by_name(given: list[Value]) -> dict[Value, Value | None] | None:
    """The entries by their names, in their order."""
    told, outputs, names = given
    if not isinstance(told, Pairs):
        return None
    if not all(one == NONE or isinstance(one, Tup) for one in (outputs, names)):
        return None
    listed = [one.items if isinstance(one, Tup) else () for one in (outputs, names)]
    if not all(isinstance(one, Const) for held in (*listed, [name for name, _ in told.pairs]) for one in held):
        return None
    by_name = {name: _entry(entry) for name, entry in told.pairs if name not in listed[0]}
    return {**by_name, **{name: NONE for name in listed[1] if name not in by_name}}


def _misplaced(given: list[Value]) -> Value:
    """An entry that goes to an input of another name, whose own entry is another one; both names, or None."""
    found, names = _by_name(given), given[2].items if isinstance(given[2], Tup) else ()
    if found is None or sorted(map(repr, found)) != sorted(map(repr, names)):
        return NONE
    wrong = ((told, name) for told, name in zip(found, names, strict=True) if not _is_same(found[told], found[name]))
    return next((Tup(pair) for pair in wrong), NONE)


def _is_same(one: Value | None, other: Value | None) -> bool:
    """Whether two entries make the same sizes dynamic; so it is where that is not known."""
    return one is None or other is None or _sizes(one) == _sizes(other)


def _sizes(entry: Value) -> frozenset[Value]:
    return frozenset(size for size, _ in entry.pairs) if isinstance(entry, Pairs) else frozenset()


def _entry(axes: Value) -> Value | None:
    """The dynamic dimensions of one input; None where they are not all known."""
    match axes:
        case Pairs(pairs) if all(isinstance(name, Const) and isinstance(name.value, str) for _, name in pairs):
            return converted(axes)
        case Tup(items):
            return Pairs(tuple((item, DimValue("DYNAMIC")) for item in items))
        case _:
            return NONE if axes == NONE else None


def tell(m: Machine, call: Call, *, sure: bool) -> bool:
    """Tell how many inputs the names speak of, and how many are given; gives whether that may be the same.

    `sure`: they are given to a module. Nothing of it counts there but its signature (2.13.0, `_dynamic_shapes.py:84`),
    and what that refuses fails as well.
    """
    positional, named = (m.see(one or NONE) for one in (call.arg(1, "args"), call.kwargs.get("kwargs")))
    given = frozen.freeze(m, positional)
    if not by_axes(m, call) or isinstance(positional, Obj) or not isinstance(given, Tensor | Tup):
        return True
    inputs, by_name = _leaves(given), 0 if named == NONE else _leaves(frozen.freeze(m, named))
    if inputs is None or by_name is None:
        return True
    told = _told(m, call)
    spoken = lift_all(m, told, _number)
    # Of other numbers, all is said.
    misplaced = lift_all(m, told, _misplaced) if spoken == Const(inputs + by_name) else NONE
    stranger = NONE if spoken == Const(inputs + by_name) else lift_all(m, told, partial(_stranger, inputs + by_name))
    m.emit(OnnxAxes, call.node, spoken=spoken, given=inputs + by_name, sure=sure, misplaced=misplaced,
           stranger=stranger)  # fmt: skip
    return not isinstance(spoken, Const) or spoken.value == inputs + by_name


def tell_unread(m: Machine, call: Call) -> None:
    """Tell of a name in `dynamic_axes` that is none of the model's, to the exporter that traces with TorchScript.

    It warns, and leaves the sizes fixed (2.13.0, `torch/onnx/_internal/torchscript_exporter/utils.py`,
    `_validate_dynamic_axes`). An input beyond those of `input_names` may have any name.
    """
    given = frozen.freeze(m, m.see(call.arg(1, "args") or NONE))
    inputs = _leaves(given) if isinstance(given, Tensor | Tup) and call.kwargs.get("kwargs", NONE) == NONE else None
    if inputs is not None and m.see(call.kwargs.get("dynamic_axes", NONE)) != NONE:
        stranger = lift_all(m, _told(m, call), partial(_unread, inputs))
        m.emit(OnnxAxesUnread, call.node, stranger=stranger)


def _unread(inputs: int, told: list[Value]) -> Value:
    """The first such name, where an input that `dynamic_axes` leaves out may be meant; or None.

    One that is meant for an output harms nothing, whose sizes follow from those of the inputs.
    """
    keys = [name for name, _ in told[0].pairs] if isinstance(told[0], Pairs) else []
    left_out = isinstance(told[2], Tup) and any(name not in keys for name in told[2].items)
    return _stranger(inputs, told) if left_out else NONE


def _stranger(inputs: int, told: list[Value]) -> Value:
    """The first name in `dynamic_axes` that is not among those in `input_names`, which names all inputs; or None."""
    found, names = _by_name(told), told[2].items if isinstance(told[2], Tup) else ()
    return next((name for name in found or () if name not in names), NONE) if len(names) == inputs else NONE


def _number(told: list[Value]) -> Value:
    found = _by_name(told)
    return Unknown("names", "not all names are known") if found is None else Const(len(found))


def _leaves(value: Value) -> int | None:
    """How many values there are in one that may hold others; None where that is not known."""
    match value:
        case Tensor() | Const() | Sym(default=Const()):
            return 1
        case Choice():
            then, other = _leaves(value.then), _leaves(value.other)
            return then if then == other else None
        case Tup(items):
            held = [_leaves(item) for item in items]
        case Pairs(pairs):
            held = [_leaves(item) for _, item in pairs]
        case _:
            return None
    known = [one for one in held if one is not None]
    return sum(known) if len(known) == len(held) else None


def converted(spec: Value) -> Value:
    """`dynamic_shapes` as it is given to the export (2.13.0, `_dynamic_shapes.py:188`), as far as rules judge it.

    A text is a name in the model for ONNX, and `Dim.DYNAMIC` to the export. A tuple of `None`s may become a list.
    """
    match spec:
        case Const(str(name)):
            return DimValue("DYNAMIC", name)
        case Tup(items, cls=None) if items and all(item == NONE for item in items):
            return Unknown("nones", "a tuple of None may become a list")
        case Tup(items):
            return replace(spec, items=tuple(map(converted, items)))
        case Pairs(pairs):
            return replace(spec, pairs=tuple((key, converted(value)) for key, value in pairs))
        case _:
            return spec
