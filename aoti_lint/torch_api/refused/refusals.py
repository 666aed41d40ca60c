"""What torch's operations refuse: None, a fraction for a whole number, several tensors for one, a missing dimension.

The data lie in `refusals.json` and were measured by `scripts/measure_refusals.py`. Nothing here imports torch.
"""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

from aoti_lint.lazily.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an operation: its names, and whether it refuses None and fractions, itself or among its items.

    With `several`, more arguments of its kind may follow. `dimension`: it says which dimension, which has to be there;
    `beyond`: or is one more than there are. `tensor`: it refuses what holds tensors, a list, a tuple or a dict.
    """

    names: tuple[str, ...]
    none: bool
    fraction: bool
    items: bool
    several: bool
    dimension: bool
    beyond: bool
    tensor: bool


@cache
def _data() -> Any:
    with open(os.path.join(os.path.dirname(__file__), "refusals.json"), encoding="utf-8") as file:
        return json.load(file)


@cache
def of_function(name: str) -> tuple[Parameter, ...]:
    """The parameters of a function of torch by its full name; none where nothing is known."""
    return _parameters(_data()["functions"].get(name, ""))


@cache
def of_method(name: str) -> tuple[Parameter, ...]:
    """The parameters of a method of tensors, without the tensor."""
    return _parameters(_data()["methods"].get(name, ""))[1:]


def of_layer(name: str) -> str:
    """The exception of a layer that is called with None, by the full name of its class; empty where not known."""
    return str(_data()["layers"].get(name, "")).partition(" ")[0]


def of_layer_of_one(name: str) -> str:
    """The exception of a layer that is called with a list, a tuple or a dict of tensors; empty where not known."""
    return str(_data()["layers"].get(name, "")).partition(" ")[2]


def exception(name: str) -> str:
    """The exception of a function that refuses an argument."""
    return str(_data()["raises"].get(name, "TypeError"))


def _parameters(text: str) -> tuple[Parameter, ...]:
    made = []
    for one in text.split():
        names, _, refused = one.partition(":")
        made.append(Parameter(tuple(names.split("|")), *(letter in refused for letter in "nfl*det")))
    return tuple(made)
