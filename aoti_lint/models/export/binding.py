"""The example inputs of an export beside what `dynamic_shapes` says of them, as torch itself lines them up.

Release 2.13.0, `torch/export/dynamic_shapes.py:720` (`_combine_args`: the inputs are bound to the parameters of
`forward`) and `:943` (`_check_dynamic_shapes`: both trees must have the same shape down to the tensors).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from aoti_lint.language.data.frozen import is_taken_apart
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.values.sizes.arguments import bind, bound
from aoti_lint.values.sizes.shapes import Input
from aoti_lint.values.torch_values import DimValue, Tensor
from aoti_lint.values.torch_values import Program as Exported
from aoti_lint.values.values import NONE, Class, Const, Pairs, Ref, Tup, Value


@dataclass(frozen=True, slots=True)
class Plain:
    """An input that is no tensor, and its entry of `dynamic_shapes`."""

    name: str
    value: Const
    spec: Value


@dataclass(frozen=True, slots=True)
class Mismatch:
    """`dynamic_shapes` has another structure than the inputs, at the place `at` ("" is the top).

    `fault` is "keys" where the names of a dict differ, "count" where the number of items does, else "kind".
    `wanted` and `given` are what the inputs and `dynamic_shapes` have there: names, numbers or words. `record` is the
    dataclass of the input, if it is one.
    """

    at: str
    fault: Literal["keys", "count", "kind"]
    wanted: tuple[object, ...]
    given: tuple[object, ...]
    record: str = ""


Part: TypeAlias = "Input | Plain | Mismatch"


@dataclass(frozen=True, slots=True)
class Misfit:
    """What of the inputs `forward` cannot be called with, by the names of its parameters.

    `unknown` are keywords that it has not, `missing` what it needs and nobody gives, `twice` what is given by position
    and by name. `placed` is how many inputs are given by position, where it takes `taken` only.
    """

    unknown: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    placed: int = 0
    taken: int = 0


def misfit(program: Exported) -> Misfit | None:
    """Why `forward` cannot be called with the inputs; None where it can, or where one of the two is not known."""
    found = bind(program)
    if found is None:
        return None
    given, left = found
    filled = {name for name, _ in given}
    optional = {name for name, _ in program.defaults}
    lone = [(name, kind) for name, kind in program.parameters or () if kind not in ("var", "kwvar")]
    made = Misfit(
        unknown=tuple(name for name in left if isinstance(name, str) and name not in filled),
        missing=tuple(name for name, _ in lone if name not in filled | optional),
        twice=tuple(name for name in left if isinstance(name, str) and name in filled),
        placed=len(program.args.items) if isinstance(program.args, Tup) and 0 in left else 0,
        taken=sum(kind != "kw" for _, kind in lone),
    )
    return made if left or made.missing else None


def parts(program: Exported) -> Iterator[Part]:
    """Every input with its entry of `dynamic_shapes`, and every place where the two do not line up.

    What is not known is left out.
    """
    spec, given = program.spec, bound(program)
    if spec in (NONE, Tup(()), Pairs(())):
        return
    if given is None:
        yield from _without_names(program)
    elif isinstance(spec, Pairs) and all(isinstance(key, Const) for key, _ in spec.pairs):
        entries = {key.value: entry for key, entry in spec.pairs if isinstance(key, Const)}
        names = [name for name, _ in given]
        if set(entries) != set(names):
            yield Mismatch("", "keys", tuple(names), tuple(entries))
        for name, value in given:
            if name in entries:
                yield from _walk(name, f"[{name!r}]", value, entries[name])
    elif isinstance(spec, Tup) and not spec.fields:
        if len(spec.items) != len(given):
            yield Mismatch("", "count", (len(given),), (len(spec.items),))
            return
        for index, ((name, value), entry) in enumerate(zip(given, spec.items, strict=True)):
            yield from _walk(name, f"[{index}]", value, entry)


def _without_names(program: Exported) -> Iterator[Part]:
    """The tensors whose entries are sure though the parameters of the forward are not known."""
    args = program.args.items if isinstance(program.args, Tup) else ()
    named = program.kwargs.pairs if isinstance(program.kwargs, Pairs) else ()
    pairs: list[tuple[str, Value, Value]] = []
    match program.spec:
        case Pairs(pairs=entries):
            pairs = [(str(k.value), v, e) for k, v in named for key, e in entries if isinstance(k, Const) and k == key]
            if len(args) == len(entries) == 1 and not named and isinstance(name := entries[0][0], Const):
                pairs = [(str(name.value), args[0], entries[0][1])]
        case Tup(items) if not named and len(items) == len(args):
            pairs = [(f"input {i}", v, e) for i, (v, e) in enumerate(zip(args, items, strict=True))]
    for label, value, entry in pairs:
        if isinstance(value, Tensor) and isinstance(entry, Pairs):
            yield Input(label, value, entry)


def _walk(name: str, at: str, value: Value, spec: Value) -> Iterator[Part]:
    match value:
        case Tensor():
            yield Input(name, value, spec)
        case Const():
            yield Plain(name, value, spec)
        case Tup(items, fields) if items and kind_of(value):
            wrong = _other_kind(at, value, spec)
            if wrong is not None:
                yield wrong
            elif isinstance(spec, Tup) and len(spec.items) != len(items):
                yield Mismatch(at, "count", (len(items),), (len(spec.items),), _record(value))
            elif isinstance(spec, Tup):
                for i, (item, entry) in enumerate(zip(items, spec.items, strict=True)):
                    inner = f"{name}.{fields[i]}" if fields else f"{name}[{i}]"
                    yield from _walk(inner, f"{at}.{fields[i]}" if fields else f"{at}[{i}]", item, entry)
        case Pairs(pairs) if pairs and all(isinstance(key, Const) for key, _ in pairs):
            wrong = _other_kind(at, value, spec)
            if wrong is not None:
                yield wrong
            elif isinstance(spec, Pairs) and all(isinstance(key, Const) for key, _ in spec.pairs):
                entries, keys = dict(spec.pairs), [key for key, _ in pairs]
                if set(entries) != set(keys):
                    have, said = (tuple(k.value for k in some if isinstance(k, Const)) for some in (keys, entries))
                    yield Mismatch(at, "keys", have, said)
                    return
                for key, item in pairs:
                    shown = f"[{key.value!r}]" if isinstance(key, Const) else ""
                    yield from _walk(f"{name}{shown}", f"{at}{shown}", item, entries[key])


def _other_kind(at: str, value: Value, spec: Value) -> Mismatch | None:
    """The mismatch where `dynamic_shapes` has another kind of container, or none, for a container of inputs.

    For an instance of a registered dataclass it has a list (run on torch 2.13).
    """
    record, given = _record(value), kind_of(spec)
    wanted = "a list" if record else kind_of(value)
    return Mismatch(at, "kind", (wanted,), (given,), record) if given and wanted != given else None


def _record(value: Value) -> str:
    """The name of the registered dataclass that an input is of; empty where it is of none."""
    return value.cls.name if isinstance(value, Tup) and isinstance(value.cls, Class) and is_taken_apart(value) else ""


def kind_of(value: Value) -> str:
    """What a container, or what stands where one belongs, is called; empty where that is not known."""
    match value:
        case Tup(cls=Class(qualname=name)) if is_taken_apart(value):
            return f"an instance of {name}"
        case Tup(fields=fields) if fields:
            return "a named tuple"
        case Tup(cls=None):
            return "a tuple"
        case Tup(cls=Ref(name="list")):
            return "a list"
        case Pairs():
            return "a dict"
        case DimValue():
            return "a Dim"
        case Const(value=None):
            return "None"
        case Const(value=bool() | int() | float() | str()):
            return repr(value.value)
        case _:
            return ""
