"""AOTI415."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span
from aoti_lint.rule.events import OpDefinition, OpImpl
from aoti_lint.rule.native import output_integers
from aoti_lint.rule.ops import CPP, Argument, base_name, schema_text
from aoti_lint.rule.trials import OpTrial
from aoti_lint.rule.values import Const, expr_of, leaves

from ._schemas import Definitions, name_of, schema_of
from ._sizes import Passed, Passes
from ._trials import allocated, index_of, tensors


class IntForSymInt(Rule):
    """The schema of a custom operator says `int` for what is given a size of a tensor.

    What happens:
        The size becomes a number when the model is traced. Export with a named `Dim` raises `Constraints violated
        (batch)! You marked batch as dynamic but your code specialized it to be a constant (6)`, and names neither the
        operator nor its schema; `Dim.AUTO` goes static without a word; `torch.compile` compiles again for each size.

    Why:
        `int` in a schema is a number that is known when the program is traced, `SymInt` one that may be a symbol such
        as a dynamic size. Only schemas that are written by hand can say `int`: `custom_op` makes `SymInt` of the
        annotation `int`. In C++ a `SymInt` argument is a `c10::SymInt`. An argument that no call in the project gives a
        size to may be an `int`; where no call is seen, and the fake or the C++ kernel makes a size of the output of
        it, this is advice.

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
    doubt = "it may be given the same size at every call"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        definitions = Definitions(facts)
        passes, used = Passes(facts, definitions), output_sizes(facts)
        seen: set[tuple[Span, str]] = set()
        for definition in (one for listed in definitions.of_op.values() for one in listed):
            schema = schema_of(definition)
            if schema is None or schema_text(definition) is None:
                continue
            span = definition.place or definition.span
            unseen: list[tuple[Argument, Span]] = []
            for index, argument in enumerate(schema.arguments):
                if argument.element != "int" or (span, argument.name) in seen:
                    continue
                passed = passes.of(definition, schema, index)
                places = used.get((name_of(definition) or "", index), [])
                place = next((one for one in places if one.path == span.path), places[0] if places else None)
                if passed is not None:
                    yield self._report(facts, definition, [argument], passed, place)
                elif place is not None and not passes.calls(definition):
                    unseen.append((argument, place))
                else:
                    continue
                seen.add((span, argument.name))
            if unseen:
                yield self._report(facts, definition, [argument for argument, _ in unseen], None, unseen[0][1])

    def _report(
        self, facts: Facts, definition: OpDefinition, arguments: list[Argument], passed: Passed | None,
        place: Span | None,
    ) -> Diagnostic:  # fmt: skip
        span, several = definition.place or definition.span, len(arguments) > 1
        related = () if passed is None else passed.related("a size is passed here")
        if place is not None:
            related = (*related, Related(place, "a size of the output is made of it here"))
        dynamic = passed is not None and passed.export is not None
        sized = passed is not None and passed.first and place is not None
        kinds = " and ".join(dict.fromkeys(one.type for one in arguments))
        names = " and ".join(f"`{one.name}`" for one in arguments)
        better = ", ".join(f"`{one.type.replace('int', 'SymInt', 1)} {one.name}`" for one in arguments)
        name = base_name(str(getattr(definition.op, "value", "the op")))
        is_given = (
            "which is given a size" if passed is not None
            else "which are sizes of its output" if several
            else "which is a size of its output"
        )  # fmt: skip
        effect = (
            "export makes it a constant" if dynamic
            else "a trace with dynamic sizes makes it a constant" if passed is not None
            else "where a caller passes a size, a trace makes it a constant"
        )  # fmt: skip
        return self.found(
            facts,
            definition,
            Confidence.LIKELY if dynamic or sized else Confidence.POSSIBLE,
            f"the schema of {name} says {kinds} for {names}, {is_given}: {effect}",
            span=span,
            severity=Severity.WARNING,
            label=", ".join(f"`{one.type} {one.name}`" for one in arguments) + " in this schema",
            related=related,
            help=f"write {better}" + (", and c10::SymInt in C++" if definition.api == CPP else ""),
        )


def output_sizes(facts: Facts) -> dict[tuple[str, int], list[Span]]:
    """The ops and the places of their arguments that sizes of their outputs are made of, and where they are."""
    found: dict[tuple[str, int], list[Span]] = {}
    for event in facts.of(OpTrial):
        for trial in (event.fake, event.kernel):
            for tensor in () if trial is None else tensors(trial):
                for size in tensor.shape or ():
                    for _, leaf in leaves(size):
                        for root in expr_of(leaf).roots:
                            if root[0] == "arg" and trial is not None:
                                found.setdefault((event.op, index_of(root[1])), []).append(allocated(tensor, trial))
    for impl in facts.of(OpImpl):
        name = impl.op.value if isinstance(impl.op, Const) else None
        if isinstance(name, str) and impl.kernel is not None and impl.kernel.function is not None:
            for index, span in output_integers(impl.kernel.function):
                found.setdefault((name, index), []).append(span)
    return found
