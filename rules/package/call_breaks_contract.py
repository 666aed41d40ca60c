"""AOTI612."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Related,
    Rule,
    Span,
    catches,
    dataclass,
    judge,
    weaker,
)
from aoti_lint.rule.events import CallEvent
from aoti_lint.rule.links import Link, called_archive, capped
from aoti_lint.rule.values import Const, Loaded, Value

from ._contract import Asked, asked, device_type

if TYPE_CHECKING:
    from aoti_lint.rule.contents import facts as program


@dataclass(frozen=True, slots=True)
class Misfit:
    """An input that one model of the archive does not take: what it asks for, what it is given, and what that does."""

    asked: Asked
    confidence: Confidence
    wanted: str
    got: str
    effect: Outcome
    fix: str


class CallBreaksContract(Rule):
    """A loaded program or package is called with an input that it was not made for.

    What happens:
        A package checks nothing by default. Of another size than the fixed one it computes with the fixed one: wrong
        numbers, a result of the wrong shape, reads outside the input. Of another dtype it reads the bytes as what they
        are not, or raises where an operator looks (`Expected out tensor to have dtype c10::Half, but got float`). On
        another device the call raises, or ends in `CUDA error: an illegal memory access was encountered`, after which
        nothing works on the GPU. A program checks fixed sizes: `AssertionError: Guard failed: x.size()[1] == 8`.

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
            if catches(event.expected | event.caught, "RuntimeError", "AssertionError"):
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
        packaged = isinstance(event.target, Loaded)
        models = link.packages() if packaged else link.archive.data.programs
        found = [next(_misfits(model, event, packaged), None) for model in models]
        if not found or any(misfit is None for misfit in found):
            return None
        misfit = found[0]
        assert misfit is not None
        sure = weaker(*(one.confidence for one in found if one is not None))
        place = event.span
        if misfit.asked.index is not None and misfit.asked.index < len(event.arg_spans):
            place = event.arg_spans[misfit.asked.index]
        related = [Related(link.archive.span, f"made for {misfit.wanted}")]
        made = misfit.asked.given.span
        if made is not None and not (made.path == place.path and place.start <= made.start < place.end):
            related.append(Related(made, "the input comes from here"))
        raises = misfit.effect is Outcome.RAISES_AT_CALL
        effect = (
            "the call raises"
            if raises
            else "its inputs are not checked: the result is wrong, an operation raises or the process crashes"
        )
        return self.found(
            facts,
            event,
            capped(link, sure),
            f"{misfit.asked.name} is {misfit.got}; {link.archive.path} was made for {misfit.wanted}: {effect}",
            span=place,
            label=f"{misfit.got} here",
            related=tuple(related),
            outcome=misfit.effect,
            notes=link.notes,
            help=misfit.fix,
            symptom="shape-mismatch",
        )


def _misfits(model: program.Program | program.Package, event: CallEvent, packaged: bool) -> Iterator[Misfit]:
    silent = Outcome.SILENTLY_WRONG if packaged and not event.is_checked else Outcome.RAISES_AT_CALL
    for one in asked(model, event):
        wanted, given = one.tensor, one.given
        verdict = judge([given.device], event.path, partial(_elsewhere, wanted.device))
        if verdict is not None and packaged and wanted.shape and given.shape != ():
            got = device_type(verdict[1][0])
            fix = f'move the input first: .to("{(wanted.device or "").partition(":")[0]}")'
            yield Misfit(one, verdict[0], f"{wanted.device}", f"on {got}", Outcome.RAISES_AT_CALL, fix)
        dtype = (given.dtype or "").removeprefix("torch.")
        if packaged and dtype and dtype != wanted.dtype:
            fix = f"convert it first: .to(torch.{wanted.dtype})"
            # The dtype of a tensor hangs on the default dtype, which anything may have set.
            yield Misfit(one, Confidence.LIKELY, wanted.dtype, dtype, silent, fix)
        if given.shape is None:
            continue
        if len(given.shape) != len(wanted.shape):
            if packaged or len(given.shape) < len(wanted.shape):
                fix = "give it the rank it was exported with"
                got = f"of {len(given.shape)} dimensions"
                yield Misfit(one, Confidence.CERTAIN, f"{len(wanted.shape)} of them", got, silent, fix)
            continue
        for dim, (size, value) in enumerate(zip(wanted.shape, given.shape, strict=True)):
            if not isinstance(size, int):
                continue
            sized = judge([value], event.path, partial(_unlike, size))
            if sized is not None and isinstance(sized[1][0], Const):
                fix = f"export it again with dimension {dim} dynamic, or call it with {size} there"
                got = f"of size {sized[1][0].value} in dimension {dim}"
                yield Misfit(one, sized[0], f"size {size}", got, silent, fix)


def _elsewhere(wanted: str | None, values: list[Value]) -> bool | None:
    kind = device_type(values[0])
    return None if kind is None or wanted is None else kind != wanted.partition(":")[0]


def _unlike(size: int, values: list[Value]) -> bool | None:
    value = values[0]
    return value.value != size if isinstance(value, Const) else None
