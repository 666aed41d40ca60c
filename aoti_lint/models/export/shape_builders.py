"""`ShapesCollection` and `AdditionalInputs`: `dynamic_shapes` that are worked out from the example inputs.

Release 2.13.0, `torch/export/dynamic_shapes.py:773` (a collection is indexed by the tensors themselves; one that is not
among the inputs raises) and `:866` (a size that differs in one of the additional inputs is `Dim.DYNAMIC`, and so is an
input that is a whole number).
"""

from __future__ import annotations

from aoti_lint.diagnostics import Span
from aoti_lint.language.data import containers, frozen
from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.modules.forwards import parameters
from aoti_lint.models.tensors import copies
from aoti_lint.models.tensors.sizes import number
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import DimValue, Tensor
from aoti_lint.values.values import NONE, Const, Obj, Pairs, Ref, Tup, Unknown, Value

COLLECTION = "torch.export.ShapesCollection"
ADDITIONAL = "torch.export.AdditionalInputs"


@function(COLLECTION, "torch.export.dynamic_shapes.ShapesCollection")
def _collection(m: Machine, call: Call) -> Value:
    return opaque(m, COLLECTION)


@method(COLLECTION, "__setitem__")
def _assign(m: Machine, call: Call, receiver: Value) -> Value:
    _put(m, receiver, m.see(call.args[0]), call.args[1])
    return NONE


@method(COLLECTION, "__getitem__")
def _entry(m: Machine, call: Call, receiver: Value) -> Value:
    """The entry of a tensor, which is made where there is none."""
    key = m.see(call.args[0])
    held = slot(m, receiver, "#shapes", Pairs(())) if isinstance(receiver, Obj) else NONE
    for tensor, spec in held.pairs if isinstance(held, Pairs) else ():
        if tensor == key:
            return spec
    made = containers.new_dict(m, [])
    _put(m, receiver, key, made)
    return made


def _put(m: Machine, receiver: Value, tensor: Value, spec: Value) -> None:
    assert isinstance(receiver, Obj)
    held = slot(m, receiver, "#shapes", Pairs(()))
    known = isinstance(tensor, Tensor) and isinstance(held, Pairs)
    pairs = Pairs((*held.pairs, (tensor, spec))) if known and isinstance(held, Pairs) else None
    m.store.write(receiver.ident, "#shapes", pairs or Unknown(f"u{m.fresh()}", "an entry of a collection of shapes"))


@function(ADDITIONAL, "torch.export.dynamic_shapes.AdditionalInputs")
def _additional(m: Machine, call: Call) -> Value:
    return opaque(m, ADDITIONAL)


@method(ADDITIONAL, "add")
def _add(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Obj)
    held = slot(m, receiver, "#examples", Tup(()))
    args, kwargs = (frozen.freeze(m, call.arg(i, n, NONE) or NONE) for i, n in enumerate(("args", "kwargs")))
    lost = Unknown(f"u{m.fresh()}", "the additional inputs are not all known")
    made = Tup((*held.items, Tup((args, kwargs)))) if isinstance(held, Tup) and not call.open else lost
    m.store.write(receiver.ident, "#examples", made)
    return NONE


@method(COLLECTION, "dynamic_shapes")
@method(ADDITIONAL, "dynamic_shapes")
def _written_out(m: Machine, call: Call, receiver: Value) -> Value:
    """The specs for a model and its inputs, by the names of its parameters."""
    model, args, kwargs = (m.see(call.arg(i, n) or NONE) for i, n in enumerate(("m", "args", "kwargs")))
    known = parameters(m, model)
    names = None if known is None or call.open else tuple(name for name, _ in known)
    made = resolved(m, receiver, frozen.freeze(m, args), frozen.freeze(m, kwargs), names)
    if isinstance(made, Tup) and names is not None and len(made.items) <= len(names):
        return Pairs(tuple(zip(map(Const, names), made.items, strict=False)))
    return made if isinstance(made, Pairs) else m.unknown(call.node, "the shapes of a collection")


def resolved(m: Machine, spec: Value, args: Value, kwargs: Value, names: tuple[str, ...] | None) -> Value:
    """`dynamic_shapes` as it is written out for these example inputs, frozen."""

    def apply(one: Value) -> Value:
        if not isinstance(one, Obj) or one.cls not in (Ref(COLLECTION), Ref(ADDITIONAL)):
            return frozen.freeze(m, one)
        made = (collected if one.cls == Ref(COLLECTION) else compared)(m, one, args, kwargs)
        lost = Unknown(f"u{m.fresh()}", "the shapes of a collection")
        return lost if made is None else written_out(*made, names) or lost

    return lift(m, spec, apply)


def written_out(first: Value, second: Value, names: tuple[str, ...] | None) -> Value | None:
    """The specs of positional and of named inputs as one; None where the names of the first are not known."""
    if not isinstance(second, Pairs) or not second.pairs:
        return first
    if names is None or not isinstance(first, Tup) or len(first.items) > len(names):
        return None
    return Pairs((*zip(map(Const, names), first.items, strict=False), *second.pairs))


def collected(m: Machine, collection: Obj, args: Value, kwargs: Value) -> tuple[Value, Value] | None:
    """The specs of a collection where the inputs are; None where they are not all found there."""
    held = slot(m, collection, "#shapes", Pairs(()))
    if not isinstance(held, Pairs):
        return None
    specs = {t.key: frozen.freeze(m, s) for t, s in held.pairs if isinstance(t, Tensor)}
    found: set[str] = set()

    def place(value: Value) -> Value:
        match value:
            case Tensor(key=key):
                found.add(key)
                return specs.get(key, NONE)
            case Tup(items):
                return _mirrored(value, [place(i) for i in items])
            case Pairs(pairs):
                return Pairs(tuple((k, place(v)) for k, v in pairs))
            case _:
                return NONE

    made = place(args), place(kwargs)
    return made if found >= set(specs) else None


def strays(m: Machine, spec: Value, inputs: list[Value]) -> tuple[Span, ...]:
    """Where tensors of a collection were made that surely are none of the inputs: made elsewhere, or a copy of them."""
    if not isinstance(spec, Obj) or spec.cls != Ref(COLLECTION):
        return ()
    held = slot(m, spec, "#shapes", Pairs(()))
    made = [one if isinstance(one, Tensor) and one.span is not None else None for one in inputs]
    tensors = [key for key, _ in held.pairs] if isinstance(held, Pairs) and None not in made else []
    given = [one for one in made if one is not None]
    return tuple(
        tensor.span
        for tensor in tensors
        if isinstance(tensor, Tensor) and tensor.span and not any(_may_be(m, tensor, one) for one in given)
    )


def _may_be(m: Machine, tensor: Tensor, other: Tensor) -> bool:
    """Whether two tensors may be one: made in one place, not known to be of different dtypes, neither a copy."""
    if copies.is_copy_of(m, tensor, other) or copies.is_copy_of(m, other, tensor):
        return False
    return tensor.span == other.span and (None in (tensor.dtype, other.dtype) or tensor.dtype == other.dtype)


def compared(m: Machine, inputs: Obj, args: Value, kwargs: Value) -> tuple[Value, Value] | None:
    """The specs that tell the sizes in which the additional inputs differ from the examples."""
    held = slot(m, inputs, "#examples", Tup(()))
    if not isinstance(held, Tup):
        return None
    others = [one.items for one in held.items if isinstance(one, Tup)]
    return difference(args, [o[0] for o in others]), difference(kwargs, [o[1] for o in others])


def difference(value: Value, others: list[Value]) -> Value:
    """The spec of one input beside what the additional ones have in its place; unknown where they do not line up."""
    match value:
        case Tensor(shape=shape) if shape is not None:
            shapes = [o.shape for o in others if isinstance(o, Tensor) and o.shape is not None]
            if len(shapes) == len(others) and all(len(s) == len(shape) for s in shapes):
                sizes = [[shape[i], *(s[i] for s in shapes)] for i in range(len(shape))]
                return Pairs(tuple((Const(i), _freedom(row)) for i, row in enumerate(sizes)))
        case Tup(items):
            rows = [o.items for o in others if isinstance(o, Tup) and len(o.items) == len(items)]
            if len(rows) == len(others):
                return _mirrored(value, [difference(v, [r[i] for r in rows]) for i, v in enumerate(items)])
        case Pairs(pairs):
            maps = [dict(o.pairs) for o in others if isinstance(o, Pairs)]
            if len(maps) == len(others) and all(k in one for one in maps for k, _ in pairs):
                return Pairs(tuple((k, difference(v, [one[k] for one in maps])) for k, v in pairs))
        case Const(value=whole) if type(whole) is int:
            return _freedom([value, *others])
        case Const():
            return NONE
    return Unknown("additional inputs", "the additional inputs do not line up with the examples")


def _mirrored(value: Tup, entries: list[Value]) -> Tup:
    """The entry of a container, with the entries of its items: for an instance of a dataclass that is a list."""
    if frozen.is_taken_apart(value):
        return Tup(tuple(entries), (), Ref("list"))
    return Tup(tuple(entries), value.fields, value.cls)


def _freedom(sizes: list[Value]) -> Value:
    known = {number(s) for s in sizes}
    if len(known - {None}) > 1:
        return DimValue("DYNAMIC")
    return Unknown("additional sizes", "the sizes of additional inputs") if None in known else NONE
