"""AOTI345."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Rule,
    Severity,
    Verdict,
    catches,
    dataclass,
    judge,
    weaker,
)
from aoti_lint.rule.events import ApiCall, OnnxAxes, OnnxAxesUnread, OnnxExport, ScriptTrace
from aoti_lint.rule.inputs import flattened, kind_of_leaf
from aoti_lint.rule.shapes import flat_tensors
from aoti_lint.rule.values import NONE, Const, Pairs, Program, Tensor, Tup, Value

from ._texts import texts_of

_SAVING = "onnx.save("
"""Who writes a model for ONNX again may mend before what the exporter made of it."""


class NamesOfOnnxInputs(Rule):
    """Names that `torch.onnx.export` is given are not those of the inputs they go to, or go to no output.

    What happens:
        An input of the model bears the name of another one: who feeds them by name exchanges them, without a word where
        they have the same shape. A number or None has no input, whatever it is called, and what is fed for it changes
        nothing. Of `output_names` those beyond the outputs are dropped without a word; with `dynamo=False` they raise:
        `number of output names provided (5) exceeded number of outputs (1)`. A name that an input and an output have
        makes the file invalid: `onnx.checker` refuses it, `Graph must be in single static assignment (SSA) form`. Where
        `dynamic_axes` and `input_names` together name more inputs or fewer than there are, the export raises
        `RuntimeError: # Failed to convert 'dynamic_axes' to 'dynamic_shapes'`. Where it leaves out an input that is not
        the last one, or has another order than `input_names`, sizes of other inputs become dynamic: the model is static
        where it was meant to be dynamic, or the export raises. With `dynamo=False`, and before torch 2.9, a name that
        is none of the model's gives a warning, and is left out: `Provided key image for dynamic axes is not a valid
        input/output name`.

    Why:
        `input_names` go to the inputs in the order of the forward's parameters, whatever these are called. Numbers and
        None become constants of the model and take no name. `dynamic_axes` needs an entry, or a name in `input_names`,
        for each example input, those that are numbers or None and each tensor of a list or dict included. Its entries
        go to the inputs in the order in which they stand in it, whatever they are called, and inputs without one come
        last.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, query, key):
                return query - key

        pair = (torch.randn(2, 8), torch.randn(2, 8))
        torch.onnx.export(Net(), pair, "net.onnx", input_names=["key", "query"], dynamo=True)  # <- AOTI345

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, query, key):
                return query - key.sum()

        pair = (torch.randn(2, 8), torch.randn(2, 8))
        torch.onnx.export(Net(), pair, "net.onnx", dynamic_axes={"query": {0: "n"}}, dynamo=True)  # <- AOTI345

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, image, points):
                return image.mean() + points

        pair, names = (torch.randn(1, 8), torch.randn(5, 2)), ["image", "points"]
        axes = {"points": {0: "n"}}
        torch.onnx.export(Net(), pair, "net.onnx", input_names=names, dynamic_axes=axes, dynamo=True)  # <- AOTI345

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, query, key):
                return query - key.sum()

        pair, names = (torch.randn(2, 8), torch.randn(2, 8)), ["query", "key"]
        torch.onnx.export(Net(), pair, "net.onnx", input_names=names, dynamic_axes={"query": {0: "n"}}, dynamo=True)

    How to debug:
        `print([one.name for one in onnx_program.model.graph.inputs])`, of what the export gives.

    Sources:
        Run on torch 2.13 with onnxscript 0.7.2 (this project's tests).
        `torch/onnx/_internal/exporter/_dynamic_shapes.py`, `from_dynamic_axes_to_dynamic_shapes`, of the releases
        2.9.1, 2.10.0, 2.13.0 (line 20) and 2.15.0; `_ir_passes.py`, `rename_inputs` (2.13.0:20).
    """

    code = "AOTI345"
    name = "names-of-onnx-inputs"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG

    def on_api_call(self, facts: Facts, event: ApiCall) -> Iterator[Diagnostic]:
        for name in ("input_names", "output_names") if event.name == "torch.onnx.export" else ():
            verdict = judge([event.kwargs.get(name, NONE)], event.path, _is_text)
            if verdict is None or catches(event.caught | event.expected, "Exception"):
                continue
            text = _number(verdict[1][0])
            yield self.found(
                facts,
                event,
                verdict,
                f'{name} is the text "{text}", of which each letter is taken for a name',
                span=event.place(None, name),
                label="a text",
                help=f'give a list: {name}=["{text}"]',
            )

    def on_onnx_export(self, facts: Facts, event: OnnxExport) -> Iterator[Diagnostic]:
        program = event.program
        if not isinstance(program, Program) or program.handed:
            return
        source = facts.project.source(event.span.path)
        sure = Confidence.POSSIBLE if source is not None and _SAVING in source.code else Confidence.CERTAIN
        for message, advice in filter(None, (_without_output(event, program), _named_twice(event))):
            yield self.found(facts, event, sure, message, label="exported here", help=advice)
        examples = _examples(program) if event.fits else None
        if examples is None:
            return
        said = _misnamed(event, program.signature or (), examples) or _constant(event, examples)
        if said is not None:
            message, advice = said
            yield self.found(
                facts,
                event,
                Confidence.CERTAIN,
                message,
                label="exported here",
                help=advice,
            )

    def on_script_trace(self, facts: Facts, event: ScriptTrace) -> Iterator[Diagnostic]:
        program, caught = event.program, event.caught | event.expected
        beyond = _without_output(event, program) if isinstance(program, Program) else None
        if beyond is not None and not catches(caught, "RuntimeError"):
            yield self.found(
                facts,
                event,
                Confidence.CERTAIN,
                f"{beyond[0]}: the export raises",
                severity=Severity.ERROR,
                outcome=Outcome.RAISES_AT_EXPORT,
                label="exported here",
                help=beyond[1],
                symptom="export-error",
            )

    def on_onnx_axes(self, facts: Facts, event: OnnxAxes) -> Iterator[Diagnostic]:
        yield from self._misplaced(facts, event)
        verdict = judge([event.spoken], event.path, lambda case: _is_another(case[0], event.given))
        if verdict is None or catches(event.caught | event.expected, "RuntimeError"):
            return
        named = f"dynamic_axes and input_names speak of {_number(verdict[1][0])} of the inputs"
        advice = "name each input in input_names, and each output in output_names; or give dynamic_shapes"
        stranger = _stranger(event)
        if stranger is not None:
            _, name, named = stranger
            advice = f'write the name of an input or output in the place of "{name}"'
        yield self.found(
            facts,
            event,
            verdict[0] if event.sure else weaker(verdict[0], Confidence.LIKELY),
            f"{named}: the export raises"
            if stranger is not None
            else f"{named}, and the model is given {event.given}: the export raises",
            severity=Severity.ERROR,
            outcome=Outcome.RAISES_AT_EXPORT,
            label="exported here",
            help=advice,
            symptom="export-error",
        )

    def on_onnx_axes_unread(self, facts: Facts, event: OnnxAxesUnread) -> Iterator[Diagnostic]:
        stranger = _stranger(event)
        if stranger is not None:
            sure, name, named = stranger
            advice = f'write the name of an input or output in the place of "{name}"'
            message = f"{named}: what it says is left out, with no more than a warning"
            yield self.found(facts, event, sure, message, label="exported here", help=advice)

    def _misplaced(self, facts: Facts, event: OnnxAxes) -> Iterator[Diagnostic]:
        verdict = judge([event.misplaced], event.path, lambda case: _pair(case[0]) is not None)
        if verdict is None or (pair := _pair(verdict[1][0])) is None:
            return
        entry, name = pair
        yield self.found(
            facts,
            event,
            verdict[0],
            f'what dynamic_axes says of "{entry}" goes to "{name}", as its entries go to the inputs in their order: '
            "another size becomes dynamic, or the export raises",
            label="exported here",
            help="give dynamic_axes an entry for each input, in the order of input_names; {} where none is dynamic",
        )


def _stranger(event: OnnxAxes | OnnxAxesUnread) -> tuple[Verdict, object, str] | None:
    """A name in `dynamic_axes` that is none of the model's: how sure that is, the name, and what is wrong with it."""
    verdict = judge([event.stranger], event.path, lambda case: case[0] != NONE)
    if verdict is None:
        return None
    name = _number(verdict[1][0])
    return verdict, name, f'"{name}" of dynamic_axes is in neither input_names nor output_names'


def _is_text(case: list[Value]) -> bool:
    value = case[0]
    return isinstance(value, Const) and isinstance(value.value, str) and len(value.value) > 1


def _pair(value: Value) -> tuple[object, object] | None:
    match value:
        case Tup((Const(entry), Const(name))):
            return entry, name
    return None


def _is_another(spoken: Value, given: int) -> bool | None:
    number = _number(spoken)
    return None if number is None else number != given


def _number(value: Value) -> object:
    return value.value if isinstance(value, Const) else None


@dataclass(frozen=True, slots=True)
class _Example:
    """A part of the example inputs that holds no others: its parameter, how it is reached, and what it is."""

    parameter: str
    name: str
    value: Value


def _examples(program: Program) -> list[_Example] | None:
    """All of them in the order of the inputs, by name as they were given; None where they are not all known."""
    names, named = program.signature, program.kwargs.pairs if isinstance(program.kwargs, Pairs) else ()
    if names is None or not isinstance(program.args, Tup) or not (named or program.kwargs in (NONE, Pairs(()))):
        return None
    given = dict(zip(names, program.args.items, strict=False))
    by_name = {str(key.value): value for key, value in named if isinstance(key, Const)}
    if len(program.args.items) > len(names) or len(by_name) < len(named) or by_name.keys() - (set(names) - set(given)):
        return None
    given.update(by_name)
    found = [_Example(name, *part) for name, value in given.items() for part in flattened(value, name)]
    known = all(isinstance(one.value, Const) or kind_of_leaf(one.value) == "tensor" for one in found)
    return found if known else None


def _misnamed(event: OnnxExport, parameters: tuple[str, ...], examples: list[_Example]) -> tuple[str, str] | None:
    """The first input that is called as another parameter is, and what to do."""
    inputs = [one for one in examples if isinstance(one.value, Tensor)]
    for one, name in zip(inputs, texts_of(event.names) or (), strict=False):
        if name != one.parameter and name in parameters:
            said = f'the input {one.name} is called "{name}" in the model, as another parameter of forward is'
            order = ", ".join(each.name for each in inputs)
            return said, f"input_names go to the inputs in their order, which is {order}"
    return None


def _without_output(event: OnnxExport | ScriptTrace, program: Program) -> tuple[str, str] | None:
    """The first of more names than there are outputs; what is None has none."""
    outputs = [one for one in flat_tensors(program.outputs) if one != NONE]
    names = texts_of(event.output_names) or []
    if not 0 < len(outputs) < len(names) or not all(isinstance(one, Tensor) for one in outputs):
        return None
    name = names[len(outputs)]
    said = f'"{name}" is the name of no output: there are {len(names)} output_names, and forward returns {len(outputs)}'
    return said, f"return it from forward, or leave {name!r} out of output_names"


def _named_twice(event: OnnxExport) -> tuple[str, str] | None:
    """A name that an input and an output have."""
    outputs = set(texts_of(event.output_names) or ())
    name = next((one for one in texts_of(event.names) or () if one in outputs), None)
    if name is None:
        return None
    said = f'"{name}" is the name of an input and of an output: the file is no valid model, onnx.checker refuses it'
    return said, f'give the output another name, such as "{name}_out"'


def _constant(event: OnnxExport, examples: list[_Example]) -> tuple[str, str] | None:
    """A number or None that has a name, and needs none for `dynamic_axes` to go to the inputs it means."""
    names = set(texts_of(event.names) or ()) if not event.by_axes else set()
    for one in examples:
        if isinstance(one.value, Const) and one.name in names:
            said = f"{one.name} is {one.value.value!r} in the model for good: it has no input of that name"
            advice = "give the export a tensor for it, such as torch.tensor(…), or leave its name out"
            return said, advice if one.value != NONE else "leave its name out, or give the export a tensor for it"
    return None
