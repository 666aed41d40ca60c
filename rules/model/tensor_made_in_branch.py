"""AOTI718."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Span, VersionSet, dataclass, reached
from aoti_lint.rule.events import ApiCall, Exporting
from aoti_lint.rule.values import Const, Tup, Value

from ._anew import traced_anew

_MAKING = frozenset({"torch.tensor", "torch.as_tensor"})
_KNOWN = VersionSet.since("2.13")
"""Releases of which it is known: it was run on 2.13 only."""


class TensorMadeInBranch(Rule):
    """A function of `torch.cond` or a loop makes a tensor of numbers, and the program is decomposed or compiled.

    What happens:
        The export works. `run_decompositions()`, and the compile of a package, raise `RuntimeError: Attempting to use
        FunctionalTensor on its own. Instead, please use it with a corresponding FunctionalTensorMode()`, whether the
        tensor is used or not; `torch.onnx.export` raises `ConversionError`.

    Why:
        The export lifts what `torch.tensor(…)` makes into the program as a constant. In the graph of a branch it is met
        again when the program is traced anew, and that does not know it. So it is in the functions of `while_loop`,
        `map` and `scan`.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                def shifted(x):
                    return x + torch.tensor(1.0)

                return torch.cond(x.sum() > 0, shifted, torch.abs, (x,))

        program = torch.export.export(Net(), (torch.randn(2, 8),))
        program = program.run_decompositions()  # <- AOTI718

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                def shifted(x):
                    return x + torch.full((), 1.0)

                return torch.cond(x.sum() > 0, shifted, torch.abs, (x,))

        program = torch.export.export(Net(), (torch.randn(2, 8),))
        program = program.run_decompositions()

    How to debug:
        `print(program)` shows `lift_fresh_copy` in the graph of the branch.

    Sources:
        Run on torch 2.13, with and without `strict=True` (this project's tests): `torch.tensor` and `torch.as_tensor`
        raise in the functions of `cond`, `while_loop`, `map` and `scan`, and not in that of `associative_scan`;
        `torch.ones`, `torch.full`, and a tensor that is made outside of the function do not.
        https://docs.pytorch.org/docs/stable/cond.html
    """

    code = "AOTI718"
    name = "tensor-made-in-branch"
    outcome = Outcome.RAISES_AT_COMPILE

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event, made, sure, what in traced_anew(facts, partial(_made, facts)):
            yield self.found(
                facts,
                event,
                sure,
                f"a function of {made.api} makes a tensor with {made.name}: {what} raises",
                label="traced once more",
                failing=event.versions & _KNOWN,
                related=(Related(made.span, "made here"),),
                help="make it with torch.full(…), or outside of the function, or write the number itself",
            )


@dataclass(frozen=True, slots=True)
class _Made:
    span: Span
    name: str
    api: str


def _made(facts: Facts, event: Exporting) -> tuple[_Made, Confidence] | None:
    """The first call that surely makes a tensor of numbers in a function which becomes a graph of its own."""
    graphs = dict(event.graphs)
    for call in facts.during(event, ApiCall) if graphs else ():
        within = next((graphs[span] for span in call.chain if span in graphs), None)
        if within is None or call.name not in _MAKING:
            continue
        sure = reached(call.path, event.path)
        if sure is not None and call.args and _is_literal(call.args[0]):
            return _Made(call.span, call.name, within), sure
    return None


def _is_literal(value: Value) -> bool:
    return isinstance(value, Const) or (isinstance(value, Tup) and all(map(_is_literal, value.items)))
