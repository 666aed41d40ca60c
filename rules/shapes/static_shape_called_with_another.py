"""AOTI301."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.diagnostics import Confidence, Diagnostic, Outcome, Related
from aoti_lint.interp.events import CallEvent
from aoti_lint.interp.facts import Facts
from aoti_lint.interp.judge import catches, judge, weaker
from aoti_lint.interp.linking import Candidate, programs_of
from aoti_lint.interp.shapes import Paired, pair, place_of
from aoti_lint.interp.values import Choice, Const, Loaded, Program, Unknown, Value
from aoti_lint.rule import Rule
from aoti_lint.torch_api.versions import VersionSet

CHECKS = VersionSet.since("2.7")
"""Releases whose packages read AOTI_RUNTIME_CHECK_INPUTS."""


class StaticShapeCalledWithAnother(Rule):
    """A program exported without a dynamic dimension is called with another size.

    What happens:
        A package checks nothing by default. Called with another size it computes with the sizes of the example: wrong
        values in the rows beyond them, a result of the example's shape, or reads outside the input. A package compiled
        for 9000x9000 and called with 2x3 ends the process with SIGSEGV and no text. With `AOTI_RUNTIME_CHECK_INPUTS=1`
        (torch 2.7 and later) the call raises: `input_handles[0]: unmatched dim value at 0, expected: 2, but got: 5`.
        `ep.module()` always raises: `AssertionError: Guard failed: x.size()[0] == 4`.

    Why:
        Every dimension that `dynamic_shapes` does not name is fixed to the size of the example input.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x.sin() + 1

        program = torch.export.export(Net(), (torch.randn(2, 10),))
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)
        run(torch.randn(5, 10))  # <- AOTI301

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x.sin() + 1

        batch = torch.export.Dim("batch", min=1, max=64)
        program = torch.export.export(Net(), (torch.randn(2, 10),), dynamic_shapes={"x": {0: batch}})
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)
        run(torch.randn(5, 10))

    How to debug:
        Run once with `AOTI_RUNTIME_CHECK_INPUTS=1` in the environment of the process that calls the model, set before
        its first call.

    Sources:
        Run on torch 2.13 (sizes smaller, larger and much smaller, with and without the check).
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI301"
    name = "static-shape-called-with-another"
    outcome = Outcome.SILENTLY_WRONG

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(CallEvent):
            raises = not isinstance(event.target, Loaded) or self._checked(event)
            if catches(event.expected, "RuntimeError", "AssertionError"):
                continue
            perhaps = raises or isinstance(event.checked, Choice | Unknown)
            if perhaps and catches(event.caught, "RuntimeError", "AssertionError"):
                continue
            yield from self._check(facts, event, raises)

    @staticmethod
    def _checked(event: CallEvent) -> bool:
        """Whether the package checks its inputs, as far as the script says (any text that does not begin with 0)."""
        value = event.checked
        return isinstance(value, Const) and isinstance(value.value, str) and value.value[:1] not in ("", "0")

    def _check(self, facts: Facts, event: CallEvent, raises: bool) -> Iterator[Diagnostic]:
        """One finding for a call, at its first input that does not fit any program it may call."""
        candidates = programs_of(facts, event.target, event)
        found: dict[str, list[Diagnostic]] = {}
        for candidate in candidates:
            for name, diagnostic in self._misfits(facts, event, candidate, raises):
                found.setdefault(name, []).append(diagnostic)
        yield from [d[-1] for d in found.values() if len(d) == len(candidates)][:1]

    def _misfits(
        self, facts: Facts, event: CallEvent, candidate: Candidate, raises: bool
    ) -> Iterator[tuple[str, Diagnostic]]:
        """The inputs that do not fit one program, each at its first wrong dimension."""
        program = candidate.value
        assert isinstance(program, Program)
        for paired in pair(program, event.args, event.kwargs):
            ranks = self._ranks(paired)
            if ranks is not None:
                text = f"exported with {ranks[0]} dimensions and is called with {ranks[1]}"
                yield (
                    paired.example.name,
                    self._report(facts, event, paired, program, text, candidate.confidence, raises),
                )
                continue
            for dim, sizes in enumerate(self._sizes(paired)):
                verdict = judge(sizes, event.path, differ) if paired.example.freedom(program, dim) == "static" else None
                if verdict is not None:
                    expected, given = (v.value for v in verdict[1] if isinstance(v, Const))
                    confidence = weaker(candidate.confidence, verdict[0])
                    text = f"exported with {expected} in dimension {dim} and is called with {given}"
                    yield (
                        paired.example.name,
                        self._report(facts, event, paired, program, text, confidence, raises, dim),
                    )
                    break

    def _report(
        self,
        facts: Facts,
        event: CallEvent,
        paired: Paired,
        program: Program,
        text: str,
        confidence: Confidence,
        raises: bool,
        dim: int | None = None,
    ) -> Diagnostic:
        name, place = paired.example.name, place_of(event, paired)
        effect = "the call raises" if raises else "nothing checks it, the result is wrong or the process crashes"
        said, got = text.split(" and is ")
        fixed = "" if dim is None else f", and no dynamic dimension {dim}"
        related = [Related(program.span, f"{said} here{fixed}")]
        made = paired.given.span
        if made is not None and not (made.path == place.path and place.start <= made.start < place.end):
            related.append(Related(made, "the input comes from here"))
        spec = f'{{"{name}": {{{dim}: torch.export.Dim("{name}_{dim}")}}}}'
        return self.found(
            facts,
            event,
            confidence,
            f"{name} was {text}: {effect}",
            span=place,
            label=f"{got} here",
            related=tuple(related),
            outcome=Outcome.RAISES_AT_CALL if raises else Outcome.SILENTLY_WRONG,
            help=f"declare it: dynamic_shapes={spec}" if dim is not None else "give it the rank it was exported with",
            symptom="shape-mismatch",
        )

    @staticmethod
    def _ranks(paired: Paired) -> tuple[int, int] | None:
        """The ranks of example and input, if they are known and differ."""
        first, second = paired.example.tensor.shape, paired.given.shape
        return (
            (len(first), len(second))
            if first is not None and second is not None and len(first) != len(second)
            else None
        )

    @staticmethod
    def _sizes(paired: Paired) -> list[list[Value]]:
        """The example's and the call's size of each dimension, where the ranks agree."""
        first, second = paired.example.tensor.shape, paired.given.shape
        if first is None or second is None or len(first) != len(second):
            return []
        return [[a, b] for a, b in zip(first, second, strict=True)]


def differ(values: list[Value]) -> bool | None:
    """Whether two sizes differ; None if either is not known."""
    first, second = values
    if isinstance(first, Const) and isinstance(second, Const):
        return first.value != second.value
    return None if first != second else False
