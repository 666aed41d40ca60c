"""What the rules on `dynamic_shapes` share: they judge one export at a time, in each form that its inputs may have."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterator
from itertools import zip_longest
from typing import ClassVar

from aoti_lint.rule import (
    MINORS,
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Path,
    Related,
    Rule,
    Severity,
    Verdict,
    VersionSet,
    catches,
    dataclass,
    surest,
)
from aoti_lint.rule.events import Exporting
from aoti_lint.rule.inputs import parts
from aoti_lint.rule.links import Candidate, overall
from aoti_lint.rule.shapes import Input, inputs, variants
from aoti_lint.rule.values import NONE, Const, DimValue, Pairs, Program, ProgramModule, Tensor, Tup, Value

USER_ERROR = ("UserError", "Unsupported", "TorchDynamoException", "RuntimeError")
"""The exception of an export that was given what it cannot use (release 2.13.0, `_dynamo/exc.py`), and its bases."""

OF_WRAPPED = (
    "export the model itself: what torch.compile or torch.export.unflatten gave takes *args and **kwargs, each of them "
    "one entry"
)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one export. Two faults with the same `key` are one."""

    key: Hashable
    message: str
    label: str
    help: str
    related: tuple[Related, ...] = ()
    confidence: Confidence | Verdict = Confidence.CERTAIN
    silent: bool = False


class ExportRule(Rule):
    """A rule on what one export is given.

    `raised` are the exceptions that it ends in, with their bases; `drafts` is whether `draft_export` raises them too.
    """

    outcome = Outcome.RAISES_AT_EXPORT
    raised: ClassVar[tuple[str, ...]] = USER_ERROR
    drafts: ClassVar[bool] = True
    releases: ClassVar[VersionSet] = VersionSet.since(MINORS[0])
    """Those that refuse it."""

    @abstractmethod
    def faults(self, program: Program, path: Path) -> Iterator[Fault]:
        """The faults of an export with these inputs and this `dynamic_shapes`, under the answers of `path`."""

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        return surest(self._all(facts))

    def _all(self, facts: Facts) -> Iterator[tuple[Hashable, Diagnostic]]:
        for event in self.exports(facts):
            program = event.program
            if not isinstance(program, Program) or (program.is_draft and not self.drafts):
                continue
            if not event.versions & self.releases:
                continue
            for fault, confidence in self._judged(event, program):
                yield fault.key, self._report(facts, event, fault, confidence)

    def _judged(self, event: Exporting, program: Program) -> Iterator[tuple[Fault, Confidence | Verdict]]:
        """The faults of an export, each with how sure it is over all forms of the export."""
        candidates = [Candidate(variant, path=answers) for answers, variant in variants(program, event.path)]
        found: list[dict[Hashable, Fault]] = []
        for candidate in candidates:
            assert isinstance(candidate.value, Program)
            path = {**event.path, **candidate.path}
            found.append({fault.key: fault for fault in reversed(list(self.faults(candidate.value, path)))})
        for key in dict.fromkeys(k for faults in found for k in faults):
            fault = next(faults[key] for faults in found if key in faults)
            if not fault.silent and catches(event.caught | event.expected, *self.raised):
                continue
            confidence = overall(candidates, [f[key].confidence if key in f else None for f in found], event)
            if confidence is not None:
                yield fault, confidence

    def _report(self, facts: Facts, event: Exporting, fault: Fault, confidence: Confidence | Verdict) -> Diagnostic:
        return self.found(
            facts,
            event,
            confidence,
            fault.message,
            failing=event.versions & self.releases,
            severity=Severity.WARNING if fault.silent else Severity.ERROR,
            outcome=Outcome.SILENTLY_WRONG if fault.silent else Outcome.RAISES_AT_EXPORT,
            label=fault.label,
            related=fault.related,
            help=fault.help,
        )


def made_here(tensor: Tensor, message: str) -> tuple[Related, ...]:
    """The place where an example tensor was made, if that is known."""
    return (Related(tensor.span, message),) if tensor.span is not None else ()


def declared_here(*dims: DimValue, message: str = "declared here") -> tuple[Related, ...]:
    """The places where dimensions were made, as far as they are known, each once."""
    return tuple(Related(span, message) for span in dict.fromkeys(d.span for d in dims if d.span is not None))


def entries(program: Program) -> Iterator[tuple[Input, int, Value, Value]]:
    """The dimensions of the example tensors that `dynamic_shapes` speaks of: tensor, index, size, entry.

    An index from the end is left out.
    """
    for part in parts(program):
        if not isinstance(part, Input) or part.tensor.shape is None:
            continue
        match part.spec:
            case Pairs(pairs=pairs):
                spoken = [(key.value, entry) for key, entry in pairs if isinstance(key, Const)]
            case Tup(items=items, fields=()):
                spoken = list(enumerate(items))
            case _:
                spoken = []
        for index, entry in spoken:
            if type(index) is int and 0 <= index < len(part.tensor.shape):
                yield part, index, part.tensor.shape[index], entry


def lost_on_re_export(program: Program) -> tuple[Program | None, str]:
    """The program whose dynamic dimensions this one, exported from its module, has lost; with one of them, in words.

    An example of another size is no loss: it is a program for that size.
    """
    first = program.model.program if isinstance(program.model, ProgramModule) else None
    if program.spec != NONE or program.marks or not isinstance(first, Program):
        return None, ""
    for one, again in zip_longest(inputs(first), inputs(program)):
        dim = None if one is None else _dynamic(first, one)
        if dim is not None and (again is None or not _resized(one, again, dim)):
            return first, f"{dim} of {one.name}"
    return None, ""


def _resized(one: Input, again: Input, dim: int) -> bool:
    """Whether two example tensors have different sizes in a dimension."""
    sizes = [shape[dim] for shape in (one.tensor.shape or (), again.tensor.shape or ()) if dim < len(shape)]
    known = [size for size in sizes if isinstance(size, Const)]
    return len(known) == 2 and known[0] != known[1]


def _dynamic(program: Program, one: Input) -> int | None:
    """The first dynamic dimension of an example tensor."""
    ranks = range(len(one.tensor.shape or ()))
    return next((i for i in ranks if one.marked(program, i) is None and one.freedom(program, i) == "dynamic"), None)


def holds_dims(value: Value) -> bool:
    """Whether there is a `Dim` among the values of a dict, or of dicts in it."""
    return isinstance(value, DimValue) or (isinstance(value, Pairs) and any(holds_dims(one) for _, one in value.pairs))
