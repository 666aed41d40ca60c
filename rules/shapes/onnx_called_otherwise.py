"""AOTI339."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, catches, dtypes_differ, judge, surest
from aoti_lint.rule.events import OnnxCall
from aoti_lint.rule.shapes import Input, inputs
from aoti_lint.rule.values import NONE, Const, Pairs, Program, Tensor, Tup, Value

from ._texts import texts_of

RAISED = ("InvalidArgument", "ValueError")
"""What onnxruntime ends a call in: the first is no subclass of the second."""


class OnnxCalledOtherwise(Rule):
    """A model for ONNX is run with inputs of another size, dtype or name than it was exported with.

    What happens:
        onnxruntime raises: `InvalidArgument: Got invalid dimensions for input: x for the following indices index: 0
        Got: 5 Expected: 2`, `Invalid rank for input: x`, `Unexpected input data type. Actual: (tensor(double)) ,
        expected: (tensor(float))`; `ValueError: Required inputs (['x']) are missing from input feed (['input'])`.

    Why:
        Without `dynamic_shapes` all sizes of the example inputs are those of the model. Its inputs are called as the
        parameters of `forward`, unless `input_names` says otherwise.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x * 2

        model = torch.onnx.export(Net(), (torch.randn(2, 8),), dynamo=True)
        model(torch.randn(5, 8))  # <- AOTI339

        import onnxruntime

        model.save("net.onnx")
        session = onnxruntime.InferenceSession("net.onnx")
        session.run(None, {"input": torch.randn(2, 8).numpy()})  # <- AOTI339

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x * 2

        batch = torch.export.Dim("batch")
        model = torch.onnx.export(Net(), (torch.randn(2, 8),), dynamo=True, dynamic_shapes={"x": {0: batch}})
        model(torch.randn(5, 8))

        import onnxruntime

        model.save("net.onnx")
        session = onnxruntime.InferenceSession("net.onnx")
        session.run(None, {"x": torch.randn(2, 8).numpy()})

    How to debug:
        `print([(one.name, one.shape, one.type) for one in session.get_inputs()])`.

    Sources:
        Run on torch 2.13 with onnxscript 0.7.2 and onnxruntime 1.32: sizes, ranks, dtypes, names.
        https://docs.pytorch.org/docs/stable/onnx_export.html
    """

    code = "AOTI339"
    name = "onnx-called-otherwise"
    outcome = Outcome.RAISES_AT_CALL

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        """One finding for a call, at its first input that does not fit."""
        return surest(
            (0, found)
            for event in facts.of(OnnxCall)
            if not catches(event.caught | event.expected, *RAISED)
            for found in self._judged(facts, event)
        )

    def _judged(self, facts: Facts, event: OnnxCall) -> Iterator[Diagnostic]:
        program, names = event.model.program, _names(event)
        wanted = list(inputs(program))
        if program.handed or not wanted or not _all_plain(program):
            return
        missing = [name for name in names if name not in event.given] if event.fed and names else []
        # An input that the model gives back is called x_orig.
        strange = [one for one in event.given if not one.startswith(tuple(names))]
        if missing and strange:
            message = f"the model's inputs are called {', '.join(names)}, and this gives {', '.join(event.given)}"
            advice = f"call it {missing[0]}, or export with input_names"
            yield self._report(facts, event, Confidence.CERTAIN, message, advice)
            return
        for one, given in _beside(event, wanted, names):
            fault = _misfit(event, program, one, given)
            if fault is not None:
                yield self._report(facts, event, *fault)
                return

    def _report(self, facts: Facts, event: OnnxCall, sure: Confidence, message: str, advice: str) -> Diagnostic:
        return self.found(
            facts,
            event,
            sure,
            f"{message}: the call raises",
            label="run here",
            related=(Related(event.model.program.span, "exported here"),),
            help=advice,
            symptom="shape-mismatch",
        )


def _names(event: OnnxCall) -> list[str]:
    """What the inputs of the model are called; none where that is not known."""
    program, said = event.model.program, event.model.names
    own = [one.name for one in inputs(program)]
    if said == NONE:
        return own if program.signature is not None else []
    named = None if program.signature is None else texts_of(said)
    # What names more, names numbers, which are no inputs.
    return [] if named is None else [*named[: len(own)], *own[len(named) :]]


def _all_plain(program: Program) -> bool:
    """Whether all example inputs are known, and none is in a container."""
    named = [value for _, value in program.kwargs.pairs] if isinstance(program.kwargs, Pairs) else []
    if not isinstance(program.args, Tup) or (program.kwargs != NONE and not isinstance(program.kwargs, Pairs)):
        return False
    return all(isinstance(value, Tensor | Const) for value in (*program.args.items, *named))


def _beside(event: OnnxCall, wanted: list[Input], names: list[str]) -> Iterator[tuple[Input, Tensor]]:
    """The inputs of the model with what a call gives for them."""
    called = names if event.fed else [one.name for one in wanted]
    by_name = dict(zip(called, wanted, strict=False))
    yield from (
        (by_name[name], value) for name, value in event.given.items() if name in by_name and isinstance(value, Tensor)
    )
    # What is no tensor takes no place.
    if all(isinstance(value, Tensor | Const) for value in event.args):
        tensors = (value for value in event.args if isinstance(value, Tensor))
        yield from zip(wanted, tensors, strict=False)


def _misfit(event: OnnxCall, program: Program, one: Input, given: Tensor) -> tuple[Confidence, str, str] | None:
    """Why an input does not fit, how sure that is, and what to do."""
    first, second = one.tensor.shape, given.shape
    if first is not None and second is not None and len(first) != len(second):
        said = f"{one.name} was exported with {len(first)} dimensions and is given with {len(second)}"
        return Confidence.CERTAIN, said, "give it the rank it was exported with"
    for dim, sizes in enumerate(zip(first or (), second or (), strict=False)):
        verdict = judge([*sizes], event.path, _differ) if one.freedom(program, dim) == "static" else None
        if verdict is not None:
            wanted, got = (size.value for size in verdict[1] if isinstance(size, Const))
            said = f"{one.name} was exported with {wanted} in dimension {dim}, and is given with {got}"
            return verdict[0], said, "give the export dynamic_shapes in which this dimension is a torch.export.Dim"
    dtypes = [tensor.dtype.removeprefix("torch.") for tensor in (one.tensor, given) if tensor.dtype]
    if len(dtypes) == 2 and dtypes[0] != dtypes[1]:
        said = f"{one.name} was exported with {dtypes[0]}, and is given with {dtypes[1]}"
        return dtypes_differ(dtypes[0], dtypes[1]), said, "convert it first"
    return None


def _differ(values: list[Value]) -> bool | None:
    first, second = values
    if isinstance(first, Const) and isinstance(second, Const):
        return first.value != second.value
    return None if first != second else False
