"""AOTI718."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Span, VersionSet, catches, weaker
from aoti_lint.rule.events import ApiCall, CompileEvent, Event, ExportEvent
from aoti_lint.rule.links import overall, programs_of
from aoti_lint.rule.values import Const, Package, Program, Tup, Value

from ..api._calls import DECOMPOSE

_MAKING = frozenset({"torch.tensor", "torch.as_tensor"})
_KNOWN = VersionSet.since("2.13")
"""Releases of which it is known: it was run on 2.13 only."""


class TensorMadeInBranch(Rule):
    """A function of `torch.cond` makes a tensor of numbers, and the program is decomposed or compiled.

    What happens:
        The export works. `run_decompositions()`, and the compile of a package, raise `RuntimeError: Attempting to use
        FunctionalTensor on its own. Instead, please use it with a corresponding FunctionalTensorMode()`, whether the
        tensor is used or not.

    Why:
        The export lifts what `torch.tensor(…)` makes into the program as a constant. In the graph of a branch it is met
        again when the program is traced anew, and that does not know it.

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
        raise; `torch.ones`, `torch.full`, and a tensor that is made outside of the function do not.
        https://docs.pytorch.org/docs/stable/cond.html
    """

    code = "AOTI718"
    name = "tensor-made-in-branch"
    outcome = Outcome.RAISES_AT_COMPILE

    def on_compile(self, facts: Facts, event: CompileEvent) -> Iterator[Diagnostic]:
        if not isinstance(event.package, Package):
            return
        candidates = programs_of(facts, event.package, event)
        found = [_made(facts, c.value) for c in candidates]
        sure = overall(
            candidates,
            [c.confidence if one is not None else None for c, one in zip(candidates, found, strict=True)],
            event,
        )
        first = next((one for one in found if one is not None), None)
        if sure is not None and first is not None:
            yield from self._told(facts, event, sure, first, "the compile raises")

    def on_api_call(self, facts: Facts, event: ApiCall) -> Iterator[Diagnostic]:
        made = _made(facts, event.receiver) if event.name == DECOMPOSE else None
        if made is not None:
            yield from self._told(facts, event, Confidence.CERTAIN, made, "this raises")

    def _told(
        self, facts: Facts, event: Event, sure: Confidence, made: ApiCall, what: str
    ) -> Iterator[Diagnostic]:  # fmt: skip
        if catches(event.caught | event.expected, "RuntimeError"):
            return
        extra = any(event.path.get(cond) != answer for cond, answer in made.path.items())
        yield self.found(
            facts,
            event,
            weaker(sure, Confidence.LIKELY) if extra else sure,
            f"a function of torch.cond makes a tensor with {made.name}: {what}",
            label="traced once more",
            failing=event.versions & _KNOWN,
            related=(Related(made.span, "made here"),),
            help="make it with torch.full(…), or outside of the function, or write the number itself",
        )


def _made(facts: Facts, program: Value | None) -> ApiCall | None:
    """The first call inside of a function of `torch.cond` that makes a tensor of numbers in an export."""
    if not isinstance(program, Program):
        return None
    exports = facts.grouped(ExportEvent, _place).get(program.span, ())
    conds = {one.span for event in exports for one in event.conds}
    return next(
        (
            call
            for call in (facts.of(ApiCall, in_exports=True) if conds else ())
            if call.export == program.span
            and call.name in _MAKING
            and not conds.isdisjoint(call.chain)
            and call.args
            and _is_literal(call.args[0])
        ),
        None,
    )


def _place(event: ExportEvent) -> Iterable[Span]:
    return (event.span,)


def _is_literal(value: Value) -> bool:
    return isinstance(value, Const) or (isinstance(value, Tup) and all(map(_is_literal, value.items)))
