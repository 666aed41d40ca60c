"""The contract of a package, of the program it was compiled from, or of both."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator, Mapping, Sequence

from aoti_lint.program import facts
from aoti_lint.program.contract.guards import essential
from aoti_lint.program.contract.linear import linear
from aoti_lint.program.contract.model import UNKNOWN, Contract, Input, Mismatch
from aoti_lint.program.contract.small import least_for_slices
from aoti_lint.program.contract.structure import Arguments, arguments, flat
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.symbolic import (
    FUNCTIONS,
    Const,
    Dim,
    Expr,
    Op,
    Symbol,
    dims,
    evaluate,
    parse,
    python,
    replace,
    symbols,
)

FREE = facts.Range(min=None, max=None)
CHUNK = 4096
"""An upper bound that Inductor may have made itself: it compares the length of a sum with this to choose how to add up,
and what it compared becomes a bound. Source: `torch/_inductor/codegen/cpp.py` (`need_use_acc_helper`, `chunk_size`)."""


def build(package: facts.Package | None, program: facts.Program | None) -> Contract:
    """The contract of `package`, of the `program` it was compiled from, or of both; then the program's word counts.

    Raises `Mismatch` when the program is not that of the package, or when there is neither.
    """
    if program is not None:
        contract = _of_program(program)
        return contract if package is None else _with_package(contract, package)
    if package is None:
        raise Mismatch("there is neither a program nor a package to make a contract of")
    return _of_package(package)


def _of_program(program: facts.Program) -> Contract:
    names = program.signature.split(", ") if program.signature else None
    known = arguments(program.structure, program.inputs, names)
    found = known or flat(program.inputs)
    inputs = tuple(_input(item, found.paths[item.path]) for item in program.inputs)
    least, reasons = _least(inputs, program)
    guards, unchecked = _guards(program, found, inputs, least)
    notes = list(reasons)
    if known is None:
        notes.append("The program does not record how its arguments are nested; they are taken one after the other.")
    return Contract(
        model=program.name,
        source="program",
        torch_version=program.torch_version,
        positional=found.positional,
        keyword=found.keyword,
        names_known=names is not None and [n.path for n in found.positional] == names[: len(found.positional)],
        inputs=inputs,
        symbols={name: program.dims.get(name, FREE) for name in _used(inputs)},
        least=least,
        guards=tuple(map(python, guards)),
        unchecked=tuple(unchecked),
        notes=tuple(notes),
    )  # fmt: skip


def _of_package(package: facts.Package) -> Contract:
    if not package.readable:
        raise Mismatch(
            f"the package of {package.name!r} has no wrapper source to read its inputs from; "
            "give the program it was compiled from"
        )
    known = arguments(package.structure, package.inputs, None)
    found = known or flat(package.inputs)
    inputs = tuple(_input(item, found.paths[item.path]) for item in package.inputs)
    ranges = dict(package.dims)
    checks = {check.index: check for check in package.checks}
    inputs = tuple(
        _unstrided(_open(item, checks.get(index), ranges), checks.get(index)) for index, item in enumerate(inputs)
    )
    notes = [
        "A package records no conditions between sizes, such as divisibility; with its program (--program) they are "
        "part of the contract.",
        "Its lower bound of 2 may be what the user asked for or what torch assumes of every dim; 0 and 1 are accepted.",
    ]
    if known is None:
        notes.append(
            "The model was exported with Python values, or with arguments whose nesting is not recorded: pass the "
            "tensors one after the other. The package ignores Python values; those of the export are not recorded."
        )
    elif known.positional:
        notes.append("It records no names of positional arguments.")
    used = _used(inputs)
    ranges = {name: ranges.get(name, FREE) for name in used}
    for name, range_ in ranges.items():
        if range_.max == CHUNK:
            ranges[name] = range_.model_copy(update={"max": None})
            notes.append(f"Its upper bound of {CHUNK} for {name} may be what the user asked for; it is not checked.")
    return Contract(
        model=package.name,
        source="package",
        positional=found.positional,
        keyword=found.keyword,
        names_known=False,
        inputs=inputs,
        symbols=ranges,
        least={name: _accepted(ranges[name].min) for name in used},
        notes=tuple(notes),
    )


def _open(item: Input, check: facts.Check | None, ranges: dict[str, facts.Range]) -> Input:
    """The input with a symbol of its own, added to `ranges`, for each size that the wrapper does not explain."""
    shape: list[facts.Size] = []
    for index, size in enumerate(item.shape or ()):
        if isinstance(size, str) and not _known(size):
            size = f"{re.sub(r'[^0-9a-zA-Z]+', '_', item.path).strip('_')}_dim{index}"
            if check is not None:
                ranges[size] = facts.Range(min=check.min.get(index), max=check.max.get(index))
        shape.append(size)
    strides = item.strides and tuple(UNKNOWN if isinstance(s, str) and not _known(s) else s for s in item.strides)
    return item.model_copy(update={"shape": None if item.shape is None else tuple(shape), "strides": strides})


def _known(size: str) -> bool:
    try:
        return all(re.fullmatch(r"[su]\d+", name) for name in symbols(parse(size)))
    except Unreadable:
        return False


def _with_package(contract: Contract, package: facts.Package) -> Contract:
    """The contract of a program with what its package says: device types after a move, and strides."""
    if not package.readable:
        return contract.model_copy(update={"source": "both"})
    numbers = [number for number, item in enumerate(contract.inputs) if item.kind == "tensor"]
    if len(numbers) != len(package.inputs):
        raise Mismatch(
            f"the program takes {len(numbers)} tensors and the package {len(package.inputs)}: "
            "the package was compiled from another program"
        )
    inputs = list(contract.inputs)
    checks = {check.index: check for check in package.checks}
    notes = list(contract.notes)
    for index, (number, theirs) in enumerate(zip(numbers, package.inputs, strict=True)):
        if theirs.tensor is not None:
            inputs[number] = _merged(inputs[number], theirs.tensor)
        if index in checks:
            notes += _stricter(inputs[number], checks[index], contract)
            inputs[number] = _unstrided(inputs[number], checks[index])
    return contract.model_copy(update={"source": "both", "inputs": tuple(inputs), "notes": tuple(notes)})


def _unstrided(item: Input, check: facts.Check | None) -> Input:
    """The input without strides where they do no harm."""
    blind = check is not None and check.any_strides
    return item.model_copy(update={"strides": None, "any_strides": True}) if blind else item


def _stricter(item: Input, check: facts.Check, contract: Contract) -> Iterator[str]:
    """Where the package's own check, if AOTI_RUNTIME_CHECK_INPUTS is set, refuses sizes that are right."""
    for index, size in enumerate(item.shape or ()):
        if not isinstance(size, str):
            continue
        known: dict[Expr, tuple[int, int | None]] = {
            Symbol(name): (range_.min or 0, range_.max) for name, range_ in contract.symbols.items()
        }
        low, high = linear(parse(size)).bounds(known)
        first, last = check.min.get(index), check.max.get(index)
        if first is not None and low is not None and first > low:
            yield f"AOTI_RUNTIME_CHECK_INPUTS makes the package refuse less than {first} in dim {index} of {item.path}."
        if last is not None and (high is None or last < high):
            yield f"AOTI_RUNTIME_CHECK_INPUTS makes the package refuse more than {last} in dim {index} of {item.path}."


def _merged(own: Input, theirs: facts.Tensor) -> Input:
    where = f"{own.path}: the program takes"
    if theirs.dtype != own.dtype:
        raise Mismatch(f"{where} {own.dtype} and the package {theirs.dtype}: it was compiled from another program")
    shape = own.shape or ()
    if len(shape) != len(theirs.shape):
        raise Mismatch(
            f"{where} {len(shape)} dims and the package {len(theirs.shape)}: it was compiled from another program"
        )
    for index, (ours, size) in enumerate(zip(shape, theirs.shape, strict=True)):
        if isinstance(ours, int) != isinstance(size, int) or (isinstance(ours, int) and ours != size):
            here = f"{ours} in dim {index}" if isinstance(ours, int) else f"any size in dim {index}"
            there = size if isinstance(size, int) else "any size"
            raise Mismatch(f"{where} {here} and the package {there}: it was compiled from another program")
    strides = own.strides
    if theirs.strides is not None and strides is not None:
        # Numbers are what the code was written for; expressions are the program's, whose symbols are known here.
        strides = tuple(t if isinstance(t, int) else s for s, t in zip(strides, theirs.strides, strict=True))
    return own.model_copy(update={"device_type": theirs.device or own.device_type, "strides": strides})


def _input(item: facts.Input, path: str) -> Input:
    tensor = item.tensor
    if item.kind == "tensor" and tensor is not None:
        shape = tuple(map(_written, tensor.shape))
        strides = None if tensor.strides is None else tuple(map(_written, tensor.strides))
        device = tensor.device.partition(":")[0] if tensor.device is not None else None
        return Input(path=path, kind="tensor", dtype=tensor.dtype, device_type=device, shape=shape, strides=strides)
    if item.frozen:
        return Input(path=path, kind="frozen", value=item.value)
    if item.kind == "symbol":
        known = isinstance(item.value, str) and _written(item.value) != UNKNOWN
        return Input(path=path, kind="symbol", value=item.value) if known else Input(path=path, kind="any")
    return Input(path=path, kind="tensor" if item.kind == "tensor" else "any")


def sizes(inputs: Sequence[Input]) -> dict[Dim, Expr]:
    """Every size of the inputs over symbols, in order; unknown ones are left out."""
    found: dict[Dim, Expr] = {}
    for item in inputs:
        for index, size in enumerate(item.shape or ()):
            if size != UNKNOWN:
                found[Dim(item.path, index)] = Const(size) if isinstance(size, int) else parse(size)
        if item.kind == "symbol" and isinstance(item.value, str):
            found[Dim(item.path, None, "value")] = parse(item.value)
    return found


def _used(inputs: Sequence[Input]) -> list[str]:
    """The symbols of the inputs, in the order they appear."""
    found: dict[str, None] = {}
    for size in sizes(inputs).values():
        found.update(dict.fromkeys(sorted(symbols(size))))
    return list(found)


def _accepted(low: int | None) -> int:
    return low if low is not None and low > 2 else 0


def _least(inputs: Sequence[Input], program: facts.Program) -> tuple[dict[str, int], list[str]]:
    """The smallest accepted value of each symbol.

    `ep.module()` tests a lower bound only if it is greater than 2, and it tests that of derived sizes (`2*s77`) too.
    Source: `_get_input_guards_for_graph` in `torch/export/_unlift.py` and `_check_symint` in `torch/_export/utils.py`.
    """
    stated = {name: program.dims.get(name, FREE).min for name in _used(inputs)}
    least = {name: _accepted(low) for name, low in stated.items()}
    for size in sizes(inputs).values():
        sum_ = linear(size)
        symbol, factor = sum_.terms[0] if len(sum_.terms) == 1 else (Const(0), 0)
        if not isinstance(symbol, Symbol):
            continue
        low = stated.get(symbol.name)
        if low is not None and factor > 0 and factor * low + sum_.constant > 2:
            least[symbol.name] = max(least[symbol.name], low)
        elif factor > 0 > sum_.constant:
            # A size is not negative.
            least[symbol.name] = max(least[symbol.name], -(sum_.constant // factor))
    return least_for_slices(program, least)


def _guards(
    program: facts.Program, found: Arguments, inputs: Sequence[Input], least: Mapping[str, int]
) -> tuple[list[Expr], list[str]]:
    """The conditions to check, over the paths of the contract, and those that cannot be."""
    over = sizes(inputs)
    frozen: dict[Expr, int | float | bool] = {
        Dim(item.path, None, "value"): item.value
        for item in inputs
        if item.kind == "frozen" and isinstance(item.value, (int, float))
    }
    order = [item.path for item in program.inputs]
    usable, unchecked = [], []
    for text in program.guards:
        try:
            guard = replace(parse(text), lambda leaf: _renamed(leaf, found.paths, order))
        except Unreadable:
            unchecked.append(text)
            continue
        if evaluate(guard, frozen) is True:
            continue
        if not _computable(guard) or any(dim not in over for dim in dims(guard)):
            unchecked.append(text)
        else:
            usable.append(guard)
    bounds: dict[Expr, tuple[int, int | None]] = {
        Symbol(name): (least[name], program.dims[name].max if name in program.dims else None) for name in least
    }
    return essential(usable, over, bounds), unchecked


def _renamed(leaf: Expr, paths: Mapping[str, str], order: Sequence[str]) -> Expr | None:
    """A size by the path of the contract. Strict export writes `flat_args[2]` for the third leaf."""
    if isinstance(leaf, Symbol):
        # An input that is a number is written like a symbol.
        leaf = Dim(leaf.name, None, "value")
    if not isinstance(leaf, Dim):
        return None
    number = re.fullmatch(r"flat_args\[(\d+)\]", leaf.path)
    path = order[int(number[1])] if number is not None and int(number[1]) < len(order) else leaf.path
    return Dim(paths[path], leaf.index, leaf.what) if path in paths else None


def _written(size: facts.Size) -> facts.Size:
    """A size that can be written into code; `UNKNOWN` for one that cannot be, or that somebody else made up."""
    if isinstance(size, int):
        return size
    try:
        expr = parse(size)
    except Unreadable:
        return UNKNOWN
    return size if _computable(expr) and not dims(expr) else UNKNOWN


def _computable(expr: Expr) -> bool:
    match expr:
        case Op(name, args):
            return (name in FUNCTIONS or name in ("and", "or", "where")) and all(map(_computable, args))
        case Symbol(name):
            return name.isidentifier() and not keyword.iskeyword(name)
        case Const(value):
            return value == value and abs(value) != float("inf")
        case _:
            return True
