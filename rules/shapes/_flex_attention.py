"""What `flex_attention` and `create_block_mask` are given and do not take, in an export and outside of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, VersionSet, catches
from aoti_lint.rule.events import ControlCall, ControlFault, Exporting

from ..model._forward import met

OF_FLEX_ATTENTION = frozenset({"flex_attention", "create_block_mask"})
_RUN_ON = VersionSet.since("2.13")
Said = Callable[[ControlFault], tuple[str, str] | None]
"""What is wrong, and what to write instead; None for what another rule tells."""


def in_export(rule: Rule, facts: Facts, event: Exporting, said: Said, raised: tuple[str, ...]) -> Iterator[Diagnostic]:
    """The first such fault in a forward that is exported, unless something catches what is `raised`."""
    if catches(event.caught | event.expected, *raised):
        return
    for fault, sure in met(event, event.control):
        told = said(fault)
        if told is not None:
            yield rule.found(
                facts,
                event,
                sure,
                f"{told[0]}: the export raises",
                span=fault.span,
                failing=event.versions & _RUN_ON,
                label="called here",
                related=(Related(event.span, "exported here"),),
                help=told[1],
                symptom="export-error",
            )
            return


def in_call(rule: Rule, facts: Facts, event: ControlCall, said: Said, raised: tuple[str, ...]) -> Iterator[Diagnostic]:
    """Such a fault of a call outside of an export, unless something catches what is `raised`."""
    told = said(event.fault)
    if told is not None and not catches(event.caught | event.expected, *raised):
        yield rule.found(
            facts,
            event,
            Confidence.CERTAIN,
            f"{told[0]}: the call raises",
            outcome=Outcome.RAISES_AT_CALL,
            failing=event.versions & _RUN_ON,
            label="called here",
            help=told[1],
        )
