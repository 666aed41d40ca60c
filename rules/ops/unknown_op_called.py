"""AOTI423."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, Span, catches
from aoti_lint.rule.events import Event, ExportEvent, OpUse
from aoti_lint.rule.ops import base_name
from aoti_lint.rule.values import Program

from ..package._imports import reach
from ._schemas import OF_TORCH, Definitions
from ._undefined import Undefined

_ALIKE = 0.6
"""How much of two names is the same where one may be a slip of the other (`difflib`)."""


class UnknownOpCalled(Rule):
    """An operator is called that nothing defines, beside one that has nearly the same name.

    What happens:
        The first call raises: `AttributeError: '_OpNamespace' 'mylibs' object has no attribute 'scale_rows'`. In a
        forward that is the export, or the first run.

    Why:
        `torch.ops` has every namespace that is asked of it. Whether the operator is there is seen when it is used.

    Bad:
        import torch

        @torch.library.custom_op("mylib::scale_rows", mutates_args=())
        def scale_rows(x: torch.Tensor, by: torch.Tensor) -> torch.Tensor:
            return x * by[:, None]

        @scale_rows.register_fake
        def _(x, by):
            return torch.empty_like(x)

        torch.ops.mylibs.scale_rows(torch.randn(4, 8), torch.randn(4))  # <- AOTI423

    Good:
        import torch

        @torch.library.custom_op("mylib::scale_rows", mutates_args=())
        def scale_rows(x: torch.Tensor, by: torch.Tensor) -> torch.Tensor:
            return x * by[:, None]

        @scale_rows.register_fake
        def _(x, by):
            return torch.empty_like(x)

        torch.ops.mylib.scale_rows(torch.randn(4, 8), torch.randn(4))

    How to debug:
        `dir(torch.ops.mylib)` lists the operators of a namespace that were used, `torch.ops.mylib.name` raises for one
        that does not exist.

    Sources:
        `torch/_ops.py` (`_OpNamespace.__getattr__`) of release 2.13.0; run on torch 2.13.
    """

    code = "AOTI423"
    name = "unknown-op-called"
    outcome = Outcome.RAISES

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        undefined = Undefined(facts, Definitions(facts))
        seen: set[Span] = set()
        for event, op, span in _called(facts) if undefined.defined else ():
            namespace, _, short = base_name(op).partition("::")
            if span in seen or not short or namespace in OF_TORCH:
                continue
            seen.add(span)
            meant = _meant(namespace, short, undefined.defined)
            if meant is None or catches(event.caught | event.expected, "AttributeError", "RuntimeError"):
                continue
            if not undefined.has(namespace, short):
                continue
            reached = reach(facts, event.root.split("::")[0])
            # What an installed package or a library that is loaded brings is not known.
            if reached.outside or reached.dynamic:
                continue
            # What a forward asks before it calls an op is not kept.
            plain = isinstance(event, OpUse) and not event.path
            sure = plain and facts.project.context_complete and not facts.narrowed
            yield self.found(
                facts,
                event,
                Confidence.CERTAIN if sure else Confidence.LIKELY,
                f"nothing defines {namespace}::{short}, which is called here: it raises",
                span=span,
                label="called here",
                help=f"did you mean torch.ops.{meant.replace('::', '.')}?",
            )


def _called(facts: Facts) -> Iterator[tuple[Event, str, Span]]:
    """The custom ops that are called, and where; those in a forward with the export that runs it."""
    for use in facts.of(OpUse):
        yield use, use.op, use.span
    for export in facts.of(ExportEvent):
        for op, span in export.program.ops if isinstance(export.program, Program) else ():
            yield export, op, span


def _meant(namespace: str, short: str, defined: list[str]) -> str | None:
    """The op with nearly this name: of another namespace, or another op of this one."""
    shorts = {one.partition("::")[2]: one for one in defined if one.startswith(f"{namespace}::")}
    near = difflib.get_close_matches(short, list(shorts), 1, _ALIKE)
    if near:
        return shorts[near[0]]
    spaces = {one.partition("::")[0]: one for one in defined if one.endswith(f"::{short}")}
    near = difflib.get_close_matches(namespace, list(spaces), 1, _ALIKE)
    return spaces[near[0]] if near else None
