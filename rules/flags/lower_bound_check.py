"""AOTI508."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Related,
    Rule,
    Span,
    VersionSet,
    catches,
    judge,
    weaker,
)
from aoti_lint.rule.events import CallEvent, ConfigWrite
from aoti_lint.rule.links import Candidate, overall, programs_of
from aoti_lint.rule.shapes import Paired, pair, place_of
from aoti_lint.rule.torch import INDUCTOR
from aoti_lint.rule.values import Const, DimValue, Loaded, Pairs, Program, Tup, Value, leaves

from ..package._imports import in_its_process, may_meet

CHECKS = VersionSet.between("2.7", "2.13")
"""Releases whose packages read AOTI_RUNTIME_CHECK_INPUTS and whose bounds are known."""
KEY = "aot_inductor.check_lowerbound"
HAS_KEY = VersionSet.since("2.10")
Fault = tuple[Confidence, Paired, int, Span | None]


class LowerBoundCheck(Rule):
    """A size of 1 that a `Dim` allows is refused by the input check, which is on.

    What happens:
        The call raises `input_handles[0]: dim value is too small at 0, expected it to be >= 2, but got: 1`. Without
        `AOTI_RUNTIME_CHECK_INPUTS` the same call works and its result is right: the alarm is false.

    Why:
        While it traces, torch takes every dynamic size for at least 2, and the check is written with that bound,
        whatever `min` the `Dim` has.

    Bad:
        import os

        os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"
        import torch

        batch = torch.export.Dim("batch", min=1, max=64)
        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4, 8),), dynamic_shapes=({0: batch},))
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)
        run(torch.ones(1, 8))  # <- AOTI508

    Good:
        import os

        os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"
        import torch

        batch = torch.export.Dim("batch", min=1, max=64)
        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4, 8),), dynamic_shapes=({0: batch},))
        path = torch._inductor.aoti_compile_and_package(
            program, package_path="net.pt2", inductor_configs={"aot_inductor.check_lowerbound": False}
        )
        run = torch._inductor.aoti_load_package(path)
        run(torch.ones(1, 8))

    How to debug:
        Compile with `inductor_configs={"aot_inductor.check_lowerbound": False}` (torch 2.10 and later), or take the
        variable away once the other inputs are known to be right.

    Sources:
        Run on torch 2.13. `torch/_inductor/codegen/cpp_wrapper_cpu.py:735` of release 2.13.0.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI508"
    name = "lower-bound-check"
    outcome = Outcome.RAISES_AT_CALL

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        said: set[Span] = set()
        for event in facts.of(CallEvent):
            if (
                not event.is_checked
                or not isinstance(event.target, Loaded)
                or catches(event.caught | event.expected, "RuntimeError")
            ):
                continue
            found = self._judge(facts, event)
            if found is None or _may_be_off(facts, event):
                continue
            confidence, paired, dim, declared = found
            place = place_of(event, paired)
            if place in said or not event.versions & CHECKS:
                continue
            said.add(place)
            yield self.found(
                facts,
                event,
                confidence,
                f"{paired.example.name} has size 1 in dimension {dim}, which its Dim allows, but the input check "
                "begins at 2: the call raises",
                span=place,
                failing=event.versions & CHECKS,
                label="called with size 1, with the check on",
                related=(Related(declared, "declared here; the check begins at 2 all the same"),) if declared else (),
                help=f'compile it with inductor_configs={{"{KEY}": False}} (torch 2.10 and later)'
                if event.versions & HAS_KEY
                else "run it without AOTI_RUNTIME_CHECK_INPUTS: the result is right",
                symptom="shape-mismatch",
            )

    @staticmethod
    def _judge(facts: Facts, event: CallEvent) -> Fault | None:
        """The first input of size 1 that every program the call may mean allows, and its check refuses."""
        candidates = programs_of(facts, event.target, event)
        faults = [_fault(event, candidate) for candidate in candidates]
        sure = overall(candidates, [None if fault is None else fault[0] for fault in faults], event)
        first = next((fault for fault in faults if fault is not None), None)
        return None if sure is None or first is None else (weaker(sure, first[0]), *first[1:])


def _fault(event: CallEvent, candidate: Candidate) -> Fault | None:
    program = candidate.value
    if not isinstance(program, Program) or program.oblivious:
        return None
    for paired in pair(program, event.args, event.kwargs):
        for dim, size in enumerate(paired.given.shape or ()):
            declared = _declared(paired.example.spec, dim)
            if declared is None:
                continue
            verdict = judge([size, declared.min], {**event.path, **candidate.path}, _is_refused)
            if verdict is not None:
                return weaker(candidate.confidence, verdict[0]), paired, dim, declared.span
    return None


def _declared(spec: Value, dim: int) -> DimValue | None:
    """The named `Dim` of a dimension."""
    entry: Value | None = None
    if isinstance(spec, Pairs):
        entry = next((value for key, value in spec.pairs if key == Const(dim)), None)
    elif isinstance(spec, Tup) and dim < len(spec.items):
        entry = spec.items[dim]
    return entry if isinstance(entry, DimValue) and entry.kind == "named" else None


def _is_refused(values: list[Value]) -> bool | None:
    """Whether the size is 1 and the bound of the `Dim` lets it in."""
    size, least = values
    if not isinstance(size, Const) or not isinstance(least, Const):
        return None
    return size.value == 1 and (least.value is None or (isinstance(least.value, int) and least.value <= 1))


def _may_be_off(facts: Facts, event: CallEvent) -> bool:
    """Whether what compiles the programs that a call may mean may do without the lower bounds."""
    places = {one.value.span.path for one in programs_of(facts, event.target, event) if isinstance(one.value, Program)}
    return any(
        write.module == INDUCTOR
        and write.key == KEY
        and any(not isinstance(v, Const) or not v.value for _, v in leaves(write.value, write.path))
        and (in_its_process(facts, write, event) or any(may_meet(facts, write.span.path, one) for one in places))
        for write in facts.of(ConfigWrite)
    )
