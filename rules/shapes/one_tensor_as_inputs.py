"""AOTI352."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Path, dataclass, weaker
from aoti_lint.rule.events import CallEvent, Exporting
from aoti_lint.rule.links import programs_of
from aoti_lint.rule.shapes import inputs, pair
from aoti_lint.rule.values import Loaded, Program, ProgramModule, leaves

from ._calls import is_used
from ._exports import ExportRule, Fault, made_here


@dataclass(frozen=True, slots=True)
class Merged(Fault):
    """The fault of an export whose inputs of these `names` are one tensor."""

    names: tuple[str, ...] = ()


class OneTensorAsInputs(ExportRule):
    """One tensor is given as several example inputs of an export.

    What happens:
        Nothing raises. The program takes all its inputs and reads the last of those that were one tensor in the place
        of the others: exported with `(x, x)`, a forward that gives `a - b` computes `b - b`, whatever it is called
        with. So does a package that is compiled of it, and the model that `torch.onnx.export` writes.

    Why:
        While a forward is traced, its inputs are told apart by which tensor they are. A tensor that comes in twice is
        one input to the trace. Copies are several: `x.clone()`, or a tensor that is made for each input.

    Bad:
        import torch

        class Gate(torch.nn.Module):
            def forward(self, value, gate):
                return value * gate.sigmoid()

        x = torch.randn(2, 8)
        program = torch.export.export(Gate(), (x, x))  # <- AOTI352

    Good:
        import torch

        class Gate(torch.nn.Module):
            def forward(self, value, gate):
                return value * gate.sigmoid()

        x = torch.randn(2, 8)
        program = torch.export.export(Gate(), (x, x.clone()))

    How to debug:
        Print the program: an input that nothing reads stands only in the first line of its `forward`.

    Sources:
        Run on torch 2.13: positional, keyword and nested inputs, with and without `strict=True` and a `Dim`, called as
        `program.module()`, as a package, and as an ONNX program. Views (`x[:]`, `x.detach()`) are inputs of their own.
    """

    code = "AOTI352"
    name = "one-tensor-as-inputs"
    onnx = True
    doubt = "nothing is known to call the program with different tensors"

    def _all(self, facts: Facts) -> Iterator[tuple[Hashable, Diagnostic]]:
        calls = _calls(facts)
        for event in self.exports(facts):
            if not isinstance(event.program, Program):
                continue
            given = calls.get(event.program.ident, [])
            for fault, confidence in self._judged(event, event.program):
                assert isinstance(fault, Merged)
                differing = [call for call in given if len({*map(call.get, fault.names), None}) > 2]
                if (given or _is_of_test(event)) and not differing:
                    continue
                sure = confidence if differing else weaker(confidence, Confidence.LIKELY)
                yield fault.key, self._report(facts, event, fault, sure)

    def faults(self, program: Program, path: Path) -> Iterator[Fault]:
        groups = defaultdict(list)
        for one in inputs(program):
            if is_used(program, one.name):
                groups[one.tensor.key].append(one)
        merged = [group for group in groups.values() if len(group) > 1]
        if merged:
            names = tuple(one.name for one in merged[0])
            more = f", as are {len(merged) - 1} others" if len(merged) > 1 else ""
            yield Merged(
                key="one tensor",
                message=f"{', '.join(names[:-1])} and {names[-1]} are one tensor here{more}: the program reads "
                f"{names[-1]} in the place of {'both' if len(names) == 2 else 'all'}, whatever it is called with",
                label="one tensor for several inputs",
                help="give each input a tensor of its own: x.clone(); where they are always one, one parameter will do",
                related=made_here(merged[0][0].tensor, "made here"),
                silent=True,
                names=names,
            )


def _is_of_test(event: Exporting) -> bool:
    """Whether a test makes the program: nobody else calls it."""
    return event.root.partition("::")[2].rpartition(".")[2].startswith("test")


def _calls(facts: Facts) -> dict[int, list[dict[str, str]]]:
    """By program: what it is called with, the keys of tensors by the names of the inputs."""
    found: dict[int, list[dict[str, str]]] = defaultdict(list)
    for event in facts.of(CallEvent):
        for answers, target in leaves(event.target, event.path):
            if not isinstance(target, Loaded | ProgramModule):
                continue
            for candidate in programs_of(facts, target, event, answers):
                if isinstance(candidate.value, Program):
                    given = pair(candidate.value, event.args, event.kwargs)
                    found[candidate.value.ident].append({one.example.name: one.given.key for one in given})
    return found
