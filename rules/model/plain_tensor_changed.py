"""AOTI703."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, catches
from aoti_lint.rule.events import ApiCall, Event, ExportEvent, OnnxExport, TensorChange
from aoti_lint.rule.values import Program

from ..api._calls import DECOMPOSE
from ._kept import RUN_ON, packaged, sure

_RAISED = ("RuntimeError", "AssertionError", "OnnxExporterError", "ConversionError")


class PlainTensorChanged(Rule):
    """A forward changes a parameter in place, or a tensor that is no buffer and goes into a package or to ONNX.

    What happens:
        The export says nothing and `program.module()` keeps the state. The compile raises: `AssertionError:
        aot_autograd expected to have an entirely functional graph, but found %add_ : [num_users=0] =
        call_function[target=torch.ops.aten.add_.Tensor](args = (%_tensor_constant0, 1), kwargs = {})`, or, where
        what is written comes from an input or goes to a part of the tensor, `RuntimeError: false INTERNAL ASSERT
        FAILED … mutating a non-functional tensor with a functional tensor is not allowed.`
        `run_decompositions()` raises `RuntimeError: Constant state is mutated in the forward method. Pls register it as
        buffer`, and `torch.onnx.export(…, dynamo=True)` a `ConversionError` that says so. Where a parameter is changed,
        the export itself raises: `RuntimeError: a leaf Variable that requires grad is being used in an
        in-place operation`.

    Why:
        `self.state = torch.zeros(4)` is a constant of the program, as are tensors of the class, of a list or a dict,
        and global ones; the compiler takes constants for what they say. What `register_buffer` makes is state, which
        may change. A parameter is for the optimizer to change, while autograd is off.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.state = torch.zeros(4)

            def forward(self, x):
                self.state.add_(x)  # <- AOTI703
                return self.state * 2

        program = torch.export.export(Net(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program)

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = torch.nn.Parameter(torch.ones(4))

            def forward(self, x):
                self.scale.clamp_(0, 1)  # <- AOTI703
                return x * self.scale

        torch.export.export(Net(), (torch.ones(4),))

    Good:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("state", torch.zeros(4))

            def forward(self, x):
                self.state.add_(x)
                return self.state * 2

        program = torch.export.export(Net(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program)

    How to debug:
        `program.constants` has the tensor; `program.state_dict` has buffers.

    Sources:
        Run on torch 2.13: `add_`, `+=`, `copy_` on a slice, `index_copy_` and `x[0] = …`, of one and of four elements;
        tensors of attributes, of the class, of a list, of a dict, global ones and those of a closure; parameters with
        and without `strict=True`, under `torch.no_grad()`, frozen, detached and set by `torch.nn.init`.
    """

    code = "AOTI703"
    name = "plain-tensor-changed"
    severity = Severity.ERROR
    outcome = Outcome.RAISES_AT_COMPILE

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        yield from self._weights(facts)
        changed = {(e.root, e.span): e.changes for e in facts.of(ExportEvent) if e.changes}
        for compiling, span in packaged(facts, changed):
            compiled = Related(compiling.span, "compiled here")
            yield from self._constants(
                facts, compiling, changed[compiling.root, span], "the compile raises", span, compiled
            )
        for call in facts.of(ApiCall) if changed else ():
            program = call.receiver if call.name == DECOMPOSE else None
            if isinstance(program, Program) and not program.is_draft:
                made = changed.get((call.root, program.span), ())
                asked = Related(call.span, "traced once more here")
                yield from self._constants(facts, call, made, "run_decompositions raises", program.span, asked)
        for event in facts.of(OnnxExport):
            yield from self._constants(
                facts, event, event.changes, "the export raises", event.span, outcome=Outcome.RAISES_AT_EXPORT
            )

    def _constants(
        self,
        facts: Facts,
        event: Event,
        changes: Iterable[TensorChange],
        what: str,
        exported: Span,
        *then: Related,
        outcome: Outcome = Outcome.RAISES_AT_COMPILE,
    ) -> Iterator[Diagnostic]:
        """Tensors that are no buffers and are changed, told where torch asks for the program to be functional."""
        failing = event.versions & RUN_ON
        if not failing or catches(event.caught | event.expected, *_RAISED):
            return
        said = set()
        for change in changes:
            if change.span not in said and not change.gradient:
                said.add(change.span)
                name = f"self.{change.name}" if change.name else ""
                yield self.found(
                    facts,
                    event,
                    sure(event, change.path),
                    f"{name or 'this tensor'} is no buffer and is changed in forward: {what}",
                    outcome=outcome,
                    span=change.span,
                    failing=failing,
                    label="changed here",
                    related=(Related(exported, "exported here"), *then),
                    help=f'self.register_buffer("{change.name or "state"}", …) in __init__',
                    symptom="compile-error" if outcome is Outcome.RAISES_AT_COMPILE else "export-error",
                )

    def _weights(self, facts: Facts) -> Iterator[Diagnostic]:
        """Parameters that a forward changes where autograd is on."""
        for event in facts.of(ExportEvent):
            change = next((one for one in event.changes if one.gradient), None)
            draft = isinstance(event.program, Program) and event.program.is_draft
            if change is not None and not draft and not catches(event.caught | event.expected, "RuntimeError"):
                name = f"self.{change.name}" if change.name else "this tensor"
                yield self.found(
                    facts,
                    event,
                    sure(event, change.path),
                    f"{name} is a parameter and is changed in forward, while autograd is on: the export raises",
                    span=change.span,
                    outcome=Outcome.RAISES_AT_EXPORT,
                    label="changed here",
                    related=(Related(event.span, "exported here"),),
                    help=f'compute a new tensor from it; state is self.register_buffer("{change.name or "state"}", …)',
                    symptom="export-error",
                )
