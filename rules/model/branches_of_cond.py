"""AOTI716."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Related,
    Rule,
    VersionSet,
    catches,
    dtypes_differ,
    weaker,
)
from aoti_lint.rule.events import CondBranch, CondBranches, CondCall, Exporting
from aoti_lint.rule.values import NONE, Const, Device, Pairs, Tensor, Tup, Value

from ._forward import met

_Fault = tuple[str, str, Confidence]
"""What is wrong, what to do about it, and how sure that is."""

_CALLED = VersionSet.since("2.13")
"""Releases of which it is known that a call outside of an export raises: it was run on 2.13 only."""


class BranchesOfCond(Rule):
    """The two functions of `torch.cond` give outputs of different kinds, or one gives back or changes what was there.

    What happens:
        The export raises: `When merging two branches' output in torch.cond, expected same dtype but got torch.int64 and
        torch.float32`, `expected same dim but got 1 and 2`, `Expected branches to return the same pytree structure`,
        `The sorted order of strides of the two branches' output doesn't match`, or `This higher order operator doesn't
        work unless it is captured completely with torch.compile`, `Encountered aliasing` or `input mutation`. So does
        `torch.onnx.export` of torch 2.9 and later, with a `TorchExportError`. A call outside of an export, or in a
        function that is compiled, raises as well where a tensor decides: torch compiles both functions.

    Why:
        The program holds both functions as graphs of their own, and goes on with one output, whichever of them ran. So
        both have to give as many tensors, in the same containers, of the same dtypes, devices and numbers of
        dimensions, in the same order of their dimensions in memory: not one as `x.t()` leaves it and one in rows. Where
        autograd is on, an output has memory of its own, no input's and no view of one, and no input may be changed. In
        an export under `torch.no_grad()`, torch looks at neither.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                def double(x):
                    return x * 2

                def same(x):
                    return x

                return torch.cond(x.sum() > 0, double, same, (x,))  # <- AOTI716

        torch.export.export(Net(), (torch.randn(2, 8),))

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return torch.cond(x.sum() > 0, lambda x: x.sin().t(), lambda x: x.cos(), (x,))  # <- AOTI716

        torch.export.export(Net(), (torch.randn(4, 4),))

    Bad:
        import torch

        x = -torch.ones(3)
        torch.cond(x.sum() > 0, lambda x: x, lambda x: torch.zeros_like(x), (x,))  # <- AOTI716

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                def double(x):
                    return x * 2

                def same(x):
                    return x.clone()

                return torch.cond(x.sum() > 0, double, same, (x,))

        torch.export.export(Net(), (torch.randn(2, 8),))

    How to debug:
        Call both functions with the same tensors and compare `torch.utils._pytree.tree_flatten` of what they give, with
        the `dtype` and `ndim` of each tensor.

    Sources:
        `torch.onnx.export(…, dynamo=True)` raises `TorchExportError` (run on torch 2.13 with onnxscript 0.7.2).
        Run on torch 2.13, with and without `strict=True` (this project's tests): sizes may differ.
        `torch/_dynamo/variables/higher_order_ops.py:2378` of release 2.13.0: autograd decides about aliases.
        https://docs.pytorch.org/docs/stable/cond.html
    """

    code = "AOTI716"
    name = "branches-of-cond"
    onnx = True
    outcome = Outcome.RAISES_AT_EXPORT

    def on_export(self, facts: Facts, event: Exporting) -> Iterator[Diagnostic]:
        if catches(event.caught | event.expected, "RuntimeError"):
            return
        for cond, reached in met(event, event.conds):
            fault = _fault_of(cond)
            if fault is not None:
                what, to_do, sure = fault
                yield self.found(
                    facts,
                    event,
                    weaker(reached, sure),
                    f"{what}: the export raises",
                    span=cond.span,
                    label="both functions are traced",
                    related=(Related(event.span, "exported here"),) if cond.span != event.span else (),
                    help=to_do,
                    symptom="export-error",
                )
                return

    def on_cond_call(self, facts: Facts, event: CondCall) -> Iterator[Diagnostic]:
        fault = _fault_of(event.branches)
        if fault is None or catches(event.caught | event.expected, "RuntimeError"):
            return
        what, to_do, sure = fault
        yield self.found(
            facts,
            event,
            sure,
            f"{what}: the call raises",
            outcome=Outcome.RAISES_AT_CALL,
            label="both functions are traced",
            failing=event.versions & _CALLED,
            help=to_do,
            symptom="export-error",
        )


def _fault_of(cond: CondBranches) -> _Fault | None:
    """What is wrong with the functions, each for itself and both together."""
    first, second = cond.branches
    alone = (_not_its_own(name, one) for name, one in (("first", first), ("second", second)) if cond.gradients)
    return next(
        (fault for fault in (*alone, _apart(first.given, second.given), _turned(first, second)) if fault is not None),
        None,
    )


_SHARED = {
    "input": "gives back a tensor that was there before",
    "view": "gives back a view of a tensor that was there before",
    "twice": "gives two outputs that share their memory",
}


def _not_its_own(name: str, branch: CondBranch) -> _Fault | None:
    """A tensor that was there before, which one of the functions gives back or changes."""
    if branch.shared:
        return f"the {name} function of torch.cond {_SHARED[branch.shared]}", "return x.clone()", Confidence.CERTAIN
    if branch.changed is not None:
        what = f"the {name} function of torch.cond changes a tensor that was there before"
        return what, "compute a new tensor instead, say x + 1 for x.add_(1)", Confidence.CERTAIN
    return None


def _turned(first: CondBranch, second: CondBranch) -> _Fault | None:
    """Outputs that lie in memory in two orders."""
    for ours, theirs in zip(first.orders, second.orders, strict=False):
        if ours is not None and theirs is not None and ours != theirs:
            what = "the functions of torch.cond give tensors that lie in memory in two orders, one turned around"
            return what, "let both return .contiguous() tensors", Confidence.CERTAIN
    return None


def _apart(first: Value, second: Value) -> _Fault | None:
    """How what the functions give differs, where that is known."""
    structure = "let both return the same number of tensors, in the same containers"
    match first, second:
        case Tensor(), Tensor():
            return _tensors_apart(first, second)
        case Tup(), Tup():
            # A list and a tuple of one tensor are told apart, a tuple of one and the tensor are not.
            if len(first.items) != len(second.items):
                counts = f"{len(first.items)} and {len(second.items)}"
                return f"the functions of torch.cond give {counts} values", structure, Confidence.CERTAIN
            pairs = zip(first.items, second.items, strict=True)
            return next((fault for one, other in pairs if (fault := _apart(one, other)) is not None), None)
        case (Tup(items), Tensor()) | (Tensor(), Tup(items)) if len(items) != 1:
            return f"the functions of torch.cond give {len(items)} values and one", structure, Confidence.CERTAIN
        case Pairs(), Pairs():
            ours, theirs = dict(first.pairs), dict(second.pairs)
            if ours.keys() != theirs.keys():
                keys = all(isinstance(key, Const) for key in (*ours, *theirs))
                what = "the functions of torch.cond give dicts with different keys"
                return (what, structure, Confidence.CERTAIN) if keys else None
            return next((fault for key, one in ours.items() if (fault := _apart(one, theirs[key])) is not None), None)
        case (Tensor(), Const()) | (Const(), Tensor()) if NONE in (first, second):
            what = "one function of torch.cond gives a tensor and the other nothing"
            return what, structure, Confidence.CERTAIN
    return None


def _tensors_apart(first: Tensor, second: Tensor) -> _Fault | None:
    if first.dtype and second.dtype and first.dtype != second.dtype:
        ours, theirs = (one.removeprefix("torch.") for one in (first.dtype, second.dtype))
        what = f"the functions of torch.cond give {ours} and {theirs}"
        return what, f"let both return one dtype, say with .to(torch.{ours})", dtypes_differ(ours, theirs)
    devices = [one.device.type for one in (first, second) if isinstance(one.device, Device)]
    if len({*devices}) == 2:
        what = f"the functions of torch.cond give tensors on {devices[0]} and {devices[1]}"
        return what, "make both on one device, say with device=x.device", Confidence.CERTAIN
    if first.shape is not None and second.shape is not None and len(first.shape) != len(second.shape):
        what = f"the functions of torch.cond give tensors of {len(first.shape)} and {len(second.shape)} dimensions"
        return what, "let both return as many dimensions, say with .unsqueeze or keepdim=True", Confidence.CERTAIN
    return None
