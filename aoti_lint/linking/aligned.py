"""The arguments of a call beside the example inputs of an export, as torch lines them up.

It flattens both trees of `(args, kwargs)`; the names of the forward's parameters play no part. Release 2.13.0,
`torch/export/pt2_archive/_package.py:737` (a package) and `torch/export/_unlift.py:70` (`ep.module()`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from aoti_lint.diagnostics import Span
from aoti_lint.language.data.frozen import MOVED
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.models.export.binding import kind_of
from aoti_lint.values.events.packages import Calling
from aoti_lint.values.sizes.arguments import named
from aoti_lint.values.sizes.shapes import merged
from aoti_lint.values.torch_values import Device, Program, Tensor
from aoti_lint.values.values import NONE, Const, Func, Pairs, PathValue, Ref, Text, Tup, Value


@dataclass(frozen=True, slots=True)
class Beside:
    """An example input that holds no others, and what the call gives in its place.

    `place` is the argument that it is part of, as a position or the name of a keyword.
    """

    name: str
    example: Value
    given: Value
    place: int | str


@dataclass(frozen=True, slots=True)
class Odd:
    """The call has another structure than the example inputs at `name` ("" is the call as a whole).

    `fault`: "keywords" and "count" for the call as a whole; "keys", "order", "count" and "kind" for a container.
    `wanted` and `given` are what the example and the call have there: names, numbers or words.
    """

    name: str
    fault: Literal["keywords", "keys", "order", "count", "kind"]
    wanted: tuple[object, ...]
    given: tuple[object, ...]
    place: int | str | None = None


Part: TypeAlias = "Beside | Odd"
Leaf: TypeAlias = "Literal['tensor', 'other', 'unknown']"


def aligned(program: Program, event: Calling) -> Iterator[Part]:
    """Every example input with what stands in its place, and every place where the two trees differ.

    Nothing where the arguments or the examples are not all known. A call that is given the tensors alone, in one flat
    row (`event.flat`), has only places.
    """
    examples = keywords(program)
    if event.open or not isinstance(program.args, Tup) or examples is None:
        return
    if event.flat:
        yield from _in_a_row(program, event)
        return
    if set(examples) != set(event.kwargs):
        yield Odd("", "keywords", tuple(examples), tuple(event.kwargs))
    if len(program.args.items) != len(event.args):
        yield Odd("", "count", (len(program.args.items),), (len(event.args),))
    for i, (example, given) in enumerate(zip(program.args.items, event.args, strict=False)):
        yield from _walk(named(program, i), example, given, i)
    for key, given in event.kwargs.items():
        if key in examples:
            yield from _walk(named(program, key), examples[key], given, key)


def keywords(program: Program) -> dict[str, Value] | None:
    """The example inputs that were given by name; None if they are not all known."""
    if program.kwargs == NONE:
        return {}
    if not isinstance(program.kwargs, Pairs):
        return None
    found = {k.value: v for k, v in program.kwargs.pairs if isinstance(k, Const) and isinstance(k.value, str)}
    return found if len(found) == len(program.kwargs.pairs) else None


def _in_a_row(program: Program, event: Calling) -> Iterator[Beside]:
    positional = program.args.items if isinstance(program.args, Tup) else ()
    inputs = [(named(program, i), value) for i, value in enumerate(positional)]
    inputs += [(named(program, key), value) for key, value in (keywords(program) or {}).items()]
    wanted = [leaf for name, value in inputs for leaf in flattened(value, name) if kind_of_leaf(leaf[1]) != "other"]
    if any(kind_of_leaf(value) == "unknown" for _, value in wanted) or len(wanted) != len(event.args):
        return
    for i, ((name, example), given) in enumerate(zip(wanted, event.args, strict=True)):
        yield Beside(name, example, merged(given), i)


def _walk(name: str, example: Value, given: Value, place: int | str) -> Iterator[Part]:
    example, given = merged(example), merged(given)
    wanted, got = _kind(example), _kind(given)
    if wanted and got and wanted != got:
        yield Odd(name, "kind", (wanted,), (got,), place)
        return
    match example, given:
        case Tup(items, fields), Tup(others):
            if len(items) != len(others):
                yield Odd(name, "count", (len(items),), (len(others),), place)
                return
            for i, (one, other) in enumerate(zip(items, others, strict=True)):
                yield from _walk(f"{name}.{fields[i]}" if fields else f"{name}[{i}]", one, other, place)
        case Pairs(pairs), Pairs(others):
            keys, have = ([k.value for k, _ in some if isinstance(k, Const)] for some in (pairs, others))
            if len(keys) != len(pairs) or len(have) != len(others):
                return
            plain = {k.value for k, v in pairs if isinstance(k, Const) and kind_of_leaf(v) == "other"}
            if set(keys) != set(have):
                yield Odd(name, "keys", tuple(keys), tuple(have), place)
            elif [k for k in keys if k not in plain] != [k for k in have if k not in plain]:
                yield Odd(name, "order", tuple(keys), tuple(have), place)
            found = dict(others)
            for key, one in pairs:
                if key in found and isinstance(key, Const):
                    yield from _walk(f"{name}[{key.value!r}]", one, found[key], place)
        case _ if not isinstance(example, Tup | Pairs) and not isinstance(given, Tup | Pairs):
            yield Beside(name, example, given, place)


def _kind(value: Value) -> str:
    """What a container, or surely a tensor, is called; empty where it may be anything, or is no input of its own."""
    if isinstance(value, Tup | Pairs):
        return kind_of(value)
    return "a tensor" if kind_of_leaf(value) == "tensor" else ""


def kind_of_leaf(value: Value) -> Leaf:
    """Whether a value is surely a tensor, surely none, or may be one."""
    if isinstance(value, Tensor):
        # Of something unknown that was moved we know where it is, not what it is.
        return "unknown" if value.key.startswith(MOVED) else "tensor"
    return "other" if isinstance(value, Const | Text | PathValue | Device | Ref | Func) else "unknown"


def flattened(value: Value, name: str) -> Iterator[tuple[str, Value]]:
    """The parts of a value that hold no others, in the order of torch's pytree."""
    value = merged(value)
    match value:
        case Tup(items, fields):
            for i, item in enumerate(items):
                yield from flattened(item, f"{name}.{fields[i]}" if fields else f"{name}[{i}]")
        case Pairs(pairs):
            for key, item in pairs:
                yield from flattened(item, f"{name}[{key.value!r}]" if isinstance(key, Const) else name)
        case _:
            yield name, value


def span_of(event: Calling, place: int | str | None) -> Span:
    """The argument, where it was given by position; else the call."""
    if isinstance(place, int) and place < len(event.arg_spans):
        return event.arg_spans[place]
    return event.span
