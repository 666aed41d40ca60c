"""AOTI525."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Related,
    Rule,
    Span,
    VersionSet,
    catches,
    judge,
    weaker,
)
from aoti_lint.rule.events import ApiCall, CompiledCall
from aoti_lint.rule.values import FALSE, NONE, Const, Tensor, Tup, Value

from ._compile import mentions, once

_MARK = "torch._dynamo.mark_dynamic"
_RAISED = ("ConstraintViolationError", "AssertionError", "RuntimeError")
_RUN_ON = VersionSet.since("2.13")


class MarkRange(Rule):
    """A size is marked with a range that it is not in, or with one end of a range alone.

    What happens:
        The first call of the compiled function with the tensor raises, whatever the backend:

            ConstraintViolationError: 4 not in range [5, 8]

        For a size of 0 or 1 in its range it is `You marked L['x'].size()[0] as dynamic but your code specialized it to
        be a constant (1)`, for `min=` or `max=` alone `AssertionError: not simple sympy type <class 'NoneType'>`, for a
        `min` above the `max` `ValueRangeError: Invalid ranges [8:2]`.

    Why:
        The example has to be one of the sizes that are promised, and sizes of 0 and 1 are always compiled as what they
        are. Of a range both ends are read, and one that was not given is not filled in. Without a range a size of 1 may
        be marked.

    Bad:
        import torch

        @torch.compile
        def double(x):
            return x * 2

        x = torch.randn(4, 16)
        torch._dynamo.mark_dynamic(x, 0, min=5, max=8)
        double(x)  # <- AOTI525

    Bad:
        import torch

        @torch.compile
        def double(x):
            return x * 2

        x = torch.randn(4, 16)
        torch._dynamo.mark_dynamic(x, 0, min=2)
        double(x)  # <- AOTI525

    Good:
        import torch

        @torch.compile
        def double(x):
            return x * 2

        x = torch.randn(4, 16)
        torch._dynamo.mark_dynamic(x, 0, min=2, max=1024)
        double(x)
        y = torch.randn(1, 16)
        torch._dynamo.mark_dynamic(y, 0)
        double(y)

    How to debug:
        `print(x._dynamo_dynamic_range)` shows what a tensor is marked with.

    Sources:
        Run on torch 2.13 with the backend `eager`, with `dynamic=True`, `False` and neither (this project's tests). Of
        two ranges both hold. A negative dimension is not marked, and a tensor that the function does not use is not
        looked at. `torch/_dynamo/decorators.py`, `mark_dynamic`, of release 2.13.0.
    """

    code = "AOTI525"
    name = "mark-range"
    outcome = Outcome.RAISES_AT_CALL
    doubt = "whether the compiled function works on this tensor"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        marks = [one for one in facts.of(ApiCall) if one.name == _MARK and not one.within and not one.open]
        reported: set[Span] = set()
        for event in facts.of(CompiledCall) if marks else ():
            failing = event.versions & _RUN_ON
            caught = catches(event.caught | event.expected, *_RAISED)
            verdict = judge([event.compilation.option("disable")], event.path, lambda v: v[0] in (NONE, FALSE))
            if verdict is None or not failing or caught or mentions(facts, event, "set_stance", "suppress_errors"):
                continue
            given = {one.key: one for one in event.given if isinstance(one, Tensor)}
            for mark in marks:
                tensor = mark.arg(0, "t")
                before = mark.is_before(event) and mark.path.items() <= event.path.items()
                if not before or not isinstance(tensor, Tensor) or tensor.key not in given:
                    continue
                found = (_wrong(given[tensor.key], dim, mark) for dim in _dims(mark.arg(1, "index")))
                what = next((one for one in found if one is not None), None)
                if what is not None and once(reported, mark.span):
                    compiled = Related(event.compilation.span, "compiled here")
                    yield self.found(
                        facts,
                        event,
                        weaker(verdict[0], Confidence.LIKELY),
                        f"{what[0]}: the first call with it raises",
                        failing=failing,
                        label="called here",
                        related=(Related(mark.span, "marked here"), compiled),
                        help=what[1],
                    )


def _dims(value: Value | None) -> list[int]:
    items = value.items if isinstance(value, Tup) else (value,)
    return [one.value for one in items if isinstance(one, Const) and type(one.value) is int]


def _wrong(tensor: Tensor, dim: int, mark: ApiCall) -> tuple[str, str] | None:
    """What is wrong with the range of a mark, and what to write instead."""
    if tensor.shape is None or not 0 <= dim < len(tensor.shape):
        return None
    given, size = [mark.kwargs.get(end, NONE) for end in ("min", "max")], tensor.shape[dim]
    bounds = [one.value for one in given if isinstance(one, Const)]
    if len(bounds) < 2 or bounds == [None, None]:
        return None
    if None in bounds:
        end, other = ("min", "max") if bounds[1] is None else ("max", "min")
        return f"size {dim} is marked with {end}= and without {other}=", "give both ends of the range, or none"
    low, high = bounds
    if type(low) is not int or type(high) is not int:
        return None
    if low > high:
        return f"size {dim} is marked with min={low} above max={high}", "let min be below max"
    if not isinstance(size, Const) or type(size.value) is not int or low == high == size.value:
        return None
    if not low <= size.value <= high:
        help_ = "let the range hold the size, or give a tensor of a size in it first"
        return f"size {dim} is marked with the range {low} to {high}, and is {size.value}", help_
    if size.value < 2:
        return (
            f"size {dim} is marked with a range, and is {size.value}, which is always compiled as it is",
            "make the first call with a size of 2 or more, or leave min and max out",
        )
    return None
