"""AOTI711."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Related,
    Rule,
    catches,
    dtypes_differ,
    weaker,
)
from aoti_lint.rule.events import CallEvent, DtypeMix, ExportEvent
from aoti_lint.rule.inputs import Beside, aligned
from aoti_lint.rule.links import programs_of
from aoti_lint.rule.values import Loaded, Program, ProgramModule, Tensor, Value, leaves

from ._forward import met

_INDICES = frozenset({"Embedding", "EmbeddingBag"})


class DtypesMixedInForward(Rule):
    """An operation in the forward of an exported model takes two dtypes that it cannot mix.

    What happens:
        A linear layer, an attention, a recurrent cell or a product of matrices: the export and the compile succeed, and
        every call raises, that of a package with frames of C++: `mat1 and mat2 must have the same dtype, but got Double
        and Float`. A convolution with a bias, an LSTM, a GRU, an embedding that is given no int32 or int64, and a
        product of batches of matrices: the export raises, `RuntimeError when making fake tensor call`. Additions and
        the like take two dtypes. A norm on the CPU raises where the module of the program is called: `mixed dtype
        (CPU): all inputs must share same datatype`; a package runs, and so does half precision with float32 weights.
        So does a convolution without a bias, or a transposed one, which takes no half precision.

    Why:
        What an export runs the model with has no data, and for products of two matrices nothing there compares the
        dtypes. `model.half()` gives the weights another dtype and leaves the example inputs as they are.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(8, 4)

            def forward(self, x):
                return self.fc(x)  # <- AOTI711

        program = torch.export.export(Net().half(), (torch.randn(2, 8),))

    Good:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(8, 4)

            def forward(self, x):
                return self.fc(x)

        program = torch.export.export(Net().half(), (torch.randn(2, 8, dtype=torch.float16),))

    How to debug:
        Run `model(*args)` with the example inputs, without an export: it raises at the operation.

    Sources:
        Run on torch 2.13, exported with and without `strict`, compiled and called (this project's tests).
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI711"
    name = "dtypes-mixed-in-forward"
    outcome = Outcome.RAISES_AT_CALL
    doubt = "the default dtype may have been set elsewhere"

    def on_export(self, facts: Facts, event: ExportEvent) -> Iterator[Diagnostic]:
        for mix, sure in met(event, event.dtypes):
            if not catches(mix.caught, "RuntimeError"):
                called = list(_calls(facts, event))
                if mix.eager and not any(isinstance(target, ProgramModule) and not other for target, other in called):
                    continue
                if not (mix.late and called and all(other for _, other in called)):
                    yield self._report(facts, event, mix, sure)
                return

    def _report(self, facts: Facts, event: ExportEvent, mix: DtypeMix, sure: Confidence) -> Diagnostic:
        given, own = (one.removeprefix("torch.") for one in mix.dtypes)
        if mix.layer in _INDICES:
            what, help = f"{mix.layer} takes int32 or int64 and is given {given}", "make the indices torch.int64"
        elif mix.layer:
            what = f"{mix.layer} with {own} weights is given {given}"
            # `Module.to` takes no other dtypes.
            moved = f"model.to(torch.{given}), or " if given.startswith(("float", "bfloat", "complex")) else ""
            help = f"give both one dtype: {moved}inputs with .to(torch.{own})"
        else:
            what, help = f"a product of {given} and {own}", f"give both one dtype, say with .to(torch.{own})"
        effect = "the export succeeds, and each call raises" if mix.late else "the export raises"
        return self.found(
            facts,
            event,
            weaker(sure, dtypes_differ(given, own)),
            f"{what}: {effect}",
            span=mix.span,
            label="used here",
            related=(Related(event.span, "exported here"),) if mix.span != event.span else (),
            help=help,
            outcome=Outcome.RAISES_AT_CALL if mix.late else Outcome.RAISES_AT_EXPORT,
        )


def _calls(facts: Facts, event: ExportEvent) -> Iterator[tuple[Value, bool]]:
    """What of the program is called, and whether with other dtypes than those of the example inputs.

    An export keeps no dtype of a product of two matrices: a call with the dtype of the weights works.
    """
    for call in facts.of(CallEvent):
        for answers, target in leaves(call.target, call.path):
            if isinstance(target, Loaded | ProgramModule):
                for candidate in programs_of(facts, target, call, answers):
                    if isinstance(candidate.value, Program) and candidate.value.span == event.span:
                        parts = aligned(candidate.value, call)
                        yield target, any(isinstance(part, Beside) and _differ(part) for part in parts)


def _differ(part: Beside) -> bool:
    example, given = part.example, part.given
    return isinstance(example, Tensor) and isinstance(given, Tensor) and example.dtype != given.dtype
