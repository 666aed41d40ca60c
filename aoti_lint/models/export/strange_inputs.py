"""Inputs and outputs of classes that nobody told torch how to take apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from aoti_lint.language import access
from aoti_lint.language.classes import modules
from aoti_lint.machine.machine import GIVEN, KEYLESS, NAMED, NODE, Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.tensors.operations.reduce import OF_TORCH
from aoti_lint.torch_api.dtypes import DTYPES
from aoti_lint.values.call import Call
from aoti_lint.values.torch_values import Device, DimValue
from aoti_lint.values.values import (
    NONE,
    TRUE,
    Class,
    Const,
    Func,
    Obj,
    Pairs,
    Ref,
    SliceValue,
    Tup,
    Unknown,
    Value,
)

Lack: TypeAlias = Literal["fields", "registration", "keys", "tensor", "strided", "place", "array"]
"""What torch does not know of a class: the fields of a dataclass, how to take it apart, or the names of its parts; or
that it is a `Dim`, which stands in the place of a tensor, or a nested tensor that is not jagged; or that of something
of Python's or torch's own that has no place in an output; or that it is an array of NumPy."""
Kind: TypeAlias = Literal["dataclass", "named tuple", "node", "tuple of torch"]
"""What an instance is that torch takes apart, and cannot write down; a `node` by functions that it was given."""
STRIDED = "strided nested tensors"
"""Owner of cells, one for the key of each nested tensor whose layout surely is not jagged."""
PLAIN = frozenset(Ref(name) for name in (
    "object", "abc.ABC", "typing.Generic", "typing.Protocol", "dict", "list", "tuple", "set", "frozenset",
    "collections.OrderedDict", "collections.defaultdict", "collections.deque", "collections.UserDict",
))  # fmt: skip
"""Bases that have no say in how torch takes an instance apart: it knows containers, and no classes made of them."""


@function("torch.nested.nested_tensor", "torch.nested.as_nested_tensor")
def _nested(m: Machine, call: Call) -> Value:
    made = m.unknown(call.node, "a nested tensor")
    layout = m.see(call.arg(3, "layout") or Ref("torch.strided"))
    parts = m.see(call.arg(0, "tensor_list") or call.arg(0, "ts") or NONE)
    if layout == Ref("torch.strided") and not call.open and isinstance(parts, Obj | Tup):
        m.store.write(STRIDED, made.key, TRUE)
    return made


def outputs(m: Machine, result: Value) -> tuple[tuple[str, Lack], ...]:
    """The classes of what a forward gives that are such, and what they lack; no path needs the names of parts there.

    A `Dim` is only made of one that is an input.
    """
    found = tuple((cls, lack) for _, cls, lack in _within(m, "", result) if lack in ("fields", "registration"))
    return found + tuple((name, "place") for name in _without_place(m, result))


def _without_place(m: Machine, value: Value) -> Iterator[str]:
    """What an output holds that is no tensor, number or text, nor a container of such: the names of the classes."""
    match value:
        case Tup(cls=Ref(name="set")):
            yield "set"
        case Tup(items):
            for item in items:
                yield from _without_place(m, item)
        case Pairs(pairs):
            for _, item in pairs:
                yield from _without_place(m, item)
        case Const(bytes() | complex() as held):
            yield type(held).__name__
        case Device():
            yield "torch.device"
        case Ref(name) if name in DTYPES:
            yield "torch.dtype"
        case Func():
            yield "function"
        case SliceValue():
            yield "slice"
        case Obj(kind="iterator" | "view" as kind):
            yield "generator" if kind == "iterator" else "view of a dict"
        case Obj(cls=Class() | Ref() as cls) if modules.is_module(m, value) and m.read("torch", GIVEN) is None:
            if isinstance(cls, Ref) or m.read(cls.ident, GIVEN) is None:
                yield cls.qualname if isinstance(cls, Class) else cls.name


def found(m: Machine, args: Value, kwargs: Value, names: tuple[str, ...] | None) -> Iterator[tuple[str, str, Lack]]:
    """The inputs that are instances of such a class: how they are reached, its name, what it lacks.

    A class that was handed to any code that is not followed may have been registered there.
    """
    for name, value in inputs(args, kwargs, names):
        yield from _within(m, name, value)


def unnamed(m: Machine, name: str, value: Value, *, output: bool = False) -> Iterator[tuple[str, str, Kind]]:
    """The parts of a frozen input or output that torch takes apart and cannot write down, as it has no name for them.

    How each is reached from `name`, the class, and what it is. Run on torch 2.13 (tests/proof/scripts/aoti222_*.py).
    Of a class without keys no input comes so far.
    """
    match value:
        case Tup(items, fields, cls):
            if fields and (kind := _unnamed_kind(m, cls)) is not None:
                yield name, cls.qualname if isinstance(cls, Class) else "", kind
            for i, item in enumerate(items):
                yield from unnamed(m, f"{name}.{fields[i]}" if fields else f"{name}[{i}]", item, output=output)
        case Obj(kind="instance", cls=Class() as cls):
            given = m.read(cls.ident, GIVEN) or (m.read(cls.ident, KEYLESS) if output else None)
            if given == NODE and m.read(cls.ident, NAMED) is None:
                yield name, cls.qualname, "node"
        case Pairs(pairs):
            for key, item in pairs:
                inside = f"{name}[{key.value!r}]" if isinstance(key, Const) else f"{name}[…]"
                yield from unnamed(m, inside, item, output=output)


def _unnamed_kind(m: Machine, cls: Value | None) -> Kind | None:
    if cls is None:
        return "named tuple" if m.read("torch", NAMED) is None else None
    if not isinstance(cls, Class):
        return "tuple of torch" if cls == OF_TORCH else None
    if m.read(cls.ident, NAMED) is not None:
        return None
    if "dataclass" in cls.traits:
        return "dataclass"
    return "named tuple" if "namedtuple" in cls.traits and m.read(cls.ident, GIVEN) is None else None


def inputs(args: Value, kwargs: Value, names: tuple[str, ...] | None) -> Iterator[tuple[str, Value]]:
    """The example inputs of an export, and what they are called."""
    for index, value in enumerate(args.items if isinstance(args, Tup) else ()):
        yield names[index] if names and index < len(names) else f"input {index}", value
    for key, value in kwargs.pairs if isinstance(kwargs, Pairs) else ():
        yield str(key.value) if isinstance(key, Const) else "?", value


def _within(m: Machine, name: str, value: Value) -> Iterator[tuple[str, str, Lack]]:
    match value:
        case Tup(items, fields):
            for i, item in enumerate(items):
                yield from _within(m, f"{name}.{fields[i]}" if fields else f"{name}[{i}]", item)
        case Pairs(pairs):
            for key, item in pairs:
                yield from _within(m, f"{name}[{key.value!r}]" if isinstance(key, Const) else f"{name}[…]", item)
        case DimValue(kind="named" | "derived"):
            yield name, "Dim", "tensor"
        case Obj(kind="object", cls=Ref("numpy.ndarray")):
            yield name, "numpy.ndarray", "array"
        case Unknown(key) if m.read(STRIDED, key) is not None:
            yield name, "nested tensor", "strided"
        case Obj(kind="instance", cls=Class() as cls) if m.read(cls.ident, KEYLESS) is not None:
            if m.read(cls.ident, GIVEN) is None:
                yield name, cls.qualname, "keys"
        case Obj(kind="instance", cls=Class() as cls) if _is_unknown_to_torch(m, cls):
            yield name, cls.qualname, "fields" if "dataclass" in cls.traits else "registration"


def _is_unknown_to_torch(m: Machine, cls: Class) -> bool:
    line = access.ancestors(m, cls)
    ours = [one for one in line if isinstance(one, Class)]
    return (
        m.read("torch", GIVEN) is None
        and all(isinstance(one, Class) or one in PLAIN for one in line)
        and not cls.traits - {"dataclass"}
        and not any(m.read(one.ident, slot) is not None for one in ours for slot in (GIVEN, access.METACLASS))
    )
