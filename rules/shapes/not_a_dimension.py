"""AOTI307."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Path
from aoti_lint.rule.inputs import Plain, kind_of, parts
from aoti_lint.rule.shapes import Input
from aoti_lint.rule.values import Const, DimValue, Pairs, Program, Ref, Tup, Value

from ._exports import ExportRule, Fault, made_here

DIM_CLASSES = ("torch.export.Dim", "torch.export.dynamic_shapes.Dim")
TENSOR_HELP = "write a dict such as {0: Dim(…)}, a tuple with one item for each dimension, or None"


class NotADimension(ExportRule):
    """`dynamic_shapes` has something that is no dimension where one belongs.

    What happens:
        The export raises: `UserError: Unexpected dimension mapped to index 0 in input tensor shape {0: 'batch'}
        specified at `dynamic_shapes['x']` (expected None, an int, a Dim, Dim.AUTO, Dim.STATIC, or Dim.DYNAMIC, but got
        'batch' instead)`. `True` raises `Static shape constraint of True does not match input size of 4`, a string as
        index `TypeError: list indices must be integers or slices, not str`.

    Why:
        The entry of a tensor is a dict of indices, or a list or tuple of all its dimensions; each dimension is a `Dim`,
        a number or None. The entry of an input that is no tensor is None; that of an int may be `Dim.DYNAMIC`.

    Bad:
        import torch

        model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
        torch.export.export(model, (x,), dynamic_shapes={"input": {0: "rows"}})  # <- AOTI307

    Bad:
        import torch

        model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
        torch.export.export(model, (x,), dynamic_shapes={"input": torch.export.Dim("rows")})  # <- AOTI307

    Good:
        import torch

        model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
        torch.export.export(model, (x,), dynamic_shapes={"input": {0: torch.export.Dim("rows")}})

    How to debug:
        The message of the export names the entry.

    Sources:
        Run on torch 2.13. `torch/export/dynamic_shapes.py`, `_check_dynamic_shapes`, of the releases 2.5.1 to 2.15.0
        (2.13.0:975 to 1020, for inputs that are no tensors 1048).
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI307"
    name = "not-a-dimension"
    raised = (*ExportRule.raised, "ValueError", "TypeError", "AssertionError")

    def faults(self, program: Program, path: Path) -> Iterator[Fault]:
        for part in parts(program):
            if isinstance(part, Input):
                yield from _of_tensor(part)
            elif isinstance(part, Plain):
                yield from _of_plain(part)


def _of_tensor(one: Input) -> Iterator[Fault]:
    match one.spec:
        case Pairs(pairs=pairs):
            for key, entry in pairs:
                if isinstance(key, Const) and isinstance(key.value, str | float):
                    yield _fault(one, key.value, f"{key.value!r} is no index of a dimension", "write its number")
                elif isinstance(key, Const) and _called(entry):
                    yield _fault(one, key.value, f"dimension {key.value} is {_called(entry)}", _instead(entry))
        case Tup(items=items, fields=()):
            for index, entry in enumerate(items):
                if _called(entry):
                    yield _fault(one, index, f"dimension {index} is {_called(entry)}", _instead(entry))
        case DimValue() | Ref():
            if called := "a Dim" if isinstance(one.spec, DimValue) else _called(one.spec):
                yield _fault(one, "entry", f"the whole entry is {called}", TENSOR_HELP)
        case Const(value=value) if value is not None:
            yield _fault(one, "entry", f"the whole entry is {value!r}", TENSOR_HELP)


def _called(entry: Value) -> str:
    """What stands where a dimension belongs, if that is no dimension; empty if it is one, or is not known."""
    match entry:
        case Const(value=bool() | str() | float() | bytes()):
            return repr(entry.value)
        case Ref(name=name) if name in DIM_CLASSES:
            return "the class Dim"
        case Pairs():
            return "a dict"
        # A tuple of one Dim is what `dims` gives: AOTI217.
        case Tup(items=items) if not (len(items) == 1 and isinstance(items[0], DimValue)):
            return kind_of(entry)
        case _:
            return ""


def _instead(entry: Value) -> str:
    match entry:
        case Const(value=str(name)) if name.isidentifier():
            return f'write Dim("{name}")'
        case Const(value=True):
            return "write Dim.DYNAMIC, or a Dim with a name"
        case Const(value=False):
            return "write None"
        case Ref():
            return 'make one: Dim("name")'
        case _:
            return "write a Dim, a number or None"


def _fault(one: Input, key: object, said: str, help_: str) -> Fault:
    return Fault(
        key=(one.name, repr(key)),
        message=f"in the entry of {one.name} in dynamic_shapes {said}: the export raises",
        label=said,
        help=help_,
        related=made_here(one.tensor, "the input comes from here"),
    )


def _of_plain(one: Plain) -> Iterator[Fault]:
    """A number, a flag, a string or None has no dimensions."""
    integer = type(one.value.value) is int
    hint = isinstance(one.spec, DimValue) and one.spec.kind in ("AUTO", "DYNAMIC", "STATIC")
    entry = "a Dim with a name" if isinstance(one.spec, DimValue) and not hint else kind_of(one.spec)
    if not entry or entry == "None" or (integer and (hint or isinstance(one.spec, Const))):
        return
    yield Fault(
        key=(one.name, "plain"),
        message=f"{one.name} is {one.value.value!r} and its entry in dynamic_shapes is {entry}: the export raises",
        label=f"{entry} for {one.value.value!r}",
        help="write None, or Dim.DYNAMIC for an int that may change" if integer else "write None",
    )
