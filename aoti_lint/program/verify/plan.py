"""The cases that are worth running, for a contract."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from aoti_lint.program.symbolic import Symbol, symbols
from aoti_lint.program.verify.cases import Call, Case, Change, Layout, Scalar, Values
from aoti_lint.program.verify.render import FLOATS, leaves, own_layout
from aoti_lint.program.verify.space import Space

MODERATE = 4096
"""The largest size that is tried for a symbol without a bound."""
_TELLING = (1, 2, 3, 7, 8, 13, 16, 17)
_STEPS = 256
_LAYOUTS: tuple[Layout, ...] = ("transposed", "sliced", "expanded")
_OTHER_DTYPE = {"int64": "int32", "int32": "int64", "float32": "float64", "float64": "float32", "bool": "int64"}


@dataclass(frozen=True, slots=True)
class Limits:
    """What keeps a run small. `outside` bounds the cases beyond the contract, each of which may cost a process."""

    elements: int = 1 << 22
    outside: int = 12
    seed: int = 0


def plan(space: Space, limits: Limits) -> list[Case]:
    """All cases, the telling ones first; no two run the same."""
    cases = [*_example(space, limits), *_sizes(space, limits), *_values(space, limits), *_layout(space, limits),
             *_repeats(space, limits), *_scalars(space, limits), *_outside(space, limits)]  # fmt: skip
    unique: dict[object, Case] = {}
    for case in cases:
        calls = tuple((tuple(sorted(call.sizes.items())), call.seed) for call in case.calls)
        unique.setdefault((calls, case.values, case.layout, case.change), case)
    return list(unique.values())


def largest(space: Space, name: str, elements: int) -> dict[str, int] | None:
    """The sizes with the largest value of a symbol that is allowed and fits into `elements`."""
    low, high = space.bounds(name)
    top = MODERATE if high is None else min(high, MODERATE * 4)
    while top > low and space.elements({**space.base, name: top}) > elements:
        top = max(top // 2, low)
    for value in range(top, max(low, top - _STEPS) - 1, -1):
        sizes = space.complete(name, value)
        if sizes is not None and space.elements(sizes) <= elements:
            return sizes
    return None


def smallest(space: Space, name: str) -> dict[str, int] | None:
    """The sizes with the smallest value of a symbol that is allowed, other than none at all."""
    low, high = space.bounds(name)
    first = max(low, 1)
    for value in range(first, min(first + _STEPS, high or MODERATE) + 1):
        sizes = space.complete(name, value)
        if sizes is not None:
            return sizes
    return None


def _case(space: Space, limits: Limits, sizes: Mapping[str, int] | None = None, calls: int = 1) -> tuple[Call, ...]:
    return tuple(Call(sizes=dict(sizes or space.base), seed=limits.seed + number) for number in range(calls))


def _example(space: Space, limits: Limits) -> Iterator[Case]:
    if space.example:
        yield Case(name="the example inputs", kind="example", values="example", calls=_case(space, limits))
    yield Case(name="the exported sizes" if space.example else "some sizes", kind="example", calls=_case(space, limits))


def _sizes(space: Space, limits: Limits) -> Iterator[Case]:
    for name in space.symbols:
        for sizes in _varied(space, name, limits):
            empty = sizes[name] == 0
            if space.elements(sizes) <= limits.elements:
                text = _says(space, name, sizes)
                yield Case(name=text, kind="empty" if empty else "size", calls=_case(space, limits, sizes))
    if len(space.symbols) > 1:
        for word in ("smallest", "largest"):
            ends = {name: smallest(space, name) if word == "smallest" else largest(space, name, limits.elements)
                    for name in space.symbols}  # fmt: skip
            values = {name: found for name, sizes in ends.items() if sizes is not None for found in (sizes[name],)}
            together = space.together(values)
            if together is not None and space.elements(together) <= limits.elements:
                yield Case(name=f"all sizes {word}", kind="size", calls=_case(space, limits, together))


def _varied(space: Space, name: str, limits: Limits) -> Iterator[dict[str, int]]:
    """Sizes in which one symbol has its smallest, its largest and some telling values, as the guards let it."""
    low, high = space.bounds(name)
    if low == 0 and (none := space.complete(name, 0)) is not None:
        yield none
    found = [sizes for sizes in (smallest(space, name), largest(space, name, limits.elements)) if sizes is not None]
    yield from found
    asked = (*_TELLING, space.base[name] + 1, space.base[name] - 1)
    telling = [sizes for value in asked if low <= value and (high is None or value <= high) and value > 0
               and (sizes := space.complete(name, value)) is not None]  # fmt: skip
    yield from telling
    if len(telling) + len(found) < 5 and found:
        # Guards such as `s % 24 == 0`: the first few that they let through.
        start, more = found[0][name], 0
        for value in range(start + 1, min(start + _STEPS, high or MODERATE) + 1):
            sizes = space.complete(name, value)
            if sizes is not None:
                yield sizes
                more += 1
            if more == 3:
                break


def _values(space: Space, limits: Limits) -> Iterator[Case]:
    floats = any(item.dtype in FLOATS for _, item in space.tensors())
    kinds: dict[Values, str] = {"zeros": "all zeros"}
    if floats:
        kinds |= {"nan": "NaN in every third element", "-inf": "-inf in every third element"}
    kinds["large"] = "large numbers" if floats else "the largest indices"
    if not any(True for _ in space.tensors()):
        return
    for values, text in kinds.items():
        yield Case(name=text, kind="values", values=values, calls=_case(space, limits))


def _layout(space: Space, limits: Limits) -> Iterator[Case]:
    if any(item.shape for _, item in space.tensors()):
        text = "inputs that do not start where their storage does"
        yield Case(name=text, kind="layout", layout="offset", calls=_case(space, limits))


def _repeats(space: Space, limits: Limits) -> Iterator[Case]:
    same = _case(space, limits)
    yield Case(name="the same call three times", kind="repeat", calls=same * 3)
    yield Case(name="three calls with different values", kind="repeat", calls=_case(space, limits, calls=3))
    for name in space.symbols:
        low = smallest(space, name)
        high = largest(space, name, min(limits.elements, 1 << 16))
        if low is not None and high is not None and low != high:
            sizes = (high, low, space.base)
            calls = tuple(Call(sizes=dict(each), seed=limits.seed + n) for n, each in enumerate(sizes))
            yield Case(name=f"three calls, {_dim(space, name)} large, small, as before", kind="repeat", calls=calls)
            break


def _scalars(space: Space, limits: Limits) -> Iterator[Case]:
    for index, item in enumerate(space.inputs):
        if item.shape is None and item.symbol is None and item.value is not None:
            other = other_scalar(item.value)
            change = Change(input=index, scalar=other)
            yield Case(
                name=f"{item.path}={other!r} instead of {item.value!r}",
                kind="scalar", change=change, calls=_case(space, limits),
            )  # fmt: skip


def other_scalar(value: Scalar) -> Scalar:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return f"{value}_other" if isinstance(value, str) else None


def _outside(space: Space, limits: Limits) -> Iterator[Case]:
    """One step beyond the contract in each direction: as many as the limits say, the inputs in turn."""
    per_input = [list(_beyond(space, index, limits)) for index, _ in space.tensors()]
    made: list[Case] = []
    for turn in range(max(map(len, per_input), default=0)):
        made += [cases[turn] for cases in per_input if turn < len(cases)]
    yield from made[: limits.outside]


def _beyond(space: Space, index: int, limits: Limits) -> Iterator[Case]:
    item, shape = space.inputs[index], space.shape(space.inputs[index], space.base)

    def case(text: str, change: Change) -> Case:
        return Case(name=f"{item.path}: {text}", kind="outside", change=change, calls=_case(space, limits))

    for layout in _LAYOUTS:
        made = case(layout, Change(input=index, layout=layout))
        leaf = leaves(space, made, made.calls[0])[index]
        if own_layout(leaf):
            yield case(_LAYOUT_TEXTS[layout], Change(input=index, layout=layout))
            break
    fixed = next((dim for dim, expr in enumerate(item.shape or ()) if not symbols(expr)), None)
    if fixed is not None:
        yield case(f"shape[{fixed}] is {shape[fixed] + 1} instead of {shape[fixed]}",
                   Change(input=index, size=(fixed, shape[fixed] + 1)))  # fmt: skip
        if shape[fixed] > 1:
            yield case(f"shape[{fixed}] is {shape[fixed] - 1} instead of {shape[fixed]}",
                       Change(input=index, size=(fixed, shape[fixed] - 1)))  # fmt: skip
    for dim, expr in enumerate(item.shape or ()):
        if isinstance(expr, Symbol):
            yield from _past(space, index, dim, expr.name, limits)
        if symbols(expr) and _shared(space, symbols(expr)):
            # Below the size that the others have: what reads on is out of bounds.
            size = shape[dim] - 1 if shape[dim] > 1 else shape[dim] + 1
            yield case(f"shape[{dim}] is {size} where the others go with {shape[dim]}",
                       Change(input=index, size=(dim, size)))  # fmt: skip
    dtype = _OTHER_DTYPE.get(item.dtype, "float32")
    yield case(f"{dtype} instead of {item.dtype}", Change(input=index, dtype=dtype))


def _past(space: Space, index: int, dim: int, name: str, limits: Limits) -> Iterator[Case]:
    """A symbol below its smallest and above its largest value, everywhere it stands."""
    if next(i for i, item in space.tensors() if any(name in symbols(expr) for expr in item.shape or ())) != index:
        return
    low, high = space.bounds(name)
    path = space.inputs[index].path
    for value in (low - 1, *((high + 1,) if high is not None else ())):
        sizes = {**space.base, name: value}
        if value < 0 or space.elements(sizes) > limits.elements:
            continue
        word = "the smallest is" if value < low else "the largest is"
        text = f"{path}: shape[{dim}] is {value}, {word} {low if value < low else high}"
        yield Case(name=text, kind="outside", calls=_case(space, limits, sizes))


def _shared(space: Space, names: set[str]) -> bool:
    uses = sum(1 for _, item in space.tensors() for expr in item.shape or () if symbols(expr) & names)
    return uses > 1


def _dim(space: Space, name: str) -> str:
    """Where the user sees a symbol: the first dim it is the size of."""
    for _, item in space.tensors():
        for dim, expr in enumerate(item.shape or ()):
            if expr == Symbol(name):
                return f"{item.path}.shape[{dim}]"
    return name


def _says(space: Space, name: str, sizes: Mapping[str, int]) -> str:
    text = f"{_dim(space, name)} = {sizes[name]}"
    others = [f"{_dim(space, o)} = {sizes[o]}" for o in space.symbols if o != name and sizes[o] != space.base[o]]
    return ", ".join([text, *others])


_LAYOUT_TEXTS = {"transposed": "transposed in memory", "sliced": "every second element of a larger tensor",
                 "expanded": "expanded from one row"}  # fmt: skip
