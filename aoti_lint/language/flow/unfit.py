"""What Python refuses to do in the forward that an export runs: with None, for want of an item, with the wrong type.

Only values whose types are known count. Where a forward is run with inputs that are not known, to see what it raises
whatever they are, None is enough. Run on torch 2.13, with tensors as an export has them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from aoti_lint.ir import nodes
from aoti_lint.language.data import containers
from aoti_lint.language.flow import raised
from aoti_lint.machine.machine import Machine
from aoti_lint.torch_api.refused import refusals
from aoti_lint.torch_api.refused.refusals import Parameter
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Bound, Const, Obj, Ref, Size, SliceValue, Text, Tup, Unknown, Value

NOTHING, NUMBER, TEXT, TENSOR, TUPLE = "None", "a number", "a text", "a tensor", "a tuple"
_BOXES = {"list": "a list", "dict": "a dict", "set": "a set"}
_JOINED = frozenset(_BOXES.values()) | {TEXT, TUPLE}
"""What can be joined with its like."""
FLOATING = frozenset({"torch.float32", "torch.float64", "torch.float16", "torch.bfloat16"})
ORDERS = frozenset({"<", "<=", ">", ">="})
"""The comparisons that not all values have."""
FRACTION = "a fraction (`//` gives whole numbers)"
_BUILT_IN: dict[str, tuple[str, ...]] = {
    "len": (NOTHING, NUMBER), "int": (NOTHING,), "float": (NOTHING,), "abs": (NOTHING, TEXT), "range": (NOTHING, TEXT),
    "list": (NOTHING, NUMBER), "tuple": (NOTHING, NUMBER), "enumerate": (NOTHING, NUMBER), "zip": (NOTHING, NUMBER),
    "sum": (NOTHING, NUMBER), "sorted": (NOTHING, NUMBER), "reversed": (NOTHING, NUMBER),
}  # fmt: skip
"""What functions of Python refuse as their first argument."""


def type_of(value: Value) -> str:
    """What a value is, in words; empty where that is not known, or is something that has operators of its own."""
    match value:
        case Const(value=None):
            return NOTHING
        case Const(value=bool() | int() | float()) | Size():
            return NUMBER
        case Const(value=str()):
            return TEXT
        case Text(parts) if any(isinstance(part, Const) for part in parts):
            return TEXT  # the sum of two unknown values may be anything
        case Tensor():
            return TENSOR
        case Tup(fields=(), cls=None):
            return TUPLE
        case Obj(kind=kind, cls=None):
            return _BOXES.get(kind, "")
    return ""


def operands(m: Machine, node: nodes.Node, op: str, a: Value, b: Value) -> None:
    """`a op b` is asked for: arithmetic, and what orders two values."""
    if m.root.trace is None:
        return
    left, right = type_of(a), type_of(b)
    if (op == "%" and left == TEXT) or (not (left and right) and not (_is_blind(m) and NOTHING in (left, right))):
        return
    if op in ORDERS:
        fails = left != right and {left, right} != {NUMBER, TENSOR}
    elif NOTHING in (left, right):
        fails = True
    elif TENSOR in (left, right):
        fails = not {left, right} <= {TENSOR, NUMBER}
    else:
        fails = op in ("-", "/", "//", "@") and not _JOINED.isdisjoint((left, right)) and left != right
        fails = fails or (op == "+" and left != right)
    if fails:
        raised.note(m, node, "TypeError", f"`{op}` is asked of {left} and {right}")


def operand(m: Machine, node: nodes.Node, op: str, value: Value) -> None:
    """`op value` is asked for."""
    if m.root.trace is not None and type_of(value) in (NOTHING, TEXT, TUPLE):
        raised.note(m, node, "TypeError", f"`{op}` is asked of {type_of(value)}")
    elif m.root.trace is not None and op == "~" and isinstance(value, Tensor) and value.dtype in FLOATING:
        raised.note(m, node, "TypeError", "`~` is asked of a tensor of floating-point numbers")


def searched(m: Machine, node: nodes.Node, box: Value) -> None:
    """`… in box` is asked for."""
    if m.root.trace is not None and type_of(box) in (NOTHING, NUMBER):
        raised.note(m, node, "TypeError", f"`in` is asked of {type_of(box)}")


def attribute(m: Machine, node: nodes.Node, kind: type | None, name: str) -> None:
    """An attribute of a value of this built-in type is read; sizes are tuples with one method more."""
    if m.root.trace is not None and kind is not None and not hasattr(kind, name) and (kind, name) != (tuple, "numel"):
        whose = NOTHING if kind is type(None) else f"a {kind.__name__}"
        raised.note(m, node, "AttributeError", f"{whose} has no `{name}`")


def item(m: Machine, node: nodes.Node, value: Value, key: Value, *, missing: bool) -> None:
    """`value[key]` is asked for; `missing`: it is known not to be there."""
    if m.root.trace is None:
        return
    kind = type_of(value)
    if kind in (NOTHING, NUMBER):
        raised.note(m, node, "TypeError", f"an item of {kind} is asked for")
    elif kind == "a dict" and missing and isinstance(key, Const):
        raised.note(m, node, "KeyError", f"the dict has no {key.value!r}")
    elif kind in (TUPLE, "a list") and isinstance(key, Const):
        if isinstance(key.value, int) and missing:
            raised.note(m, node, "IndexError", f"{kind} has no item {key.value}")
        elif isinstance(key.value, str | float | None):
            raised.note(m, node, "TypeError", f"the item {key.value!r} of {kind} is asked for")
    elif kind == TENSOR and type_of(key) == TEXT:
        raised.note(m, node, "TypeError", "an item of a tensor is asked for by a text")
    elif kind in (TUPLE, "a list", TENSOR):
        keys = key.items if kind == TENSOR and isinstance(key, Tup) else (key,)
        bounds = [one for k in keys if isinstance(k, SliceValue) for one in (k.lower, k.upper, k.step)]
        if any(_is_fraction(m, one) for one in bounds):
            raised.note(m, node, "TypeError", f"a bound of the slice is {FRACTION}")


def gone_through(m: Machine, node: nodes.Node, value: Value) -> None:
    """A loop goes through a value, or it is unpacked."""
    if m.root.trace is not None and type_of(value) in (NOTHING, NUMBER):
        raised.note(m, node, "TypeError", f"items of {type_of(value)} are asked for")


def called(m: Machine, node: nodes.Node, value: Value) -> None:
    """A value is called, which is no function."""
    if m.root.trace is not None and not isinstance(value, Bound) and type_of(value) not in ("", *_BOXES.values()):
        raised.note(m, node, "TypeError", f"{type_of(value)} is called like a function")


def function(m: Machine, site: Call, name: str) -> None:
    """A function of torch or of Python is called, by its full name."""
    refused = _BUILT_IN.get(name)
    if refused is not None and site.args:
        kind = type_of(m.see(site.args[0]))
        if kind in refused:
            raised.note(m, site.node, "TypeError", f"`{name}` is given {kind}")
    elif name.startswith("torch.") and not site.open:
        _given(m, site, name, refusals.of_function)


def method(m: Machine, site: Call, receiver: Value, name: str) -> None:
    """A method of something is called."""
    if not site.open and (isinstance(receiver, Tensor) or (_is_blind(m) and isinstance(receiver, Unknown))):
        _given(m, site, name, refusals.of_method)


def layer(m: Machine, site: Call, cls: Value | None) -> None:
    """A layer of this class is called."""
    given = site.arg(0, "input")
    if not isinstance(cls, Ref) or site.open or given is None:
        return
    kind = type_of(m.see(given))
    exception = ""
    if kind == NOTHING:
        exception = refusals.of_layer(cls.name)
    elif _holds_tensors(m, given):
        exception, kind = refusals.of_layer_of_one(cls.name), f"{kind or TUPLE} of tensors"
    if exception:
        raised.note(m, site.node, exception, f"`{cls.name.removeprefix('torch.')}` is given {kind}")


def _given(m: Machine, site: Call, name: str, parameters: Callable[[str], tuple[Parameter, ...]]) -> None:
    """An operation of torch gets these arguments."""
    if not any(_is_bad(m, one) for one in _with_items(m, site.values)) and not any(
        _holds_tensors(m, one) for one in site.values
    ):
        return  # as nearly always: then the table is not read
    for one, value in bound(parameters(name), site):
        if one.tensor and _holds_tensors(m, value):
            what = f"{type_of(m.see(value)) or TUPLE} of tensors"
            raised.note(m, site.node, refusals.exception(name), f"`{name}` is given {what} as `{one.names[0]}`")
            return
        for held in _with_items(m, [value]) if one.items else [value]:
            if (one.none and m.see(held) == NONE) or (one.fraction and _is_fraction(m, held)):
                what = NOTHING if m.see(held) == NONE else FRACTION
                raised.note(m, site.node, refusals.exception(name), f"`{name}` is given {what} as `{one.names[0]}`")
                return


def bound(parameters: tuple[Parameter, ...], site: Call) -> Iterator[tuple[Parameter, Value]]:
    """The arguments of a call, each with its parameter."""
    for i, value in enumerate(site.args):
        if i < len(parameters):
            yield parameters[i], value
        elif parameters and parameters[-1].several:
            yield parameters[-1], value
    for name, value in site.kwargs.items():
        yield from ((one, value) for one in parameters if name in one.names)


def _with_items(m: Machine, values: Iterable[Value]) -> Iterator[Value]:
    """Values, and the items of those that are lists and tuples."""
    for value in values:
        yield value
        seen = m.see(value)
        if isinstance(seen, Tup) or (isinstance(seen, Obj) and seen.kind == "list"):
            yield from containers.items_of(m, seen) or ()


def _holds_tensors(m: Machine, value: Value) -> bool:
    """Whether a value is a list, a tuple or a dict with nothing but tensors in it, or others of these."""
    seen = m.see(value)
    of_torch = isinstance(seen, Tup) and isinstance(seen.cls, Ref) and seen.cls.name.startswith("torch.")
    if not of_torch and type_of(seen) not in (TUPLE, "a list", "a dict"):
        return False
    pairs = containers.dict_pairs(m, seen)
    items = containers.items_of(m, seen) if pairs is None else [one for _, one in pairs]
    return bool(items) and all(isinstance(m.see(one), Tensor) or _holds_tensors(m, one) for one in items or ())


def _is_bad(m: Machine, value: Value) -> bool:
    return m.see(value) == NONE or _is_fraction(m, value)


def _is_fraction(m: Machine, value: Value) -> bool:
    seen = m.see(value)
    return isinstance(seen, Const) and isinstance(seen.value, float)


def _is_blind(m: Machine) -> bool:
    """Whether nothing is known of the inputs."""
    return m.root.trace is not None and m.root.trace.export is None
