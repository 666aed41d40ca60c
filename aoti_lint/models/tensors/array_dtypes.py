"""Which dtype arrays of numpy have: those that are made of numbers, and those that arithmetic gives.

Run on numpy 2: numbers of Python make float64, int64 and bool; with an array, they leave floats as they are.
"""

from __future__ import annotations

from aoti_lint.language.data import containers
from aoti_lint.machine.machine import Machine
from aoti_lint.models.tensors.arrays import dtype_of, is_array, shape_of
from aoti_lint.models.tensors.sizes import is_sequence
from aoti_lint.models.tensors.tensor_base import BOOL, FLOATS, INTEGERS, OF_PYTHON, is_number
from aoti_lint.values.choices import leaves
from aoti_lint.values.sizes.reckoning import is_float
from aoti_lint.values.values import Const, Many, Obj, Value

DOUBLE = OF_PYTHON[float]
WHOLE = INTEGERS | {"torch.uint8"}


def of_numbers(m: Machine, value: Value) -> str | None:
    """The dtype of the array that a number, or nested lists of numbers, makes."""
    value = m.see(value)
    if isinstance(value, Const):
        if type(value.value) is int and abs(value.value) >= 1 << 63:
            return None
        return OF_PYTHON.get(type(value.value))
    if is_float(value):
        return DOUBLE
    if not is_sequence(value):
        return None
    items = containers.items_of(m, value)
    if items is None:
        return _of_some(m, value)
    found = [of_numbers(m, item) for item in items]
    if None in found:
        return None
    if not found:
        return DOUBLE
    return max((one for one in found if one is not None), key=[*OF_PYTHON.values()].index)


def _of_some(m: Machine, value: Value) -> str | None:
    """The same of a list whose items are not all known; where it may be empty, that makes floats as well."""
    held = m.read(value.ident, "#items") if isinstance(value, Obj) else None
    parts = [] if held is None else [leaf.element if isinstance(leaf, Many) else leaf for _, leaf in leaves(held)]
    return DOUBLE if parts and all(of_numbers(m, part) == DOUBLE for part in parts) else None


def if_float(dtype: str | None) -> str | None:
    """What a function of each element makes of this dtype: of floats, the same."""
    return dtype if dtype in FLOATS else None


def of_operation(m: Machine, op: str, a: Value, b: Value) -> str | None:
    """The dtype of `a op b`, which is no comparison, and of which one at least is an array."""
    arrays = [v for v in (a, b) if is_array(v)]
    dtypes = [dtype_of(m, v) for v in arrays]
    numbers = [v for v in (a, b) if not is_array(v)]
    if None in dtypes or not all(_is_real(v) for v in numbers):
        return None
    if len(set(dtypes)) > 1 and not all(shape_of(m, v) for v in arrays):
        return None  # before numpy 2, one without dimensions has less to say
    floats = [d for d in dtypes if d in FLOATS]
    if floats:
        others = {d for d in dtypes if d not in FLOATS}
        if DOUBLE in floats or others & {"torch.int64", "torch.int32"}:
            return DOUBLE if others <= WHOLE | {BOOL} else None
        return None if others else "torch.float32"
    divided = op == "/" or any(map(is_float, numbers))
    return DOUBLE if divided and WHOLE.issuperset(dtypes) else None


def _is_real(value: Value) -> bool:
    if is_float(value):
        return True
    return is_number(value) and not (isinstance(value, Const) and not isinstance(value.value, bool | int | float))
