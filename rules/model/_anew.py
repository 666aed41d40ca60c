"""Where the program of an export is traced once more: to be decomposed, compiled into a package, or for ONNX."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

from aoti_lint.rule import Confidence, Facts, Span, catches
from aoti_lint.rule.events import CompileEvent, Event, Exporting, OnnxExport
from aoti_lint.rule.links import overall, programs_of
from aoti_lint.rule.values import Package, Program, Value

from ..api._calls import DECOMPOSE, calls


class _Placed(Protocol):
    @property
    def span(self) -> Span: ...


T = TypeVar("T", bound=_Placed)
_RAISED = ("RuntimeError", "ConversionError", "OnnxExporterError")


def traced_anew(
    facts: Facts, find: Callable[[Exporting], tuple[T, Confidence] | None]
) -> Iterator[tuple[Event, T, Confidence, str]]:
    """Where a program is traced anew in whose export `find` finds something, and nothing catches what that raises.

    With what it finds, how sure that is, and the words for what raises. Each is given once in a script, which does not
    go on behind it.
    """
    seen = set[tuple[str, Span]]()
    for event, found, sure, what in _all(facts, find):
        key = event.root, found.span
        if key not in seen and not catches(event.caught | event.expected, *_RAISED):
            seen.add(key)
            yield event, found, sure, what


def _all(
    facts: Facts, find: Callable[[Exporting], tuple[T, Confidence] | None]
) -> Iterator[tuple[Event, T, Confidence, str]]:  # fmt: skip
    def of(program: Value | None) -> tuple[T, Confidence] | None:
        export = facts.export_of(program) if isinstance(program, Program) else None
        return None if export is None else find(export)

    for onnx in facts.of(OnnxExport):
        found = find(onnx)
        if found is not None:
            yield onnx, *found, "the export"
    for call in calls(facts, DECOMPOSE):
        found = of(call.receiver)
        if found is not None:
            yield call, *found, "this"
    for event in facts.of(CompileEvent):
        if isinstance(event.package, Package):
            candidates = programs_of(facts, event.package, event)
            each = [of(c.value) for c in candidates]
            sure = overall(candidates, [None if one is None else one[1] for one in each], event)
            first = next((one for one in each if one is not None), None)
            if sure is not None and first is not None:
                yield event, first[0], sure, "the compile"
