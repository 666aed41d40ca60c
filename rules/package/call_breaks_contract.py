"""AOTI612."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Related,
    Rule,
    Severity,
    Span,
    catches,
    dataclass,
    judge,
    weaker,
)
from aoti_lint.rule.events import CallEvent
from aoti_lint.rule.links import Link, called_archive, capped
from aoti_lint.rule.values import Const, Loaded, Value

from ..shapes._calls import MISREAD
from ..shapes._counts import GIVE, shown
from ._contract import Asked, asked, device_type, given_tensors, wanted

if TYPE_CHECKING:
    from aoti_lint.rule.contents import facts as program


_EFFECTS = {
    Outcome.RAISES_AT_CALL: "the call raises",
    Outcome.SILENTLY_WRONG: MISREAD,
    Outcome.UNCHECKED: "nothing checks it",
}


@dataclass(frozen=True, slots=True)
class Misfit:
    """What one model of the archive does not take: what it asks for, what it is given, and what that does.

    `index` is the position of the argument, None for a keyword or the call as a whole; `made` is where the input was.
    """

    says: str
    wanted: str
    here: str
    effect: Outcome
    fix: str
    confidence: Confidence = Confidence.CERTAIN
    index: int | None = None
    made: Span | None = None


class CallBreaksContract(Rule):
    """A loaded program or package is called with an input that it was not made for.

    What happens:
        A package checks nothing by default. Of another size than the fixed one it computes with the fixed one: wrong
        numbers, a result of the wrong shape, reads outside the input. Of another dtype it reads the bytes as what they
        are not, or raises where an operator looks (`Expected out tensor to have dtype c10::Half, but got float`). On
        another device the call raises, or ends in `CUDA error: an illegal memory access was encountered`, after which
        nothing works on the GPU. A program checks fixed sizes: `AssertionError: Guard failed: x.size()[1] == 8`.
        Only the keywords and the number of tensors are counted by each package: `Ran into a kwarg keyword mismatch: Got
        the following keywords [] but expected ['scale']`, `expected inputs vector size to be 2, but got 1`.

    Why:
        What `dynamic_shapes` did not name is fixed to the example input. AOTI102 and AOTI301 say so where they see the
        export; this is for artefacts whose export is not in the project.

    Bad:
        # archive: static_compiled.pt2
        # file: serve.py
        import torch

        run = torch._inductor.aoti_load_package("static_compiled.pt2")
        run(torch.zeros(16, 8))  # <- AOTI612

    Good:
        # archive: dynamic_compiled.pt2
        # file: serve.py
        import torch

        run = torch._inductor.aoti_load_package("dynamic_compiled.pt2")
        run(torch.zeros(16, 8))

    How to debug:
        `aoti-lint inspect model.pt2` lists what it takes. Run once with `AOTI_RUNTIME_CHECK_INPUTS=1` in the
        environment.

    Sources:
        Run on torch 2.13 on the CPU (this project's tests) and on 2.11 with an NVIDIA H200.
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI612"
    name = "call-breaks-contract"
    outcome = Outcome.SILENTLY_WRONG

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        surest: dict[tuple[Span, str], Diagnostic] = {}
        for event in facts.of(CallEvent) if facts.archives else ():
            if catches(event.expected | event.caught, "RuntimeError", "AssertionError", "ValueError"):
                continue
            link = called_archive(facts, event)
            found = self._check(facts, event, link) if link is not None else None
            if found is None:
                continue
            known = surest.get((found.span, found.message))
            if known is None or weaker(known.confidence, found.confidence) is not found.confidence:
                surest[found.span, found.message] = found
        yield from surest.values()

    def _check(self, facts: Facts, event: CallEvent, link: Link) -> Diagnostic | None:
        """The first input that no model of the archive takes."""
        if isinstance(event.target, Loaded):
            found = [next(chain(_counted(one, event), _misfits(one, event, True)), None) for one in link.packages()]
        else:
            found = [next(_misfits(one, event, False), None) for one in link.archive.data.programs]
        if not found or any(misfit is None for misfit in found):
            return None
        misfit = found[0]
        assert misfit is not None
        sure = weaker(*(one.confidence for one in found if one is not None))
        place = event.span
        if misfit.index is not None and misfit.index < len(event.arg_spans):
            place = event.arg_spans[misfit.index]
        related = [Related(link.archive.span, f"made for {misfit.wanted}")]
        made = misfit.made
        if made is not None and not (made.path == place.path and place.start <= made.start < place.end):
            related.append(Related(made, "the input comes from here"))
        unchecked = misfit.effect is Outcome.UNCHECKED
        return self.found(
            facts,
            event,
            capped(link, sure),
            f"{misfit.says}; {link.archive.path} was made for {misfit.wanted}: {_EFFECTS[misfit.effect]}",
            span=place,
            label=f"{misfit.here} here",
            related=tuple(related),
            severity=Severity.WARNING if unchecked else self.severity,
            outcome=misfit.effect,
            notes=link.notes,
            help=misfit.fix,
            symptom="shape-mismatch",
        )


def _counted(model: program.Package, event: CallEvent) -> Iterator[Misfit]:
    """The keywords of a call, and how many tensors it gives: both are counted, whatever else is not checked."""
    if model.keywords is not None and not event.open and event.kwargs.keys() != set(model.keywords):
        extra = [name for name in event.kwargs if name not in model.keywords]
        missing = [name for name in model.keywords if name not in event.kwargs]
        got = f"is given `{extra[0]}` by name" if extra else f"is not given `{missing[0]}` by name"
        form = (
            f"calls of the form {model.structure}" if model.structure else f"the keywords {', '.join(model.keywords)}"
        )
        fix = "give by name what was given by name at the export, and nothing else"
        yield Misfit(f"the call {got}", form, "called so", Outcome.RAISES_AT_CALL, fix)
    given, asks = given_tensors(event), len(wanted(model))
    if given is not None and given != asks:
        yield Misfit(f"the call gives {shown(given)}", shown(asks), shown(given), Outcome.RAISES_AT_CALL, GIVE)


def _misfits(model: program.Program | program.Package, event: CallEvent, packaged: bool) -> Iterator[Misfit]:
    """What does not fit, one input after the other, and then what does not of the sizes that have a name."""
    lined_up = list(asked(model, event))
    for one in lined_up:
        yield from _misfits_of(one, event, packaged)
    yield from _named_sizes(model, lined_up, event, packaged)


def _named_sizes(
    model: program.Program | program.Package, lined_up: Sequence[Asked], event: CallEvent, packaged: bool
) -> Iterator[Misfit]:
    """Sizes beyond the range that was declared, and sizes that were one and are not here."""
    raises = not packaged or event.is_checked is True
    first: dict[str, tuple[Asked, int, Value]] = {}
    for one in lined_up:
        if one.given.shape is None or len(one.given.shape) != len(one.tensor.shape):
            continue
        for dim, (size, value) in enumerate(zip(one.tensor.shape, one.given.shape, strict=True)):
            if not isinstance(size, str) or (ends := model.dims.get(size)) is None:
                continue
            verdict = judge([value], event.path, partial(_above, ends.max))
            if verdict is not None and isinstance(verdict[1][0], Const):
                got = f"of size {verdict[1][0].value} in dimension {dim}"
                effect = Outcome.RAISES_AT_CALL if raises else Outcome.UNCHECKED
                fix = "declare the sizes that come at the export, or call it with smaller ones"
                yield _misfit(one, got, f"at most {ends.max}", effect, fix, verdict[0])
            before, at, other = first.setdefault(size, (one, dim, value))
            apart = judge([value, other], event.path, _differ)
            if apart is not None and isinstance(apart[1][0], Const) and isinstance(apart[1][1], Const):
                sizes = [f"of size {value.value}" for value in apart[1] if isinstance(value, Const)]
                got = f"{sizes[0]} in dimension {dim}, and {before.name} {sizes[1]} in dimension {at}"
                effect = Outcome.SILENTLY_WRONG if packaged else Outcome.RAISES_AT_CALL
                yield _misfit(one, got, "one size of both", effect, "give sizes that go together", apart[0])


def _misfit(
    one: Asked, got: str, made_for: str, effect: Outcome, fix: str, sure: Confidence = Confidence.CERTAIN
) -> Misfit:
    here = got.partition(",")[0]
    return Misfit(f"{one.name} is {got}", made_for, here, effect, fix, sure, one.index, one.given.span)


def _misfits_of(one: Asked, event: CallEvent, packaged: bool) -> Iterator[Misfit]:
    silent = Outcome.SILENTLY_WRONG if packaged and not event.is_checked else Outcome.RAISES_AT_CALL
    tensor, given = one.tensor, one.given
    verdict = judge([given.device], event.path, partial(_elsewhere, tensor.device))
    if verdict is not None and packaged and tensor.shape and given.shape != ():
        fix = f'move the input first: .to("{(tensor.device or "").partition(":")[0]}")'
        got = f"on {device_type(verdict[1][0])}"
        yield _misfit(one, got, f"{tensor.device}", Outcome.RAISES_AT_CALL, fix, verdict[0])
    dtype = (given.dtype or "").removeprefix("torch.")
    if packaged and dtype and dtype != tensor.dtype:
        fix = f"convert it first: .to(torch.{tensor.dtype})"
        # The dtype of a tensor hangs on the default dtype, which anything may have set.
        yield _misfit(one, dtype, f"{tensor.dtype}", silent, fix, Confidence.LIKELY)
    if given.shape is None:
        return
    if len(given.shape) != len(tensor.shape):
        if packaged or len(given.shape) < len(tensor.shape):
            fix = "give it the rank it was exported with"
            yield _misfit(one, f"of {len(given.shape)} dimensions", f"{len(tensor.shape)} of them", silent, fix)
        return
    for dim, (size, value) in enumerate(zip(tensor.shape, given.shape, strict=True)):
        if not isinstance(size, int):
            continue
        sized = judge([value], event.path, partial(_unlike, size))
        if sized is not None and isinstance(sized[1][0], Const):
            fix = f"export it again with dimension {dim} dynamic, or call it with {size} there"
            got = f"of size {sized[1][0].value} in dimension {dim}"
            yield _misfit(one, got, f"size {size}", silent, fix, sized[0])


def _elsewhere(wanted: str | None, values: list[Value]) -> bool | None:
    kind = device_type(values[0])
    return None if kind is None or wanted is None else kind != wanted.partition(":")[0]


def _above(most: int | None, values: list[Value]) -> bool | None:
    value = values[0].value if isinstance(values[0], Const) else None
    return None if most is None or not isinstance(value, int) else value > most


def _differ(values: list[Value]) -> bool | None:
    one, other = values
    return one.value != other.value if isinstance(one, Const) and isinstance(other, Const) else None


def _unlike(size: int, values: list[Value]) -> bool | None:
    value = values[0]
    return value.value != size if isinstance(value, Const) else None
