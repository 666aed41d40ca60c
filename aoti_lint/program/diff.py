"""What differs between two files, and which of it breaks code that was written for the first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from aoti_lint.program import facts
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.symbolic import Expr, Number, Symbol, evaluate, parse, python, replace
from aoti_lint.program.words import debug_words, range_text, sizes_text

_T = TypeVar("_T", facts.Program, facts.Package)


class Difference(BaseModel):
    """One thing that changed. `breaking` says that a call, a load or a host that was right may no longer be."""

    model_config = ConfigDict(frozen=True)

    model: str = Field(description="The model it is about; empty for the file.")
    what: str
    before: str | None
    after: str | None
    breaking: bool
    why: str = Field(default="", description="What happens to a caller, for a breaking one.")


class Comparison(BaseModel):
    """The JSON document of `inspect A B`."""

    model_config = ConfigDict(frozen=True)

    format: Literal["aoti-lint/inspect-diff-1"] = "aoti-lint/inspect-diff-1"
    before: str
    after: str
    differences: tuple[Difference, ...]


def compare(before: facts.Archive, after: facts.Archive) -> list[Difference]:
    """What changed from `before` to `after`, the breaking first."""
    found = [
        *_models("program", before.programs, after.programs, _programs),
        *_models("package", before.packages, after.packages, _packages),
    ]
    if before.kind != after.kind:
        found.append(_difference("", "kind of file", before.kind, after.kind, "it is loaded by another function"))
    return sorted(found, key=lambda item: not item.breaking)


def _difference(model: str, what: str, before: object, after: object, why: str = "") -> Difference:
    return Difference(
        model=model,
        what=what,
        before=None if before is None else str(before),
        after=None if after is None else str(after),
        breaking=bool(why),
        why=why,
    )


def _changed(model: str, what: str, before: object, after: object, why: str = "") -> Iterator[Difference]:
    if before != after:
        yield _difference(model, what, before, after, why)


def _models(
    word: str, before: Sequence[_T], after: Sequence[_T], each: Callable[[str, _T, _T], Iterator[Difference]]
) -> Iterator[Difference]:
    old, new = ({item.name: item for item in items} for items in (before, after))
    if len(old) == len(new) == 1:
        # One model: its name is only the key it is loaded by.
        (a,), (b,) = old.values(), new.values()
        yield from _changed("", f"name of the {word}", a.name, b.name, "loading it by its old name fails")
        yield from each(next(iter(new)), a, b)
        return
    for name in old.keys() - new.keys():
        yield _difference(name, word, "there", None, "loading it fails")
    for name in new.keys() - old.keys():
        yield _difference(name, word, None, "there")
    for name in sorted(old.keys() & new.keys()):
        yield from each(name, old[name], new[name])


def _programs(name: str, a: facts.Program, b: facts.Program) -> Iterator[Difference]:
    yield from _interface(name, a.inputs, b.inputs, a.dims, b.dims, a.outputs, b.outputs)
    yield from _changed(name, "parameters of forward", a.signature, b.signature)
    for guard in sorted(set(b.guards) - set(a.guards)):
        yield _difference(name, "guard", None, guard, "inputs that do not meet it are refused")
    for guard in sorted(set(a.guards) - set(b.guards)):
        yield _difference(name, "guard", guard, None)
    yield from _weights(name, a.weights, b.weights)
    yield from _ops(name, a.custom_ops, b.custom_ops)
    for op in sorted(a.ops.keys() | b.ops.keys()):
        yield from _changed(name, f"calls of {op}", a.ops.get(op, 0), b.ops.get(op, 0))
    yield from _changed(name, "torch", a.torch_version, b.torch_version)
    major = (a.schema_version or (0,))[0] != (b.schema_version or (0,))[0]
    why = "an older torch cannot load it" if major else ""
    yield from _changed(name, "schema", _dotted(a.schema_version), _dotted(b.schema_version), why)


def _packages(name: str, a: facts.Package, b: facts.Package) -> Iterator[Difference]:
    yield from _interface(name, a.inputs, b.inputs, a.dims, b.dims, a.outputs, b.outputs)
    yield from _changed(name, "called as", a.structure, b.structure, "calls in the old way are refused")
    why = "the host and the inputs must be on the other device type"
    yield from _changed(name, "device type", a.device_type, b.device_type, why)
    for what, old, new in (("platform", a.platform, b.platform), ("machine", a.machine, b.machine)):
        yield from _changed(name, what, old, new, "it does not load on the old machines")
    why = "its kernels may not run on the old GPUs"
    yield from _changed(name, "compute capability", a.compute_capability, b.compute_capability, why)
    more = set((b.cpu_isa or "").split()) - set((a.cpu_isa or "").split())
    why = f"the machine must have {', '.join(sorted(more))}" if more else ""
    yield from _changed(name, "CPU instructions", a.cpu_isa, b.cpu_isa, why)
    why = "the host must call load_constants" if b.weights_at == "outside" else ""
    yield from _changed(name, "weights", a.weights_at, b.weights_at, why)
    yield from _weights(name, a.weights, b.weights)
    yield from _ops(name, a.custom_ops, b.custom_ops)
    before, after = (", ".join(debug_words(one.debug)) or "none" for one in (a, b))
    yield from _changed(name, "debug code", before, after)
    for key in sorted(a.metadata.keys() | b.metadata.keys()):
        yield from _changed(name, f"metadata {key}", a.metadata.get(key), b.metadata.get(key))
    if a.kernels != b.kernels:
        gone, come = (", ".join(sorted(set(x) - set(y))) for x, y in ((a.kernels, b.kernels), (b.kernels, a.kernels)))
        yield _difference(name, "kernels", gone or None, come or None)


def _interface(
    name: str,
    old: Sequence[facts.Input],
    new: Sequence[facts.Input],
    old_dims: Mapping[str, facts.Range],
    new_dims: Mapping[str, facts.Range],
    old_outputs: Sequence[facts.Output],
    new_outputs: Sequence[facts.Output],
) -> Iterator[Difference]:
    old, old_outputs, old_dims = _renamed(old, old_outputs, old_dims)
    new, new_outputs, new_dims = _renamed(new, new_outputs, new_dims)
    yield from _changed(name, "number of inputs", len(old), len(new), "calls in the old way are refused")
    for a, b in zip(old, new, strict=False):
        yield from _input(name, a, b, old_dims, new_dims)
    stays = _as_before(old, new)
    why = "the result has another structure"
    yield from _changed(name, "number of outputs", len(old_outputs), len(new_outputs), why)
    for x, y in zip(old_outputs, new_outputs, strict=False):
        yield from _changed(name, f"output {x.path}", x.path, y.path, why)
        what = f"output {y.path}"
        before, after = (_sizes(item.tensor, dims) for item, dims in ((x, old_dims), (y, new_dims)))
        if _dtype(x.tensor) != _dtype(y.tensor):
            yield _difference(
                name, f"dtype of {what}", _dtype(x.tensor), _dtype(y.tensor), "the result has another dtype"
            )
        elif before != after and x.tensor is not None and y.tensor is not None:
            ranks = len(x.tensor.shape) != len(y.tensor.shape)
            sizes = zip(x.tensor.shape, y.tensor.shape, strict=False)
            fixed = any(isinstance(s, int) and s != t and _worth(t, stays) != s for s, t in sizes)
            yield _difference(name, f"shape of {what}", before, after,
                              "the result has another shape" if ranks or fixed else "")  # fmt: skip


def _as_before(old: Sequence[facts.Input], new: Sequence[facts.Input]) -> dict[Expr, Number]:
    """The dynamic sizes of the new inputs that had one number each: calls in the old way give them that."""
    found: dict[str, set[facts.Size]] = {}
    for a, b in zip(old, new, strict=False):
        if a.tensor is not None and b.tensor is not None:
            for before, after in zip(a.tensor.shape, b.tensor.shape, strict=False):
                if isinstance(after, str):
                    found.setdefault(after, set()).add(before)
    made: dict[Expr, Number] = {}
    for size, numbers in found.items():
        with suppress(Unreadable):
            made |= {parse(size): one for one in numbers if len(numbers) == 1 and isinstance(one, int)}
    return made


def _worth(size: facts.Size, values: Mapping[Expr, Number]) -> Number | None:
    """What a size is where others have these values; None where that is not known."""
    try:
        return size if isinstance(size, int) else evaluate(parse(size), values)
    except Unreadable:
        return None


def _input(
    name: str, a: facts.Input, b: facts.Input, old: Mapping[str, facts.Range], new: Mapping[str, facts.Range]
) -> Iterator[Difference]:
    what = f"input {a.path}"
    yield from _changed(name, what, a.path, b.path, "calls in the old way pass it elsewhere")
    if a.kind == "symbol" and b.frozen:
        yield _difference(name, f"value of {what}", _size(_symbol(a), old), f"always {b.value!r}",
                          "it computes with that value, whatever it is given")  # fmt: skip
        return
    if a.frozen and b.kind == "symbol" and a.kind in ("int", "float", "bool"):
        yield _difference(name, f"value of {what}", f"always {a.value!r}", _size(_symbol(b), new))
        return
    if a.kind != b.kind:
        yield _difference(name, f"kind of {what}", a.kind, b.kind, "it takes another kind of value")
        return
    if a.frozen and b.frozen and (a.value != b.value or type(a.value) is not type(b.value)):
        yield _difference(
            name, f"fixed value of {what}", repr(a.value), repr(b.value), "it computes with the new value"
        )
    if a.kind == "symbol":
        yield from _span_changed(name, f"value of {what}", _symbol(a), _symbol(b), old, new)
    if a.tensor is None or b.tensor is None:
        return
    why = "nothing converts it, nor checks it"
    yield from _changed(name, f"dtype of {what}", a.tensor.dtype, b.tensor.dtype, why)
    if (a.tensor.device or "").partition(":")[0] != (b.tensor.device or "").partition(":")[0]:
        yield _difference(
            name, f"device of {what}", a.tensor.device, b.tensor.device, "it must be on the other device type"
        )
    if len(a.tensor.shape) != len(b.tensor.shape):
        yield _difference(
            name, f"dims of {what}", _sizes(a.tensor, old), _sizes(b.tensor, new), "it has another number of dims"
        )
        return
    for index, (before, after) in enumerate(zip(a.tensor.shape, b.tensor.shape, strict=True)):
        first, second = _span(before, old), _span(after, new)
        if first == second and before != after:
            yield from _bound(name, f"{what}, dim {index}", f"{a.path}.shape[{index}]", before, after)
        elif first != second:
            yield from _span_changed(name, f"{what}, dim {index}", before, after, old, new)
    if a.tensor.strides != b.tensor.strides and _fixed(a.tensor.strides) and _fixed(b.tensor.strides):
        yield _difference(name, f"strides of {what}", list(a.tensor.strides or ()), list(b.tensor.strides or ()),
                          "a tensor laid out in the old way is read wrongly")  # fmt: skip


def _span_changed(
    name: str,
    what: str,
    before: facts.Size,
    after: facts.Size,
    old: Mapping[str, facts.Range],
    new: Mapping[str, facts.Range],
) -> Iterator[Difference]:
    first, second = _span(before, old), _span(after, new)
    if first != second:
        wider = first is not None and second is not None and second[0] <= first[0] and first[1] <= second[1]
        yield _difference(name, what, _size(before, old), _size(after, new),
                          "" if wider else "values that were right no longer are")  # fmt: skip


def _bound(name: str, what: str, own: str, before: facts.Size, after: facts.Size) -> Iterator[Difference]:
    """A size with the same range that depends on another size than before; `own` is how it is called if on none."""
    old, new = ("any, on its own" if size == own else str(size) for size in (before, after))
    yield _difference(name, what, old, new, "" if after == own else "sizes that were right together no longer are")


def _symbol(item: facts.Input) -> facts.Size:
    return item.value if isinstance(item.value, str) else item.path


def _weights(name: str, old: Sequence[facts.Weight], new: Sequence[facts.Weight]) -> Iterator[Difference]:
    before, after = ({weight.name: weight for weight in weights} for weights in (old, new))
    for key in sorted(before.keys() | after.keys()):
        a, b = before.get(key), after.get(key)
        if a is None or b is None or _weight(a) != _weight(b):
            yield _difference(name, f"weight {key}", _weight(a), _weight(b), "the old weights no longer fit")
        elif a.tied != b.tied:
            yield _difference(name, f"weight {key} tied to", a.tied, b.tied)


def _ops(name: str, old: Sequence[str], new: Sequence[str]) -> Iterator[Difference]:
    for op in sorted(set(new) - set(old)):
        yield _difference(name, "custom operator", None, op, "it must be registered where the model is loaded")
    for op in sorted(set(old) - set(new)):
        yield _difference(name, "custom operator", op, None)


_Put = TypeVar("_Put", facts.Input, facts.Output)


def _renamed(
    inputs: Sequence[facts.Input], outputs: Sequence[facts.Output], dims: Mapping[str, facts.Range]
) -> tuple[Sequence[facts.Input], Sequence[facts.Output], Mapping[str, facts.Range]]:
    """The same with symbols called by the first dim they stand in: torch numbers them anew in every export."""
    names: dict[str, str] = {}
    leaves: list[facts.Leaf] = [*inputs, *outputs]
    for item in leaves:
        if item.kind == "symbol" and item.value in dims:
            names.setdefault(str(item.value), item.path)
        for index, symbol in enumerate(item.tensor.shape if item.tensor is not None else ()):
            if symbol in dims:
                names.setdefault(str(symbol), f"{item.path}.shape[{index}]")

    def rename(expr: Expr) -> Expr | None:
        return Symbol(names[expr.name]) if isinstance(expr, Symbol) and expr.name in names else None

    def size(value: facts.Size) -> facts.Size:
        if isinstance(value, int) or value in names:
            return names.get(str(value), value)
        try:
            return python(replace(parse(value), rename))
        except Unreadable:
            return value

    def put(item: _Put) -> _Put:
        tensor = item.tensor
        if item.kind == "symbol" and isinstance(item.value, str):
            return item.model_copy(update={"value": size(item.value)})
        if tensor is None:
            return item
        strides = None if tensor.strides is None else tuple(map(size, tensor.strides))
        changed = tensor.model_copy(update={"shape": tuple(map(size, tensor.shape)), "strides": strides})
        return item.model_copy(update={"tensor": changed})

    return [put(i) for i in inputs], [put(o) for o in outputs], {names.get(k, k): v for k, v in dims.items()}


def _span(size: facts.Size, dims: Mapping[str, facts.Range]) -> tuple[float, float] | None:
    """The sizes a dim may have; None for an expression, which is more than a range."""
    if isinstance(size, int):
        return size, size
    known = dims.get(size)
    if known is None:
        return None
    return (0 if known.min is None else known.min, float("inf") if known.max is None else known.max)


def _size(size: facts.Size, dims: Mapping[str, facts.Range]) -> str:
    return range_text(dims[size]) if isinstance(size, str) and size in dims else str(size)


def _sizes(tensor: facts.Tensor | None, dims: Mapping[str, facts.Range]) -> str | None:
    return None if tensor is None else sizes_text([_size(size, dims) for size in tensor.shape])


def _dtype(tensor: facts.Tensor | None) -> str | None:
    return None if tensor is None else tensor.dtype


def _fixed(strides: Sequence[facts.Size] | None) -> bool:
    return strides is not None and all(isinstance(stride, int) for stride in strides)


def _weight(weight: facts.Weight | None) -> str | None:
    if weight is None:
        return None
    tensor = weight.tensor
    return weight.role if tensor is None else f"{weight.role} {tensor.dtype}{list(tensor.shape)}"


def _dotted(version: tuple[int, int] | None) -> str | None:
    return None if version is None else ".".join(map(str, version))
