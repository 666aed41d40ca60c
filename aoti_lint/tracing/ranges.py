"""What torch knows of a size that the values of a tensor decide: it is no more than what the tensor has elements.

`nonzero`, `masked_select` and `unique` give such a size the range from 0 to that number, by which torch answers what is
the same for all of it (`torch/_subclasses/fake_impls.py`, release 2.13.0).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from aoti_lint.language.comparisons import COMPARE
from aoti_lint.language.flow.unfit import ORDERS
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import Const, Unknown, Value

_MANY = 2**62


def elements(tensor: Value) -> int | None:
    """How many elements a tensor has; None where that is not known."""
    sizes = tensor.shape if isinstance(tensor, Tensor) else None
    if sizes is None:
        return None
    known = [one.value for one in sizes if isinstance(one, Const) and isinstance(one.value, int)]
    return math.prod(known) if len(known) == len(sizes) else None


def is_same_for_all(op: str, compared: Sequence[Value], most: int | None) -> bool:
    """Whether a comparison has one answer for each size from 0 to `most`, or to any where that is None.

    `compared` are a number and that size, in the order in which they stand.
    """
    numbers = [one.value for one in compared if isinstance(one, Const) and isinstance(one.value, int)]
    if len(compared) != 2 or len(numbers) != 1:
        return False
    last = _MANY if most is None else most
    if op not in ORDERS:
        return not 0 <= numbers[0] <= last
    first_answer, last_answer = (
        COMPARE[op](*(size if isinstance(one, Unknown) else numbers[0] for one in compared)) for size in (0, last)
    )
    return bool(first_answer == last_answer)
