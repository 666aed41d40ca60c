"""Random calls of a model: right ones, ones at the edges, and ones that break the contract in one or two ways."""

from __future__ import annotations

import copy
import dataclasses
import random
from collections.abc import Iterator
from typing import Any

from aoti_lint.program.contract.model import Contract, Input, Node
from aoti_lint.program.facts import Size
from aoti_lint.program.symbolic import Symbol, evaluate
from aoti_lint.program.symbolic import parse as parse_size
from tests.program.contract.calls import Looks, contiguous, parse, show

DTYPES = ("float32", "float64", "float16", "bfloat16", "int64", "int32", "uint8", "bool")
LARGEST = 5000
"""A size above every bound of the models."""


class Generator:
    """Calls for one contract. The same seed gives the same calls."""

    def __init__(self, contract: Contract, types: dict[str, str], seed: int) -> None:
        self._contract = contract
        self._types = types
        self._random = random.Random(seed)

    def calls(self, count: int) -> Iterator[dict[str, Any]]:
        """So many different calls; fewer if the model has no more."""
        seen: set[str] = set()
        for _ in range(count * 20):
            call = self._right()
            breaks = (0, 0, 0, 1, 1, 1, 2) if self._contract.symbols else (0, 1, 1, 2, 3)
            for _ in range(self._random.choice(breaks)):
                call = self._broken(call)
            text = repr(call)
            if text not in seen:
                seen.add(text)
                yield call
            if len(seen) == count:
                return

    def _right(self) -> dict[str, Any]:
        values = {name: self._size(name) for name in self._contract.symbols}
        if sum(values.values()) > LARGEST + 100:
            # One large size is enough of the machine's memory.
            values = {name: min(value, 100) for name, value in values.items()}
        if self._random.random() < 0.15:
            # Sizes that agree with each other in none of the dims.
            values = {}
        args = [self._node(node, values) for node in self._contract.positional]
        kwargs = {node.path: self._node(node, values) for node in self._contract.keyword}
        return {"args": args, **({"kwargs": kwargs} if kwargs else {})}

    def _size(self, name: str) -> int:
        range_ = self._contract.symbols[name]
        low, high = range_.min or 0, range_.max if range_.max is not None else 70
        edges = [0, 1, 2, 3, 4, 5, 6, low - 1, low, high - 1, high, high + 1, self._random.randint(low, high + 4)]
        if range_.max is None and self._random.random() < 0.03:
            return LARGEST
        return max(self._random.choice([*edges, *(self._random.randint(low, high) for _ in range(14))]), 0)

    def _node(self, node: Node, values: dict[str, int]) -> Any:
        if node.input is not None:
            return self._leaf(self._contract.inputs[node.input], values)
        parts = [self._node(child, values) for child in node.children]
        if node.kind in ("list", "tuple"):
            return {node.kind: parts}
        kind = "dict" if node.kind == "dict" else self._types[node.path]
        return {kind: [[key, part] for key, part in zip(node.keys, parts, strict=True)]}

    def _leaf(self, item: Input, values: dict[str, int]) -> Any:
        if item.kind != "tensor":
            return {"value": item.value}
        shape = tuple(self._evaluated(size, values) for size in item.shape or ())
        strides = [
            self._evaluated(stride, {**values, **dict(zip(map(str, item.shape or ()), shape, strict=True))})
            for stride in item.strides or ()
        ]
        if 0 in shape or any(size == 1 for size in shape):
            strides = list(contiguous(shape)) if list(item.strides or ()) == sorted(strides, reverse=True) else strides
        return show(Looks(item.dtype or "float32", shape, tuple(strides) or contiguous(shape)))

    def _evaluated(self, size: Size, values: dict[str, int]) -> int:
        if isinstance(size, int):
            return size
        if size in values:
            return values[size]
        value = evaluate(parse_size(size), {Symbol(name): number for name, number in values.items()})
        return int(value) if value is not None and value >= 0 else self._random.randint(0, 12)

    def _broken(self, call: dict[str, Any]) -> dict[str, Any]:
        call = copy.deepcopy(call)
        places = list(_places(call))
        if not places or self._random.random() < 0.12:
            self._other_structure(call)
            return call
        holder, index = self._random.choice(places)
        item = holder[index]
        if isinstance(item, str):
            holder[index] = self._other_tensor(parse(item))
        elif "value" in item:
            holder[index] = {"value": self._other_value(item["value"])}
            if self._random.random() < 0.1:
                holder[index] = "float32[3]"
        else:
            self._other_container(holder, index)
        return call

    def _other_tensor(self, tensor: Looks) -> Any:
        shape = tensor.shape
        dim = self._random.randrange(len(shape)) if shape else 0
        match self._random.choice(["size", "size", "size", "dtype", "rank", "stride", "stride", "stride", "odd"]):
            case "size" if shape:
                size = max(
                    self._random.choice(
                        [shape[dim] - 1, shape[dim] + 1, 0, 1, shape[dim] * 2, self._random.randint(2, 99)]
                    ),
                    0,
                )
                shape = (*shape[:dim], size, *shape[dim + 1 :])
                return show(dataclasses.replace(tensor, shape=shape, strides=contiguous(shape)))
            case "dtype":
                return show(dataclasses.replace(tensor, dtype=self._random.choice(DTYPES)))
            case "rank":
                shape = self._random.choice([(*shape, 1), (1, *shape), shape[1:], shape[:-1], (*shape, 2), ()])
                return show(dataclasses.replace(tensor, shape=shape, strides=contiguous(shape)))
            case "stride" if shape:
                return show(dataclasses.replace(tensor, strides=self._strides(shape, dim)))
            case _:
                return self._random.choice([
                    show(dataclasses.replace(tensor, device="meta")), {"value": None}, {"value": 3}, {"value": 1.5},
                    {"list": [show(tensor)]}, {"tuple": [show(tensor)]}, {"value": "text"},
                ])  # fmt: skip

    def _strides(self, shape: tuple[int, ...], dim: int) -> tuple[int, ...]:
        """A transposed, expanded, sliced or padded tensor of that shape."""
        order = list(range(len(shape)))
        kind = self._random.choice(["permuted", "expanded", "sliced", "padded"])
        if kind == "permuted":
            self._random.shuffle(order)
        padded = [max(size, 1) + (self._random.randint(1, 3) if kind == "padded" and i == dim else 0)
                  for i, size in enumerate(shape)]  # fmt: skip
        strides = [0] * len(shape)
        step = 1
        for index in reversed(order):
            strides[index] = step
            step *= padded[index]
        if kind == "expanded":
            strides[dim] = 0
        if kind == "sliced":
            strides = [stride * (2 if index <= dim else 1) for index, stride in enumerate(strides)]
        return tuple(strides)

    def _other_value(self, value: Any) -> Any:
        others = [None, 0, 1, 2, 3, 4, -1, 1.5, 2.0, 3.0, True, False, "relu", "gelu", "", 10**12]
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            others += [value + 1, value - 1, float(value)]
        return self._random.choice(others)

    def _other_container(self, holder: Any, index: Any) -> None:
        ((kind, inside),) = holder[index].items()
        match self._random.choice(["order", "order", "less", "more", "kind"]):
            case "order":
                self._random.shuffle(inside)
            case "less":
                # Objects are made with all their fields.
                if inside and kind in ("list", "tuple", "dict", "ordered"):
                    inside.pop(self._random.randrange(len(inside)))
            case "more" if kind in ("dict", "ordered"):
                inside.append(["more", "float32[8]"])
            case "more" if kind in ("list", "tuple"):
                inside.append("float32[8]")
            case _:
                others = {"list": "tuple", "tuple": "list", "dict": "ordered", "ordered": "dict"}
                if kind in others:
                    holder[index] = {others[kind]: inside}
                else:
                    holder[index] = {"tuple": [part for _, part in inside]}

    def _other_structure(self, call: dict[str, Any]) -> None:
        args, kwargs = call["args"], call.get("kwargs", {})
        match self._random.choice(["less", "more", "none", "swap", "keyword", "unknown", "drop"]):
            case "less" if args:
                args.pop()
            case "more":
                args.append("float32[4, 8]")
            case "none":
                args.append({"value": None})
            case "swap" if len(args) > 1:
                args.reverse()
            case "keyword" if args:
                call["kwargs"] = {**kwargs, self._contract.positional[-1].path: args.pop()}
            case "drop" if kwargs:
                kwargs.pop(self._random.choice(sorted(kwargs)))
            case _:
                call["kwargs"] = {**kwargs, "other": {"value": 1}}


def _places(call: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    """Every argument and part of one, as what holds it and where."""
    for index in range(len(call["args"])):
        yield from _inside(call["args"], index)
    for key in call.get("kwargs", {}):
        yield from _inside(call["kwargs"], key)


def _inside(holder: Any, index: Any) -> Iterator[tuple[Any, Any]]:
    yield holder, index
    item = holder[index]
    if isinstance(item, str) or "value" in item:
        return
    ((kind, inside),) = item.items()
    for number, part in enumerate(inside):
        if kind in ("list", "tuple"):
            yield from _inside(inside, number)
        else:
            yield from _inside(part, 1)
