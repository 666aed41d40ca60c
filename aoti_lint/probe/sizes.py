"""What the fake fixes or decides by sizes: its guards, judged."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

import sympy
import torch

from aoti_lint.probe.arguments import Example
from aoti_lint.probe.fakes import Guard, Run, run_fake
from aoti_lint.probe.finding import Finding, Place
from aoti_lint.probe.kernel import Kernel, outputs

MOST_ELEMENTS = 1 << 22
"""In one tensor, for other sizes than those of the example."""

_TRIED = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 96, 127, 128, 129, 255, 256, 257,
          511, 512, 513, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097)  # fmt: skip

Values = Mapping[Any, int]
"""What each symbol is."""


def of_sizes(op: Any, example: Example, run: Run, kernel: Kernel) -> Iterator[Finding]:
    """Findings from a run with symbolic sizes, whose guards are in the order they were made."""
    for guard in run.guards:
        yield from _judge(op, example, run, guard, kernel)


def of_numbers(op: Any, example: Example, kernel: Kernel) -> Iterator[Finding]:
    """Notes on SymInt arguments that the fake fixes: that is wrong only where a caller passes a size."""
    run = run_fake(op, example, "symbolic", numbers=True)
    numbers = {symbol for symbol, (_, dim) in run.symbols.items() if dim is None}
    for guard in run.guards:
        used = guard.expr.free_symbols & numbers
        if used and not (_relates(guard.expr, run) or _divides(guard.expr)) and not _demanded(op, example, run, guard):
            names = " and ".join(sorted(run.symbols[symbol][0] for symbol in used))
            yield Finding("note", "AOTI402", f"decides {words(guard.expr, run)}: wrong where a caller passes a size as "
                          f"{names}", guard.place, example.words())  # fmt: skip


def of_constants(op: Any, run: Run, again: Run, place: Place | None, inputs: str) -> Iterator[Finding]:
    """Notes on sizes of outputs that are the same number for two sets of sizes that share none.

    Many are meant so; where the kernel runs, it tells.
    """
    # What was made a number is told with its line.
    free = {hint for symbol, hint in run.hints.items() if not run.env.replacements.get(symbol, symbol).is_number}
    for (name, one), (_, other) in zip(outputs(op, run.output), outputs(op, again.output), strict=False):
        if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor) and one.dim() == other.dim():
            for dim, (size, there) in enumerate(zip(one.shape, other.shape, strict=True)):
                if type(size) is int and type(there) is int and size == there and size in free:
                    text = f"dimension {dim} of {name} is {size} whatever the sizes of the inputs are"
                    yield Finding("note", "AOTI404", text, place, inputs)


def of_unknown(op: Any, example: Example, found: list[Finding]) -> Iterator[Finding]:
    """Findings from a run in which no size is known."""
    run = run_fake(op, example, "unknown")
    cond = getattr(run.error, "cond", None)
    if run.error is None or any(known.place == run.place for known in found):
        return
    if isinstance(cond, sympy.Basic):
        guard = Guard(cond, run.place, run.direct)
        if not cond.free_symbols <= set(run.symbols) or not any(True for _ in _against(guard, run)):
            # Of data, which is told elsewhere; or the same for all sizes from 2 on.
            return
        level, rest = ("fault", "") if run.direct else ("note", ", which matters for sizes known only from data")
        if _relates(cond, run) or _divides(cond):
            level, rest = "note", ", which matters for sizes known only from data"
        yield Finding("fault" if level == "fault" else "note", "AOTI402", f"decides {words(cond, run)}{rest}",
                      run.place, example.words())  # fmt: skip


def words(expr: Any, run: Run) -> str:
    """An expression as one would write it in the fake."""
    named = {symbol: sympy.Symbol(label if dim is None else f"{label}.shape[{dim}]")
             for symbol, (label, dim) in run.symbols.items()}  # fmt: skip
    clear = expr.xreplace(named)
    if isinstance(clear, sympy.core.relational.Relational):
        return f"{clear.lhs} {getattr(clear, 'rel_op', '?')} {clear.rhs}"
    return str(clear)


def others(example: Example, run: Run) -> Iterator[Example]:
    """The example with other sizes, as far as the relations allow that the fake asked for.

    First all sizes together, then each alone, by several steps: an operator may fix some of them for good.
    """
    relations = _relations(run)
    classes = _classes(run, relations)
    together: list[dict[Any, int]] = []
    for step in (1, 2, 3):
        together.append(
            {symbol: run.hints[symbol] + step + index for index, group in enumerate(classes) for symbol in group}
        )
    for factor in (2, 3, 4):
        together.append({symbol: run.hints[symbol] * factor for symbol in run.symbols})
    alone = [
        {symbol: run.hints[symbol] * factor + step for symbol in group}
        for group in classes[:12]
        for factor, step in ((1, 1), (2, 0))
    ]
    for values in itertools.chain(together, alone):
        whole = {**run.hints, **values}
        if all(_holds(relation, whole) for relation in relations):
            made = sized(example, run, whole)
            if made is not None:
                yield made


def sized(example: Example, run: Run, values: Values) -> Example | None:
    """The example with the sizes that symbols have; None if that is too large."""
    shapes = {label: list(tensor.shape) for label, tensor in example.tensors().items()}
    numbers: dict[str, int] = {}
    for symbol, value in values.items():
        label, dim = run.symbols[symbol]
        if dim is None:
            numbers[label] = value
        else:
            shapes[label][dim] = value
    for shape in shapes.values():
        if math.prod(shape) > MOST_ELEMENTS:
            return None
    made = example.resized({label: tuple(shape) for label, shape in shapes.items()})
    return made.mapped(lambda label, leaf: numbers.get(label, leaf)) if numbers else made


def _judge(op: Any, example: Example, run: Run, guard: Guard, kernel: Kernel) -> Iterator[Finding]:
    said, inputs = words(guard.expr, run), example.words()
    if not guard.expr.free_symbols <= set(run.symbols):
        return
    if _relates(guard.expr, run) or _divides(guard.expr):
        yield Finding("note", None, f"demands {said}", guard.place, inputs)
        return
    against = list(itertools.islice(_against(guard, run), 6))
    tried = [made for values in against if (made := sized(example, run, values)) is not None]
    if not tried:
        # The same for all sizes from 2 on.
        return
    goes_on = [made for made in tried if run_fake(op, made, "fixed").error is None]
    if not goes_on:
        taken = next((made for made in tried if kernel.call(made) is not None), None)
        if taken is None:
            yield Finding("note", None, f"demands {said}", guard.place, inputs)
        else:
            yield Finding("fault", "AOTI402", f"demands {said}, and the kernel takes {taken.words()}",
                          guard.place, inputs)  # fmt: skip
        return
    if not guard.direct and _small(guard.expr):
        yield Finding("note", None, f"demands {said}", guard.place, inputs)
        return
    by = "" if guard.direct else ", in a function of torch that it calls" if guard.place is not None else ", in C++"
    fixed = _fixed(guard.expr)
    if fixed is not None:
        text = f"makes {words(fixed[0], run)} the number {fixed[1]}{by}: this size cannot be dynamic"
    else:
        text = f"decides {said}{by}: a program exported with it is for such sizes only"
    yield Finding("fault", "AOTI402", text, guard.place, inputs)


def _demanded(op: Any, example: Example, run: Run, guard: Guard) -> bool:
    """Whether the fake raises for all sizes that are not as it decided."""
    tried = [sized(example, run, values) for values in itertools.islice(_against(guard, run), 6)]
    return all(run_fake(op, made, "fixed").error is not None for made in tried if made is not None)


def _against(guard: Guard, run: Run) -> Iterator[dict[Any, int]]:
    """Sizes for which it would decide otherwise, the nearest first, with all relations kept."""
    relations = [relation for relation in _relations(run) if relation != guard.expr]
    classes = _classes(run, relations)
    used = [group for group in classes if group & guard.expr.free_symbols]
    for group in used:
        hint = run.hints[next(iter(group))]
        for value in sorted(_TRIED, key=lambda value: abs(value - hint)):
            values = {**run.hints, **dict.fromkeys(group, value)}
            if not _holds(guard.expr, values) and all(_holds(relation, values) for relation in relations):
                yield values


def _relations(run: Run) -> list[Any]:
    """The guards that tie sizes to each other."""
    found = [guard.expr for guard in run.guards if guard.expr.free_symbols <= set(run.symbols)]
    return [expr for expr in found if _relates(expr, run) or _divides(expr)]


def _classes(run: Run, relations: list[Any]) -> list[set[Any]]:
    """The symbols, those together that have to be equal."""
    classes = [{symbol} for symbol in run.symbols]
    for relation in relations:
        if isinstance(relation, sympy.Eq) and relation.lhs.is_Symbol and relation.rhs.is_Symbol:
            joined = [group for group in classes if group & relation.free_symbols]
            classes = [group for group in classes if group not in joined] + [set().union(*joined)]
    return classes


def _relates(expr: Any, run: Run) -> bool:
    return isinstance(expr, sympy.Eq | sympy.Ne) and len(expr.free_symbols) > 1


def _divides(expr: Any) -> bool:
    """Whether a guard asks for a rest. The classes are those of `torch/utils/_sympy/functions.py`."""
    names = {type(part).__name__ for part in sympy.preorder_traversal(expr)}
    # Such as x == 2 * (x // 2), which a view asks for.
    whole = isinstance(expr, sympy.Eq) and not expr.lhs.is_number and not expr.rhs.is_number
    return bool(names & {"Mod", "PythonMod"}) or (whole and bool(names & {"FloorDiv", "CleanDiv"}))


def _small(expr: Any) -> bool:
    """Whether a guard tells 0 or 1 from the rest, as torch does for every size: the range of the Dim decides it."""
    return isinstance(expr, sympy.core.relational.Relational) and any(
        side.is_Integer and int(side) in (0, 1) for side in (expr.lhs, expr.rhs)
    )


def _fixed(expr: Any) -> tuple[Any, int] | None:
    if isinstance(expr, sympy.Eq):
        for one, other in ((expr.lhs, expr.rhs), (expr.rhs, expr.lhs)):
            if one.is_Symbol and other.is_Integer:
                return one, int(other)
    return None


def _holds(expr: Any, values: Values) -> bool:
    """Whether a guard is true for these sizes; what cannot be told is no reason."""
    try:
        return bool(expr.xreplace({symbol: sympy.Integer(value) for symbol, value in values.items()}))
    except (TypeError, ZeroDivisionError):
        return True
