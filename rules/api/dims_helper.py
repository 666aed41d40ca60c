"""AOTI217."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, judge
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.values import Const, DimValue, Pairs, Tup, Value

from ._calls import EXPORTS, USER_ERROR, WORDS, calls, kind

_NO_NAMES = ("list", "tuple", "int", "dict", "set")


class DimsHelper(Rule):
    """`torch.export.dims` is used as if it gave one dimension, or took them in a list.

    What happens:
        A tuple in the place of a dimension raises `` UserError: Unexpected dimension mapped to index 0 in input tensor
        shape {0: (Dim('batch', min=0),)} specified at `dynamic_shapes['x']` ``. `dims(["batch", "seq"])` raises
        `AttributeError: 'list' object has no attribute 'isidentifier'`.

    Why:
        `dims("batch", "seq")` gives a tuple with one `Dim` for each name, also for one name.

    Bad:
        import torch

        batch = torch.export.dims("batch", max=64)
        model, x = torch.nn.Linear(10, 2).eval(), torch.randn(8, 10)
        torch.export.export(model, (x,), dynamic_shapes={"input": {0: batch}})  # <- AOTI217

    Bad:
        import torch

        batch, seq = torch.export.dims(["batch", "seq"])  # <- AOTI217

    Good:
        import torch

        batch = torch.export.Dim("batch", max=64)
        rows, columns = torch.export.dims("rows", "columns", min=2, max=64)
        model, x = torch.nn.Linear(10, 2).eval(), torch.randn(8, 10)
        torch.export.export(model, (x,), dynamic_shapes={"input": {0: batch}})

    How to debug:
        `print(batch)`: with parentheses around it, it is a tuple.

    Sources:
        `torch/export/dynamic_shapes.py`, `dims`, of the releases 2.4.1 to 2.15.0; run on torch 2.13.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI217"
    name = "dims-helper"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in calls(facts, *EXPORTS, raising=USER_ERROR):
            given = event.arg(None, "dynamic_shapes")
            verdict = None if given is None else judge([given], event.path, _has_tuple)
            if verdict is None:
                continue
            dim = _tuple_in(verdict[1][0])
            yield self.found(
                facts,
                event,
                verdict,
                "a dimension is the tuple that torch.export.dims gives: the export raises",
                span=event.place(None, "dynamic_shapes"),
                outcome=Outcome.RAISES_AT_EXPORT,
                label="a tuple where a Dim belongs",
                related=(Related(dim.span, "made here"),) if dim is not None and dim.span is not None else (),
                help="make one dimension with torch.export.Dim",
            )
        for event in calls(facts, "torch.export.dims", raising=("AttributeError",)):
            for index, name in enumerate(event.args):
                verdict = judge([name], event.path, partial(_is_no_name, event))
                if verdict is not None:
                    what = kind(event, verdict[1][0])
                    yield self.found(
                        facts,
                        event,
                        verdict,
                        f"torch.export.dims takes names, one after the other, and is given {WORDS[what]}: it raises",
                        span=event.place(index),
                        outcome=Outcome.RAISES,
                        label=WORDS[what],
                        help="write the bounds as min= and max=" if what == "int" else 'write dims("batch", "seq")',
                    )
                    break


def _tuple_in(spec: Value) -> DimValue | None:
    """The first dimension of a tuple that stands where one dimension of a tensor belongs."""
    if isinstance(spec, Pairs):
        for key, value in spec.pairs:
            if isinstance(key, Const) and isinstance(key.value, int):
                # Several dims under a number may be those of a tensor in a dict whose keys are numbers.
                if isinstance(value, Tup) and len(value.items) == 1 and isinstance(dim := value.items[0], DimValue):
                    return dim
            elif (found := _tuple_in(value)) is not None:
                return found
    elif isinstance(spec, Tup):
        return next((found for item in spec.items if (found := _tuple_in(item)) is not None), None)
    return None


def _has_tuple(values: list[Value]) -> bool | None:
    return _tuple_in(values[0]) is not None


def _is_no_name(event: ApiCall, values: list[Value]) -> bool | None:
    return kind(event, values[0]) in _NO_NAMES
