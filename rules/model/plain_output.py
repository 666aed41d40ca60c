"""AOTI717."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, VersionSet, catches
from aoti_lint.rule.events import CompileEvent
from aoti_lint.rule.links import overall, programs_of
from aoti_lint.rule.values import Package, Program

_REFUSED = frozenset({"float", "str"})
_CHANGED = frozenset({"int", "bool"})
_KNOWN = VersionSet.since("2.13")
"""Releases of which it is known: it was run on 2.13 only."""


class PlainOutput(Rule):
    """A program that returns a number or a text is compiled into a package.

    What happens:
        For a float or a text the compile raises `InductorError: AssertionError: [TensorBox(StorageBox(…`, with nothing
        about the output. An int or bool comes back as a tensor of no dimensions, where the program gives the number.

    Why:
        A package hands out tensors and None. A number that the example gave is a constant in it, whatever a call gives.

    Bad:
        import torch

        class Scale(torch.nn.Module):
            def forward(self, x):
                return x * 2, 0.5

        program = torch.export.export(Scale(), (torch.ones(3),))
        torch._inductor.aoti_compile_and_package(program, package_path="scale.pt2")  # <- AOTI717

    Good:
        import torch

        class Scale(torch.nn.Module):
            def forward(self, x):
                return x * 2, torch.full((), 0.5)

        program = torch.export.export(Scale(), (torch.ones(3),))
        torch._inductor.aoti_compile_and_package(program, package_path="scale.pt2")

    How to debug:
        `print(program.graph_signature.output_specs)` lists the outputs: a number or text is a `ConstantArgument`.

    Sources:
        Run on torch 2.13 on the CPU: an int, a bool, a float, a text and None, of the model and of the inputs, in a
        tuple and in a dict (this project's tests).
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI717"
    name = "plain-output"
    outcome = Outcome.RAISES_AT_COMPILE

    def on_compile(self, facts: Facts, event: CompileEvent) -> Iterator[Diagnostic]:
        if not isinstance(event.package, Package):
            return
        candidates = programs_of(facts, event.package, event)
        given = [frozenset(c.value.plain) if isinstance(c.value, Program) else frozenset() for c in candidates]
        for kinds in (_REFUSED, _CHANGED):
            sure = overall(
                candidates,
                [c.confidence if one & kinds else None for c, one in zip(candidates, given, strict=True)],
                event,
            )
            if sure is None:
                continue
            raises = kinds is _REFUSED
            if raises and catches(event.caught | event.expected, "RuntimeError", "InductorError"):
                continue
            named = ", ".join(sorted(kinds.intersection(*given) or kinds.intersection(frozenset().union(*given))))
            made = [c.value.span for c in candidates if isinstance(c.value, Program)]
            yield self.found(
                facts,
                event,
                sure if raises else Confidence.POSSIBLE,
                f"the forward returns what is no tensor ({named}): the compile raises"
                if raises
                else f"the forward returns what is no tensor ({named}): the package gives a tensor in its place",
                severity=Severity.ERROR if raises else Severity.INFO,
                outcome=self.outcome if raises else Outcome.SILENTLY_WRONG,
                label="compiled here",
                failing=event.versions & _KNOWN,
                related=tuple(Related(span, "exported here") for span in made[:1]),
                help="return tensors only, or None; what the caller knows it need not be given back",
            )
            return
