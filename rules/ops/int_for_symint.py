"""AOTI415."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.diagnostics import Confidence, Diagnostic, Outcome, Related, Severity, Span
from aoti_lint.interp.events import ExportEvent, OpCall, OpDefinition
from aoti_lint.interp.facts import Facts
from aoti_lint.interp.judge import catches
from aoti_lint.interp.models.ops import base
from aoti_lint.interp.op_schemas import text_of
from aoti_lint.interp.values import NONE, Program
from aoti_lint.rule import Rule
from aoti_lint.torch_api.op_schema import Argument, Schema

from ._schemas import Definitions, exported_calls, schema_of


class IntForSymInt(Rule):
    """The schema of a custom operator says `int` for what is given a size of a tensor.

    What happens:
        The size becomes a number when the model is traced. Export with a named `Dim` raises `Constraints violated
        (batch)! You marked batch as dynamic but your code specialized it to be a constant (6)`, and names neither the
        operator nor its schema; `Dim.AUTO` goes static without a word; `torch.compile` compiles again for each size.

    Why:
        `int` in a schema is a number that is known when the program is traced, `SymInt` one that may be a symbol such
        as a dynamic size. Only schemas that are written by hand can say `int`: `custom_op` makes `SymInt` of the
        annotation `int`. In C++ a `SymInt` argument is a `c10::SymInt`.

    Bad:
        import torch

        lib = torch.library.Library("mylib", "DEF")
        lib.define("repeat_rows(Tensor x, int rows) -> Tensor")  # <- AOTI415
        lib.impl("repeat_rows", lambda x, rows: x.unsqueeze(0).repeat(rows, 1), "CPU")
        lib.impl("repeat_rows", lambda x, rows: x.new_empty(rows, x.shape[0]), "Meta")

        class Prior(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.prior = torch.nn.Parameter(torch.zeros(5))

            def forward(self, scores):
                return scores + torch.ops.mylib.repeat_rows(self.prior, scores.shape[0])

        batch = torch.export.Dim("batch", min=2, max=64)
        program = torch.export.export(Prior(), (torch.randn(6, 5),), dynamic_shapes={"scores": {0: batch}})

    Good:
        import torch

        lib = torch.library.Library("mylib", "DEF")
        lib.define("repeat_rows(Tensor x, SymInt rows) -> Tensor")
        lib.impl("repeat_rows", lambda x, rows: x.unsqueeze(0).repeat(rows, 1), "CPU")
        lib.impl("repeat_rows", lambda x, rows: x.new_empty(rows, x.shape[0]), "Meta")

        class Prior(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.prior = torch.nn.Parameter(torch.zeros(5))

            def forward(self, scores):
                return scores + torch.ops.mylib.repeat_rows(self.prior, scores.shape[0])

        batch = torch.export.Dim("batch", min=2, max=64)
        program = torch.export.export(Prior(), (torch.randn(6, 5),), dynamic_shapes={"scores": {0: batch}})

    How to debug:
        `TORCH_LOGS="+dynamic"` prints where the symbol is replaced: `eval Eq(s77, 6)` under the call of the operator.

    Sources:
        Run on torch 2.13. https://github.com/pytorch/pytorch/issues/124645
    """

    code = "AOTI415"
    name = "int-for-symint"
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        definitions = Definitions(facts)
        exported: dict[Span, ExportEvent] = {span: export for _, span, export in exported_calls(facts)}
        seen: set[tuple[Span, str]] = set()
        for call in facts.of(OpCall):
            if not call.sizes or catches(call.expected, "Exception"):
                continue
            for definition in definitions.near(call.op, call.span.path):
                schema = schema_of(definition)
                if schema is None or text_of(definition) is None:
                    continue
                for argument, place in _ints(schema, call):
                    span = definition.place or definition.span
                    if (span, argument.name) not in seen:
                        seen.add((span, argument.name))
                        yield self._report(facts, definition, span, argument, place, exported.get(call.span))

    def _report(
        self,
        facts: Facts,
        definition: OpDefinition,
        span: Span,
        argument: Argument,
        place: Span,
        export: ExportEvent | None,
    ) -> Diagnostic:
        related = [Related(place, "a size is passed here")]
        dynamic = export is not None and isinstance(export.program, Program) and export.program.spec != NONE
        if export is not None and dynamic:
            related.append(Related(export.span, "exported with dynamic sizes here"))
        better = argument.type.replace("int", "SymInt", 1)
        name = base(str(getattr(definition.op, "value", "the op")))
        effect = "export makes it a constant" if dynamic else "a trace with dynamic sizes makes it a constant"
        return self.found(
            facts,
            definition,
            Confidence.LIKELY if dynamic else Confidence.POSSIBLE,
            f"the schema of {name} says {argument.type} for `{argument.name}`, which is given a size: {effect}",
            span=span,
            severity=Severity.WARNING,
            label=f"`{argument.type} {argument.name}` in this schema",
            related=tuple(related),
            help=f"write `{better} {argument.name}`"
            + ("" if span.path.endswith(".py") else ", and c10::SymInt in C++"),
            symptom="dim-specialized",
        )


def _ints(schema: Schema, call: OpCall) -> Iterator[tuple[Argument, Span]]:
    """The `int` arguments of an op that a call gives a size to, and where."""
    for key in call.sizes:
        if isinstance(key, int):
            argument = schema.positional[key] if key < len(schema.positional) else None
        else:
            argument = schema.argument(key)
        if argument is not None and argument.element == "int":
            yield argument, call.places.get(key, call.span)
