"""The table of models: how functions, methods and attributes outside the project behave on abstract values.

Adding an API is adding a function with one of the decorators below. A model takes the machine and the call and gives
the value of the call; it may emit events and change the store.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from aoti_lint.interp.values import (
    Value,
)

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine
    from aoti_lint.ir import nodes

@dataclass(slots=True)
class Call:
    """One call: where it stands and what it is given.

    `open` says that there may be arguments beyond these (`*unknown`, `**unknown`); `discarded` that nobody uses the
    result.
    """

    node: nodes.Node
    args: list[Value]
    kwargs: dict[str, Value] = field(default_factory=dict)
    arg_nodes: list[nodes.Expr] = field(default_factory=list)
    open: bool = False
    discarded: bool = False
    rest: Value | None = None
    """What each argument by position is, where an unknown number of alike ones is all that is given."""

    def arg(self, index: int | None, name: str | None = None, default: Value | None = None) -> Value | None:
        """The argument at a position or of a name; `default` where it is not given."""
        if index is not None and index < len(self.args):
            return self.args[index]
        if name is not None and name in self.kwargs:
            return self.kwargs[name]
        return default

    @property
    def values(self) -> list[Value]:
        return [*self.args, *self.kwargs.values()]


NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim"}
"""Names of arguments that every function of torch in C++ takes for its own ones (2.13.0
`torch/csrc/utils/python_arg_parser.cpp`, `numpy_compatibility_arg_names`; the same in all releases)."""


def in_words_of_torch(call: Call) -> Call:
    """A call of a function or method on tensors, with the arguments under the names that torch gives them."""
    if NUMPY_NAMES.keys().isdisjoint(call.kwargs):
        return call
    return replace(call, kwargs={NUMPY_NAMES.get(name, name): value for name, value in call.kwargs.items()})


Model: TypeAlias = "Callable[[Machine, Call], Value]"
Method: TypeAlias = "Callable[[Machine, Call, Value], Value]"
Attribute: TypeAlias = "Callable[[Machine, nodes.Node, Value], Value]"
Operator: TypeAlias = "Callable[[Machine, nodes.Node, str, Value, Value | None], Value | None]"

FUNCTIONS: dict[str, Model] = {}
METHODS: dict[tuple[str, str], Method] = {}
ATTRIBUTES: dict[tuple[str, str], Attribute] = {}
VALUES: dict[str, Callable[[Machine], Value]] = {}
OPERATORS: dict[str, Operator] = {}


def function(*names: str) -> Callable[[Model], Model]:
    """The model of functions or classes, by qualified name."""

    def register(model: Model) -> Model:
        for name in names:
            assert name not in FUNCTIONS, name
            FUNCTIONS[name] = model
        return model

    return register


def method(tag: str, *names: str) -> Callable[[Method], Method]:
    """The model of methods of values with this tag (see `tag_of`)."""

    def register(model: Method) -> Method:
        for name in names:
            assert (tag, name) not in METHODS, (tag, name)
            METHODS[tag, name] = model
        return model

    return register


def attribute(tag: str, *names: str) -> Callable[[Attribute], Attribute]:
    """The model of attributes of values with this tag."""

    def register(model: Attribute) -> Attribute:
        for name in names:
            ATTRIBUTES[tag, name] = model
        return model

    return register


def constant(*names: str) -> Callable[[Callable[[Machine], Value]], Callable[[Machine], Value]]:
    """The value of a name outside the project."""

    def register(make: Callable[[Machine], Value]) -> Callable[[Machine], Value]:
        for name in names:
            VALUES[name] = make
        return make

    return register


def operator(*tags: str) -> Callable[[Operator], Operator]:
    """The model of `a op b`, and of `op a` (`b` is None then), where one of them has this tag; None if it knows not."""

    def register(model: Operator) -> Operator:
        for tag in tags:
            assert tag not in OPERATORS, tag
            OPERATORS[tag] = model
        return model

    return register
