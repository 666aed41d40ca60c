"""The table of models: how functions, methods and attributes outside the project behave on abstract values.

Adding an API is adding a function with one of the decorators below. A model takes the machine and the call and gives
the value of the call; it may emit events and change the store.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from aoti_lint.ir import nodes
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.values import Value

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
