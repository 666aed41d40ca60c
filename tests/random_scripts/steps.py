"""The steps a `forward` is made of. Each looks whether it fits, writes its lines, and gives whether it did."""

from __future__ import annotations

from collections.abc import Callable

from tests.random_scripts.body import Body
from tests.random_scripts.steps_of_layers import (
    activation,
    attention,
    batch_norm,
    buffer,
    conv,
    linear,
    module_list,
    norm,
    parameter,
    pool,
    sequential,
    table,
)
from tests.random_scripts.steps_of_sizes import (
    cut_sizes,
    flatten,
    fold,
    grow,
    heads,
    index,
    join,
    name_sizes,
    pad,
    part,
    turn,
)
from tests.random_scripts.steps_of_values import (
    assertion,
    branch,
    centre,
    choose,
    helper,
    keep,
    loop,
    made_from_sizes,
    mask,
    move_dtype,
    product,
    reduce,
)

Step = Callable[[Body], bool]

STEPS: tuple[tuple[float, Step], ...] = (
    (5, linear),
    (2, sequential),
    (1.5, module_list),
    (1, norm),
    (2, activation),
    (1, parameter),
    (1, buffer),
    (2, table),
    (1, move_dtype),
    (1.5, name_sizes),
    (2, flatten),
    (2, heads),
    (0.3, attention),
    (3, conv),
    (0.7, batch_norm),
    (2, pool),
    (2, reduce),
    (2, centre),
    (1, choose),
    (1, join),
    (1, part),
    (1, cut_sizes),
    (1.5, made_from_sizes),
    (1, grow),
    (1, fold),
    (0.7, turn),
    (0.7, product),
    (1, mask),
    (1.5, branch),
    (1, assertion),
    (0.7, loop),
    (0.5, pad),
    (0.5, index),
    (0.7, keep),
    (1, helper),
)


def walk(body: Body, count: int) -> None:
    """Write so many steps that fit."""
    for _ in range(count):
        for _ in range(12):
            if body.draw.weighted(*STEPS)(body):
                break
