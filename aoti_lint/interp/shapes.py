"""Which dimensions of a program's inputs are dynamic, and how a call's inputs line up with its examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from aoti_lint.interp.values import NONE, Const, DimValue, Pairs, Program, Tensor, Tup, Unknown, Value

if TYPE_CHECKING:
    from aoti_lint.diagnostics import Span
    from aoti_lint.interp.events import CallEvent

Freedom = Literal["static", "dynamic", "auto", "unknown"]
MARKED = Unknown("no spec")
"""The spec of an input whose `dynamic_shapes` entry cannot be told."""


@dataclass(frozen=True, slots=True)
class Input:
    """One example tensor: how a message names it, the tensor, and its entry of `dynamic_shapes`."""

    name: str
    tensor: Tensor
    spec: Value

    def freedom(self, program: Program, dim: int) -> Freedom:
        """Whether dimension `dim` may change from call to call."""
        marked = self.marked(program, dim)
        return marked if marked is not None else freedom(self.spec, dim)

    def marked(self, program: Program, dim: int) -> Freedom | None:
        """What `mark_dynamic` and the like say of the dimension; None if they say nothing."""
        for key, dims in program.marks:
            if key == self.tensor.key:
                items = dims.items if isinstance(dims, Tup) else (dims,)
                if Const(dim) in items:
                    return "dynamic"
                if any(not isinstance(i, Const) for i in items):
                    return "unknown"
        return None


def freedom(spec: Value, dim: int) -> Freedom:
    """What one tensor's entry of `dynamic_shapes` says of dimension `dim`."""
    entry: Value
    match spec:
        case Const(None):
            return "static"
        case Pairs(pairs):
            if any(not isinstance(k, Const) or (isinstance(k.value, int) and k.value < 0) for k, _ in pairs):
                return "unknown"
            entry = next((v for k, v in pairs if k == Const(dim)), NONE)
        case Tup(items):
            entry = items[dim] if dim < len(items) else Unknown("missing")
        case _:
            return "unknown"
    match entry:
        case Const(value) if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return "static"
        case DimValue(kind="STATIC"):
            return "static"
        case DimValue(kind="AUTO"):
            return "auto"
        case DimValue():
            return "dynamic"
        case _:
            return "unknown"


def inputs(program: Program) -> Iterator[Input]:
    """The example tensors of a program with their specs, in order."""
    positional = program.args.items if isinstance(program.args, Tup) else ()
    names = program.signature or ()
    for i, value in enumerate(positional):
        name = names[i] if i < len(names) else f"input {i}"
        yield from _leaves(name, value, _entry(program.spec, name, i))
    if isinstance(program.kwargs, Pairs):
        for key, value in program.kwargs.pairs:
            name = str(key.value) if isinstance(key, Const) else "?"
            position = names.index(name) if name in names else None
            yield from _leaves(name, value, _entry(program.spec, name, position))


def _entry(spec: Value, name: str, position: int | None) -> Value:
    """The part of `dynamic_shapes` for one argument."""
    match spec:
        case Const(None):
            return NONE
        case Pairs(pairs):
            found = next((v for k, v in pairs if k == Const(name)), None)
            # The keys are parameter names, which we may not know: then the order decides.
            if found is None and name.startswith("input ") and position is not None and position < len(pairs):
                return pairs[position][1]
            return found if found is not None else MARKED
        case Tup(items):
            return items[position] if position is not None and position < len(items) else MARKED
        case _:
            return MARKED


def _leaves(name: str, value: Value, spec: Value) -> Iterator[Input]:
    match value:
        case Tensor():
            yield Input(name, value, spec)
        case Tup(items, fields):
            for i, item in enumerate(items):
                inner = (
                    spec.items[i] if isinstance(spec, Tup) and i < len(spec.items) else spec if spec == NONE else MARKED
                )
                yield from _leaves(f"{name}.{fields[i]}" if fields else f"{name}[{i}]", item, inner)
        case Pairs(pairs):
            for key, item in pairs:
                label = repr(key.value) if isinstance(key, Const) else "?"
                found = (
                    next((v for k, v in spec.pairs if k == key), MARKED)
                    if isinstance(spec, Pairs)
                    else spec
                    if spec == NONE
                    else MARKED
                )
                yield from _leaves(f"{name}[{label}]", item, found)
        case _:
            return


@dataclass(frozen=True, slots=True)
class Paired:
    """An example tensor and the tensor a call gives in its place, as argument `index` or under the name `key`."""

    example: Input
    given: Tensor
    index: int | None
    key: str | None


def pair(program: Program, args: tuple[Value, ...], kwargs: dict[str, Value]) -> list[Paired]:
    """The tensors of a call beside the examples they stand for. What does not line up is left out."""
    examples = list(inputs(program))
    given: dict[str, tuple[Tensor, int | None, str | None]] = {}
    names = program.signature or ()
    for i, value in enumerate(args):
        name = names[i] if i < len(names) else f"input {i}"
        for leaf in _leaves(name, value, NONE):
            given[leaf.name] = (leaf.tensor, i, None)
    for key, value in kwargs.items():
        for leaf in _leaves(key, value, NONE):
            given[leaf.name] = (leaf.tensor, None, key)
    return [Paired(e, *given[e.name]) for e in examples if e.name in given]


def place_of(event: CallEvent, paired: Paired) -> Span:
    """The argument, where it was given by position; else the call."""
    if paired.index is not None and paired.index < len(event.arg_spans):
        return event.arg_spans[paired.index]
    return event.span
