"""AOTI301."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Related,
    Rule,
    Verdict,
    catches,
    dataclass,
    judge,
    surest,
    weaker,
)
from aoti_lint.rule.events import Calling, HostCall
from aoti_lint.rule.links import Candidate, overall, programs_of
from aoti_lint.rule.shapes import Paired, inputs, pair, place_of
from aoti_lint.rule.values import NONE, Const, Loaded, Program, Value

from ._calls import MISREAD, differ, host_calls, python_calls
from ._exports import lost_on_re_export


@dataclass(frozen=True, slots=True)
class Misfit:
    """An input that does not fit a program: in dimension `dim`, or in its rank where that is None."""

    confidence: Confidence | Verdict
    program: Program
    paired: Paired
    dim: int | None
    expected: object
    given: object


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
        """One finding for an input of a call, however many sizes a loop around it goes through."""
        return surest(self._all(facts))

    def _all(self, facts: Facts) -> Iterator[tuple[str, Diagnostic]]:
        for event in (*python_calls(facts, unflattened=True), *host_calls(facts)):
            raises = not isinstance(event.target, Loaded) or event.is_checked is True
            if catches(event.expected, "RuntimeError", "AssertionError"):
                continue
            perhaps = raises or event.is_checked is None
            if perhaps and catches(event.caught, "RuntimeError", "AssertionError"):
                continue
            yield from self._check(facts, event, raises)

    def _check(self, facts: Facts, event: Calling, raises: bool) -> Iterator[tuple[str, Diagnostic]]:
        """One finding for a call, at its first input that does not fit any program it may call."""
        candidates = programs_of(facts, event.target, event)
        misfits = [dict(self._misfits(event, c)) for c in candidates]
        for name in dict.fromkeys(n for found in misfits for n in found):
            verdicts = [found[name].confidence if name in found else None for found in misfits]
            confidence = overall(candidates, verdicts, event)
            if confidence is not None and isinstance(event, HostCall):
                confidence = weaker(confidence, Confidence.LIKELY)
            if confidence is not None:
                misfit = next(found[name] for found in misfits if name in found)
                yield name, self._report(facts, event, misfit, confidence, raises)
                return

    def _misfits(self, event: Calling, candidate: Candidate) -> Iterator[tuple[str, Misfit]]:
        """The inputs that do not fit one program, each at its first wrong dimension."""
        program = candidate.value
        if not isinstance(program, Program):
            return
        if event.flat and len(event.args) != len([*inputs(program)]):
            return  # AOTI335 tells of that, and which stands for which is not known
        path = {**event.path, **candidate.path}
        for paired in pair(program, event.args, event.kwargs):
            ranks = self._ranks(paired)
            if ranks is not None:
                yield paired.example.name, Misfit(candidate.confidence, program, paired, None, *ranks)
                continue
            if lost_on_re_export(program)[0] is not None:
                continue  # AOTI314 names the export where the dimension was lost
            for dim, sizes in enumerate(self._sizes(paired)):
                verdict = judge(sizes, path, differ) if paired.example.freedom(program, dim) == "static" else None
                if verdict is not None:
                    expected, given = (v.value for v in verdict[1] if isinstance(v, Const))
                    confidence = weaker(candidate.confidence, verdict)
                    yield paired.example.name, Misfit(confidence, program, paired, dim, expected, given)
                    break

    def _report(
        self, facts: Facts, event: Calling, misfit: Misfit, confidence: Confidence | Verdict, raises: bool
    ) -> Diagnostic:
        name, place, dim = misfit.paired.example.name, place_of(event, misfit.paired), misfit.dim
        effect = "the call raises" if raises else MISREAD
        if dim is None:
            said, got = f"exported with {misfit.expected} dimensions", f"called with {misfit.given}"
            fixed, help_ = "", "give it the rank it was exported with"
        else:
            said, got = f"exported with {misfit.expected} in dimension {dim}", f"called with {misfit.given}"
            fixed = f", and no dynamic dimension {dim}"
            help_ = _advice(misfit.program, name, dim, misfit.expected)
        related = [Related(misfit.program.span, f"{said} here{fixed}")]
        made = misfit.paired.given.span
        if made is not None and not (made.path == place.path and place.start <= made.start < place.end):
            related.append(Related(made, "the input comes from here"))
        return self.found(
            facts,
            event,
            confidence,
            f"{name} was {said} and is {got}: {effect}",
            span=place,
            label=f"{got} here",
            related=tuple(related),
            outcome=Outcome.RAISES_AT_CALL if raises else Outcome.SILENTLY_WRONG,
            help=help_,
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


def _advice(program: Program, name: str, dim: int, expected: object) -> str:
    """How to declare a dimension; whether the model takes other sizes than one in any but the first nobody says.

    An example of size 1 fixes a dimension that has a `Dim` (AOTI302).
    """
    example = ", and give an example with 2 or more there" if expected == 1 else ""
    declared = f"declare it at the export: {_declaration(program, name, dim)}{example}"
    return declared if dim == 0 else f"give it {expected} there; or, if the model takes other sizes, {declared}"


def _declaration(program: Program, name: str, dim: int) -> str:
    """What to write; "input 0" and "x[1]" are neither keys of dynamic_shapes nor names of Dims."""
    if program.spec != NONE:
        made = name if name.isidentifier() else "dim"
        return f'add {dim}: torch.export.Dim("{made}_{dim}") to what dynamic_shapes says of {name}'
    if name.isidentifier():
        return f'dynamic_shapes={{"{name}": {{{dim}: torch.export.Dim("{name}_{dim}")}}}}'
    return f'{{{dim}: torch.export.Dim("dim_{dim}")}} for {name} in dynamic_shapes'
