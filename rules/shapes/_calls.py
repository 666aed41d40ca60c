"""What the rules on calls share: they judge one call beside each program that it may mean."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import ClassVar

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Path,
    Related,
    Rule,
    Severity,
    Span,
    Verdict,
    VersionSet,
    catches,
    dataclass,
    surest,
    usual,
    weaker,
)
from aoti_lint.rule.events import CallEvent, Calling, HostCall, UnflattenedCall
from aoti_lint.rule.inputs import Beside, aligned
from aoti_lint.rule.links import overall, programs_of
from aoti_lint.rule.shapes import Input, inputs
from aoti_lint.rule.values import Const, Loaded, Program, ProgramModule, Tensor, Value, leaves

RAISED = ("RuntimeError", "AssertionError", "ValueError")
"""What a call ends in that checks its inputs."""
MISREAD = "its inputs are not checked: the result may be wrong, an operation may raise or the process crash"
"""What comes of an input that lies in memory in another way than a package takes it for."""


@dataclass(frozen=True, slots=True)
class Called:
    """One call of something that was exported.

    `packaged`: of a package, else of `ep.module()`. `checked` is whether a package checks what it is given
    (`AOTI_RUNTIME_CHECK_INPUTS`); None where that is not known.
    """

    facts: Facts
    event: Calling
    packaged: bool
    checked: bool | None

    @property
    def raises(self) -> bool:
        """Whether an input that does not fit ends the call."""
        return not self.packaged or self.checked is True

    @property
    def outcome(self) -> Outcome:
        """What an input does that does not fit, and is read as if it did."""
        return Outcome.RAISES_AT_CALL if self.raises else Outcome.SILENTLY_WRONG

    @property
    def effect(self) -> str:
        """The same in words."""
        return "the call raises" if self.raises else "nothing checks it, the result is wrong"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one call. Two faults with the same `place` and `key` are one."""

    key: Hashable
    place: Span
    message: str
    label: str
    help: str
    outcome: Outcome
    confidence: Confidence | Verdict = Confidence.CERTAIN
    related: tuple[Related, ...] = ()
    severity: Severity = Severity.ERROR
    failing: VersionSet | None = None


def python_calls(facts: Facts, *, unflattened: bool) -> Iterator[Calling]:
    """The calls in Python, of what `torch.export.unflatten` gave as well if that is said."""
    yield from facts.of(CallEvent)
    if unflattened:
        yield from facts.of(UnflattenedCall)


def host_calls(facts: Facts) -> Iterator[Calling]:
    """Those in C++."""
    return (one for one in facts.of(HostCall) if one.span.path in facts.project.all_natives)


class CallRule(Rule):
    """A rule on what a package, or the module of an exported program, is called with."""

    outcome = Outcome.SILENTLY_WRONG
    raised: ClassVar[tuple[str, ...]] = RAISED
    unflattened: ClassVar[bool] = False
    """Whether what it judges is checked by what `torch.export.unflatten` gives as well."""
    hosts: ClassVar[bool] = False
    """Whether it judges what C++ gives to packages as well."""

    @abstractmethod
    def faults(self, called: Called, program: Program, path: Path) -> Iterator[Fault]:
        """What is wrong with a call of this program, under the answers of `path`."""

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        return surest(
            (fault.key, self._report(facts, event, fault))
            for event in self.calls(facts)
            if not catches(event.expected, *self.raised)
            for fault in self._judged(facts, event)
        )

    def calls(self, facts: Facts) -> Iterator[Calling]:
        """The calls that the rule judges."""
        yield from python_calls(facts, unflattened=self.unflattened)
        if self.hosts:
            yield from host_calls(facts)

    def _judged(self, facts: Facts, event: Calling) -> Iterator[Fault]:
        """The faults of a call, each as sure as it is over all that may be called."""
        for answers, target in leaves(event.target, event.path):
            if not isinstance(target, Loaded | ProgramModule):
                continue
            extra = [usual(cond) == answer for cond, answer in answers.items() if cond not in event.path]
            most = Confidence.CERTAIN if not extra else Confidence.LIKELY if all(extra) else Confidence.POSSIBLE
            reached = Verdict.of(most, ({**answers}, []), event.path)
            called = Called(facts, event, isinstance(target, Loaded), event.is_checked)
            candidates = programs_of(facts, target, event, answers)
            found: list[dict[Hashable, Fault]] = []
            for candidate in candidates:
                program, path = candidate.value, {**answers, **candidate.path}
                known = self.faults(called, program, path) if isinstance(program, Program) else ()
                found.append({(f.place, f.key): f for f in reversed(list(known))})
            for key in dict.fromkeys(k for faults in found for k in faults):
                pairs = [
                    weaker(candidate.confidence, faults[key].confidence) if key in faults else None
                    for candidate, faults in zip(candidates, found, strict=True)
                ]
                fault = next(faults[key] for faults in found if key in faults)
                perhaps = fault.outcome is Outcome.RAISES_AT_CALL or (called.packaged and called.checked is None)
                sure = overall(candidates, pairs, event)
                if sure is not None and not (perhaps and catches(event.caught, *self.raised)):
                    yield replace(fault, confidence=weaker(sure, reached))

    def _report(self, facts: Facts, event: Calling, fault: Fault) -> Diagnostic:
        return self.found(
            facts,
            event,
            fault.confidence,
            fault.message,
            span=fault.place,
            failing=None if fault.failing is None else event.versions & fault.failing,
            severity=fault.severity,
            outcome=fault.outcome,
            label=fault.label,
            related=fault.related,
            help=fault.help,
            symptom="shape-mismatch",
        )


def is_used(program: Program, name: str) -> bool:
    """Whether the forward may use an input. One that it surely does not mention can be anything."""
    parameter, mentioned = name.partition("[")[0].partition(".")[0], dict(program.mentioned)
    return not mentioned or parameter in mentioned or parameter not in (program.signature or ())


def sizes(called: Called, program: Program) -> Iterator[tuple[Beside, Input, int, Value]]:
    """The sizes that a call gives, each beside the example tensor: what is known of it, its index, the size.

    Of tensors whose ranks agree, and which the forward may use.
    """
    examples = {one.name: one for one in inputs(program)}
    for part in aligned(program, called.event):
        if not isinstance(part, Beside) or not isinstance(part.given, Tensor) or part.name not in examples:
            continue
        one, shape = examples[part.name], part.given.shape
        if shape is None or one.tensor.shape is None or len(shape) != len(one.tensor.shape):
            continue
        for index, size in enumerate(shape) if is_used(program, part.name) else ():
            yield part, one, index, size


def differ(values: list[Value]) -> bool | None:
    """Whether two sizes differ; None if either is not known."""
    first, second = values
    if isinstance(first, Const) and isinstance(second, Const):
        return first.value != second.value
    return None if first != second else False


def made_elsewhere(value: Value, place: Span) -> tuple[Related, ...]:
    """Where a tensor comes from, if that is another place than the one it is given at."""
    made = value.span if isinstance(value, Tensor) else None
    if made is None or (made.path == place.path and place.start <= made.start < place.end):
        return ()
    return (Related(made, "the input comes from here"),)
