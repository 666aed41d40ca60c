"""AOTI233."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, Severity, VersionSet, judge, weaker
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.values import FALSE, NONE, TRUE, Const, Pairs, Program, Ref, Tup, Unknown, Value

from ._calls import ONNX, calls, exports_to_onnx, kind

_LEAST_OPSET = 18
"""The opset for which the exporter translates (`torch/onnx/_internal/exporter/_constants.py`)."""
_REFUSED = VersionSet.since("2.5")
"""The releases whose exporter by TorchScript refuses `dynamic_shapes` (`torch/onnx/__init__.py` of 2.5.1 to 2.15.0)."""
_MOST_OF_THE_OLD = 23
"""The last opset of the exporter by TorchScript in torch 2.13 (run with each from 6 to 27)."""
_MOST_RUN_ON = VersionSet.between("2.13", "2.13")
_RARELY = 12
"""Of 37 models, 32 to 34 stayed at 18 where an opset up to this was asked for, 6 to 25 at 13 to 17; the others not."""


class OnnxArgumentIgnored(Rule):
    """`torch.onnx.export` is given what its exporter by `torch.export` does not look at.

    What happens:
        Nothing is said, and the file is another one than was asked for. An exported program keeps the dimensions with
        which it was exported: `dynamic_axes` and `dynamic_shapes` make none of them dynamic; `dynamic_shapes` names
        those that are. With `opset_version=11` the file says 18 for nearly all models, as few operators can be
        converted down; a line of the log is all there is of it.
        The exporter of `dynamo=False` refuses `dynamic_shapes`: `ValueError: The exporter only supports dynamic shapes
        through parameter dynamic_axes when dynamo=False.` Without a file it raises `AttributeError: 'NoneType' object
        has no attribute 'flush'`. Of torch 2.13 it knows no opset after 23: `RuntimeError: Unsupported
        onnx_opset_version: 24`.
        `custom_opsets`, `operator_export_type` and `export_modules_as_functions` are of the old exporter.

    Why:
        Since torch 2.9 `torch.onnx.export` exports by `torch.export` where `dynamo=False` is not said. Its translations
        are written for opset 18 and later.

    Bad:
        # torch: 2.13
        import torch

        model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()).eval()
        torch.onnx.export(model, (torch.randn(2, 8),), "net.onnx", opset_version=11)  # <- AOTI233

        program = torch.export.export(model, (torch.randn(2, 8),))
        torch.onnx.export(program, (), "net.onnx", dynamic_axes={"input": {0: "batch"}})  # <- AOTI233

    Bad:
        # torch: 2.13
        import torch

        model, shapes = torch.nn.Linear(8, 8), {"input": {0: "batch"}}
        torch.onnx.export(model, (torch.randn(2, 8),), "n.onnx", dynamo=False, dynamic_shapes=shapes)  # <- AOTI233

    Good:
        # torch: 2.13
        import torch

        model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.ReLU()).eval()
        torch.onnx.export(model, (torch.randn(2, 8),), "net.onnx", opset_version=18)

        batch = torch.export.Dim("batch")
        program = torch.export.export(model, (torch.randn(2, 8),), dynamic_shapes=({0: batch},))
        torch.onnx.export(program, (), "net.onnx")

    How to debug:
        `onnx.load("net.onnx").opset_import` and `.graph.input` show what the file says.

    Sources:
        Run on torch 2.13 with onnxscript 0.7.2: 37 models with 14 opsets, programs with dynamic axes.
        `torch/onnx/__init__.py` of release 2.13.0 hands the others on to the old exporter only.
        https://docs.pytorch.org/docs/stable/onnx_export.html
    """

    code = "AOTI233"
    name = "onnx-argument-ignored"
    of_releases = True
    severity = Severity.WARNING
    outcome = Outcome.NO_EFFECT
    doubt = "some models can be converted down"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in calls(facts, ONNX, raising=("ValueError",)):
            yield from self._of_the_old(facts, event)
        for event in calls(facts, ONNX, raising=("RuntimeError",)):
            yield from self._too_new(facts, event)
        for event in calls(facts, ONNX, raising=("AttributeError", "TypeError")):
            yield from self._without_file(facts, event)
        for event, versions in exports_to_onnx(facts):
            yield from self._of_program(facts, event, versions)
            yield from self._opset(facts, event, versions)
            for name, (refuses, instead) in _OF_THE_OLD.items():
                verdict = judge([event.kwargs.get(name, NONE)], event.path, refuses)
                if verdict is not None:
                    yield self.found(
                        facts,
                        event,
                        verdict,
                        f"this exporter does not look at {name}",
                        span=event.place(None, name),
                        failing=versions,
                        label="ignored",
                        help=instead,
                    )

    def _of_the_old(self, facts: Facts, event: ApiCall) -> Iterator[Diagnostic]:
        """`dynamic_shapes`, which the exporter by TorchScript refuses."""
        given = [event.kwargs.get(name, NONE) for name in ("dynamic_shapes", "dynamo")]
        verdict = judge(
            given, event.path, lambda v: isinstance(v[0], Pairs | Tup) and v[0] != Pairs(()) and v[1] == FALSE
        )
        if verdict is not None and not event.open:
            yield self.found(
                facts,
                event,
                verdict,
                "the exporter of dynamo=False takes no dynamic_shapes: the export raises",
                span=event.place(None, "dynamic_shapes"),
                failing=event.versions & _REFUSED,
                severity=Severity.ERROR,
                outcome=Outcome.RAISES_AT_EXPORT,
                label="not for this exporter",
                help="say it with dynamic_axes=, or leave dynamo=False out",
                symptom="export-error",
            )

    def _too_new(self, facts: Facts, event: ApiCall) -> Iterator[Diagnostic]:
        """An opset that the exporter by TorchScript does not know yet."""
        given = [event.kwargs.get(name, NONE) for name in ("opset_version", "dynamo")]
        verdict = judge(given, event.path, _is_too_new)
        failing = event.versions & _MOST_RUN_ON
        if verdict is not None and failing and not event.open and isinstance(opset := verdict[1][0], Const):
            yield self.found(
                facts,
                event,
                verdict,
                f"the exporter of dynamo=False knows no opset {opset.value}, its last is {_MOST_OF_THE_OLD}: "
                "the export raises",
                span=event.place(None, "opset_version"),
                failing=failing,
                severity=Severity.ERROR,
                outcome=Outcome.RAISES_AT_EXPORT,
                label="not known to this exporter",
                help=f"write opset_version={_MOST_OF_THE_OLD} or less, or leave dynamo=False out",
                symptom="export-error",
            )

    def _without_file(self, facts: Facts, event: ApiCall) -> Iterator[Diagnostic]:
        """An export by TorchScript that says no file, which has no other result."""
        given = [event.arg(2, "f") or NONE, event.kwargs.get("dynamo", NONE)]
        verdict = judge(given, event.path, lambda v: v[0] == NONE and v[1] == FALSE)
        if verdict is not None and not event.open:
            yield self.found(
                facts,
                event,
                verdict,
                "the exporter of dynamo=False gives nothing back, and is told no file: the export raises",
                severity=Severity.ERROR,
                outcome=Outcome.RAISES_AT_EXPORT,
                label="has no f",
                help='write a file: torch.onnx.export(model, args, "model.onnx", dynamo=False)',
                symptom="export-error",
            )

    def _of_program(self, facts: Facts, event: ApiCall, versions: VersionSet) -> Iterator[Diagnostic]:
        """What says which dimensions are dynamic, of a program that was exported already."""
        model = event.arg(0, "model")
        of_program = judge([model or NONE], event.path, lambda v: event.tag(v[0]) in ("Program", "LoadedProgram"))
        for name in ("dynamic_axes", "dynamic_shapes") if of_program is not None else ():
            given = judge([event.kwargs.get(name, NONE)], event.path, lambda v: v[0] != NONE)
            if given is not None and of_program is not None:
                program = of_program[1][0]
                is_dynamic = isinstance(program, Program) and program.spec != NONE
                if name == "dynamic_shapes" and (is_dynamic or not isinstance(program, Program)):
                    continue  # names of dimensions that are dynamic are written into the file
                yield self.found(
                    facts,
                    event,
                    weaker(given, of_program[0]),
                    f"{name} does nothing here: the program was exported with its dimensions already",
                    span=event.place(None, name),
                    failing=versions,
                    outcome=Outcome.NO_EFFECT if is_dynamic else Outcome.SILENTLY_WRONG,
                    label="ignored",
                    help="leave it out: the program has dynamic_shapes of its own"
                    if is_dynamic
                    else "say it with dynamic_shapes= where the program is exported",
                )

    def _opset(self, facts: Facts, event: ApiCall, versions: VersionSet) -> Iterator[Diagnostic]:
        """An opset to which hardly any model can be converted."""
        verdict = judge([event.kwargs.get("opset_version", NONE)], event.path, _is_low)
        if verdict is None or not isinstance(opset := verdict[1][0], Const) or not isinstance(opset.value, int):
            return
        model = event.arg(0, "model") or NONE
        if judge([model], event.path, lambda v: kind(event, v[0]) == "torch.jit.ScriptModule") is not None:
            return  # AOTI215: it raises, and what helps against that writes the opset
        rarely = opset.value <= _RARELY
        # Code that nobody says the release of may be for the exporter before.
        meant = event.kwargs.get("dynamo") == TRUE or facts.stated_for(event.root)
        yield self.found(
            facts,
            event,
            weaker(verdict[0], Confidence.LIKELY if rarely and meant else Confidence.POSSIBLE),
            f"the file {'will' if rarely else 'may'} say opset {_LEAST_OPSET} where {opset.value} is asked for: "
            "this exporter writes that, and converts it down where it can",
            span=event.place(None, "opset_version"),
            failing=versions,
            label=f"lower than {_LEAST_OPSET}",
            doubt="a net of convolutions, pooling and simple activations alone is converted",
            help=f"write opset_version={_LEAST_OPSET} or more; for what reads only older ones, dynamo=False",
        )


def _is_low(values: list[Value]) -> bool | None:
    (opset,) = values
    if isinstance(opset, Const):
        return isinstance(opset.value, int) and opset.value < _LEAST_OPSET
    return None


def _is_too_new(values: list[Value]) -> bool | None:
    opset, dynamo = values
    if isinstance(opset, Const) and isinstance(dynamo, Const):
        return dynamo == FALSE and type(opset.value) is int and opset.value > _MOST_OF_THE_OLD
    return None


def _is_given(values: list[Value]) -> bool | None:
    return None if isinstance(values[0], Unknown) else values[0] not in (NONE, FALSE)


def _is_other_than(*usual: str) -> Callable[[list[Value]], bool | None]:
    def judged(values: list[Value]) -> bool | None:
        (given,) = values
        return given.name.rpartition(".")[2] not in usual if isinstance(given, Ref) else None

    return judged


_OF_THE_OLD: dict[str, tuple[Callable[[list[Value]], bool | None], str]] = {
    "operator_export_type": (_is_other_than("ONNX"), "leave it out, or write dynamo=False"),
    "custom_opsets": (_is_given, "say it with custom_translation_table=, or write dynamo=False"),
    "export_modules_as_functions": (_is_given, "leave it out, or write dynamo=False"),
}
"""The arguments of the old exporter: what counts as asking for something, and what to do instead."""
