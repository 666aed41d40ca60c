"""Which dimensions of a program's inputs are dynamic, and how a call's inputs line up with its examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass, replace
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.choices import choose, under
from aoti_lint.values.conditions import Cond, Path
from aoti_lint.values.events.forwards import OpenSize
from aoti_lint.values.events.packages import Calling
from aoti_lint.values.sizes.arguments import entry_at, entry_in, named
from aoti_lint.values.sizes.symbols import LEAST, Expr
from aoti_lint.values.torch_values import DimValue, Program, Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Choice, Const, Pairs, Size, Sym, Tup, Unknown, Value

Freedom = Literal["static", "dynamic", "auto", "unknown"]
"""What `dynamic_shapes` lets a dimension be."""
NON_STRICT = VersionSet.since("2.8")
"""The releases that export without `strict=True` where nothing is said."""


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

    def declared(self, dim: int) -> DimValue | None:
        """The entry of `dynamic_shapes` for dimension `dim`, if that is a `Dim` of some kind."""
        found: Value | None = None
        if isinstance(self.spec, Pairs):
            found = next((v for k, v in self.spec.pairs if k == Const(dim)), None) or self._from_the_end(dim)
        elif isinstance(self.spec, Tup) and dim < len(self.spec.items):
            found = self.spec.items[dim]
        return found if isinstance(found, DimValue) else None

    def _from_the_end(self, dim: int) -> Value | None:
        """A named `Dim` under a negative index, which counts from the end (run on torch 2.13); hints do not."""
        index = Const(dim - len(self.tensor.shape or ()))
        found = next((v for k, v in self.spec.pairs if k == index), None) if isinstance(self.spec, Pairs) else None
        return found if isinstance(found, DimValue) and found.kind == "named" else None

    def opened(self, program: Program) -> tuple[Tensor, list[OpenSize]] | None:
        """The tensor with an open size wherever one is declared dynamic, and these; None where all are fixed.

        A named `Dim` is one size wherever it is used: `("dim", its name, 0)`. What may be dynamic and is not known to
        be one of these is unknown.
        """
        if self.tensor.shape is None:
            return None
        sizes: list[Value] = []
        found = []
        for index, size in enumerate(self.tensor.shape):
            dim = self.declared(index)
            if dim is not None and dim.kind in ("named", "AUTO", "DYNAMIC") and is_size(size):
                of = dim.name if dim.kind == "named" else f"{self.name}.shape[{index}]"
                found.append(OpenSize(Expr("dim", of, 0), self.name, index, dim, size.value))  # type: ignore[attr-defined]
                sizes.append(Size(f"Dim {of}", "a size", found[-1].root))
            elif self.freedom(program, index) != "static":
                sizes.append(Unknown(f"{self.tensor.key}.shape[{index}]", "a size that may be dynamic"))
            else:
                sizes.append(size)
        if tuple(sizes) == self.tensor.shape:
            return None
        return replace(self.tensor, shape=tuple(sizes), strides=_strides(self.tensor, sizes)), found

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


def _strides(example: Tensor, sizes: list[Value]) -> tuple[int | None, ...] | None:
    """The strides of an example with other sizes: what lies outside of an open size has a stride that hangs on it."""
    if example.strides is None:
        return None
    free = [at or 0 for size, at in zip(sizes, example.strides, strict=True) if not isinstance(size, Const)]
    return tuple(at if at is not None and all(at <= inner for inner in free) else None for at in example.strides)


def is_size(value: Value) -> bool:
    """Whether a size is known, and large enough that tracing leaves it open."""
    return isinstance(value, Const) and isinstance(value.value, int) and value.value >= LEAST


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


def non_strict(program: Program) -> VersionSet:
    """The releases in which the export is surely not one with `strict=True`."""
    if program.strict == FALSE:
        return ~VersionSet()
    return NON_STRICT if program.strict == NONE else VersionSet()


def strict(program: Program) -> VersionSet:
    """The releases in which the export surely is one with `strict=True`, which was the default before."""
    if program.strict == TRUE:
        return ~VersionSet()
    return ~NON_STRICT if program.strict == NONE else VersionSet()


def inputs(program: Program) -> Iterator[Input]:
    """The example tensors of a program with their specs, in order."""
    for at, value in enumerate(program.args.items if isinstance(program.args, Tup) else ()):
        yield from _leaves(named(program, at), value, entry_at(program, at))
    for key, value in program.kwargs.pairs if isinstance(program.kwargs, Pairs) else ():
        keyword = str(key.value) if isinstance(key, Const) else "?"
        yield from _leaves(named(program, keyword), value, entry_at(program, keyword))


def merged(value: Value) -> Value:
    """Alternatives as one value whose parts have them: a tensor with a device and sizes that depend on the answer."""
    if not isinstance(value, Choice):
        return value
    cond, first, second = value.cond, merged(value.then), merged(value.other)
    match first, second:
        case Tensor(), Tensor():
            a, b = first.shape, second.shape
            shape = None
            if a is not None and b is not None and len(a) == len(b):
                shape = tuple(choose(cond, x, y) for x, y in zip(a, b, strict=True))
            strides = first.strides if first.strides == second.strides else None
            return replace(first, device=choose(cond, first.device, second.device), shape=shape, strides=strides)
        case Tensor(device=device, shape=sizes), Unknown() | Sym():
            shape = None if sizes is None else tuple(choose(cond, x, second) for x in sizes)
            return replace(first, device=choose(cond, device, second), shape=shape, strides=None)
        case Unknown() | Sym(), Tensor(device=device, shape=sizes):
            shape = None if sizes is None else tuple(choose(cond, first, x) for x in sizes)
            return replace(second, device=choose(cond, first, device), shape=shape, strides=None)
        case Tup(items=items), Tup(items=others) if len(items) == len(others) and first.fields == second.fields:
            pairs = zip(items, others, strict=True)
            return Tup(tuple(merged(choose(cond, x, y)) for x, y in pairs), first.fields, first.cls)
        case Pairs(pairs=mine), Pairs(pairs=theirs) if [k for k, _ in mine] == [k for k, _ in theirs]:
            return Pairs(tuple((k, merged(choose(cond, x, y))) for (k, x), (_, y) in zip(mine, theirs, strict=True)))
        case _:
            return value


def _leaves(name: str, value: Value, spec: Value) -> Iterator[Input]:
    value = merged(value)
    match value:
        case Tensor():
            yield Input(name, value, spec)
        case Tup(items, fields):
            for i, item in enumerate(items):
                yield from _leaves(f"{name}.{fields[i]}" if fields else f"{name}[{i}]", item, entry_in(spec, i))
        case Pairs(pairs):
            for key, item in pairs:
                label = repr(key.value) if isinstance(key, Const) else "?"
                yield from _leaves(f"{name}[{label}]", item, entry_in(spec, key))
        case _:
            return


MAX_VARIANTS = 8
"""Forms that what one export was given may have before they are not told apart."""


def variants(program: Program, path: Path) -> list[tuple[dict[Cond, bool], Program]]:
    """The program in every form that its example inputs and `dynamic_shapes` may have, with the answers each needs."""
    todo: list[tuple[dict[Cond, bool], Program]] = [(dict(path), program)]
    if not any(True for value in (program.args, program.kwargs, program.spec) for _ in open_questions(value)):
        return todo
    done: list[tuple[dict[Cond, bool], Program]] = []
    while todo:
        answers, one = todo.pop()
        args, kwargs, spec = (settled(v, answers) for v in (one.args, one.kwargs, one.spec))
        one = replace(one, args=args, kwargs=kwargs, spec=spec)
        cond = next((c for v in (args, kwargs, spec) for c in open_questions(v)), None)
        if cond is None:
            done.append((answers, one))
        else:
            todo += [({**answers, cond: False}, one), ({**answers, cond: True}, one)]
        if len(done) + len(todo) > MAX_VARIANTS:
            return [(dict(path), program)]
    return done


def settled(value: Value, path: Path) -> Value:
    """What was given to an export as far as `path` decides it."""
    match value:
        case Choice():
            seen = under(value, path)
            return seen if isinstance(seen, Choice) else settled(seen, path)
        case Tup(items, fields, cls):
            return Tup(tuple(settled(i, path) for i in items), fields, cls)
        case Pairs(pairs):
            return Pairs(tuple((k, settled(v, path)) for k, v in pairs))
        case _:
            return value


def open_questions(value: Value) -> Iterator[Cond]:
    """The conditions that the structure of example inputs or of `dynamic_shapes` depends on."""
    match value:
        case Choice(cond=cond):
            yield cond
        case Tup(items):
            for item in items:
                yield from open_questions(item)
        case Pairs(pairs):
            for _, item in pairs:
                yield from open_questions(item)


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
    given = tensors(args, kwargs, partial(named, program), partial(named, program))
    return [Paired(e, *given[e.name]) for e in examples if e.name in given]


def tensors(
    args: tuple[Value, ...],
    kwargs: dict[str, Value],
    name_of: Callable[[int], str],
    keyword_of: Callable[[str], str] = str,
) -> dict[str, tuple[Tensor, int | None, str | None]]:
    """The tensors of a call by how they are reached ("x", "batch['ids'][0]"), with the argument each is part of.

    `name_of` names a positional argument, `keyword_of` that of a keyword. An argument is an index or the name of a
    keyword.
    """
    given: dict[str, tuple[Tensor, int | None, str | None]] = {}
    for i, value in enumerate(args):
        for leaf in _leaves(name_of(i), value, NONE):
            given[leaf.name] = (leaf.tensor, i, None)
    for key, value in kwargs.items():
        for leaf in _leaves(keyword_of(key), value, NONE):
            given[leaf.name] = (leaf.tensor, None, key)
    return given


def place_of(event: Calling, paired: Paired) -> Span:
    """The argument, where it was given by position; else the call."""
    if paired.index is not None and paired.index < len(event.arg_spans):
        return event.arg_spans[paired.index]
    return event.span
