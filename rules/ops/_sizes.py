"""Sizes of tensors that are passed to custom ops as plain arguments."""

from __future__ import annotations

from aoti_lint.rule import Confidence, Facts, Related, Span, catches, dataclass
from aoti_lint.rule.events import ExportEvent, OpCall, OpDefinition
from aoti_lint.rule.ops import Schema
from aoti_lint.rule.values import NONE, Program

from ._schemas import Definitions, exported_calls, name_of, op_calls


@dataclass(frozen=True, slots=True)
class Passed:
    """A call passes a size at `place`; `first`: the first dimension may be part of it. `export`: with dynamic sizes."""

    call: OpCall
    place: Span
    first: bool
    export: ExportEvent | None

    @property
    def confidence(self) -> Confidence:
        """How sure it is that the size is one that changes from call to call."""
        return Confidence.LIKELY if self.first or self.export is not None else Confidence.POSSIBLE

    def related(self, text: str) -> tuple[Related, ...]:
        """Where it is passed, and where that is exported."""
        found = (Related(self.place, text),)
        return found if self.export is None else (*found, Related(self.export.span, "exported with dynamic sizes here"))


class Passes:
    """The calls of each op, and which arguments they give sizes to."""

    def __init__(self, facts: Facts, definitions: Definitions) -> None:
        self._definitions = definitions
        self._dynamic = {
            span: export
            for _, span, export in exported_calls(facts)
            if isinstance(export.program, Program) and export.program.spec != NONE
        }
        self._calls: dict[str, list[OpCall]] = {}
        for call in op_calls(facts):
            if not catches(call.expected, "Exception"):
                self._calls.setdefault(call.op, []).append(call)

    def calls(self, definition: OpDefinition) -> list[OpCall]:
        """The calls of the op that mean this definition."""
        name = name_of(definition) or ""
        return [c for c in self._calls.get(name, ()) if definition in self._definitions.near(name, c.span.path)]

    def of(self, definition: OpDefinition, schema: Schema, index: int) -> Passed | None:
        """The surest case of a size for an argument of an op, by its place in the schema; None if there is none."""
        argument = schema.arguments[index]
        keys: tuple[int | str, ...] = (argument.name,) if argument.keyword_only else (index, argument.name)
        found = [
            Passed(call, call.places.get(key, call.span), call.sizes[key], self._dynamic.get(call.span))
            for call in self.calls(definition)
            for key in keys
            if key in call.sizes
        ]
        return min(found, key=lambda one: (one.export is None, not one.first), default=None)
