"""AOTI337."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, VersionSet, catches, weaker
from aoti_lint.rule.events import CompileEvent
from aoti_lint.rule.inputs import Plain, parts
from aoti_lint.rule.links import overall, programs_of
from aoti_lint.rule.values import Const, DimValue, Package, Program

KNOWN = VersionSet.since("2.13")
"""Releases of which it is known: it was run on 2.13 only."""


class DynamicNumberCompiled(Rule):
    """A program with a number that `dynamic_shapes` leaves open is compiled into a package.

    What happens:
        The compile raises, with nothing about the number: `RuntimeError: Expected a proper Tensor but got None (or an
        undefined Tensor in C++) for argument #1 'other'`, `ValueError: clamp called but both min and max are none!`.
        Where nothing raises, the number is lost: `x[:k]` is all of `x`.

    Why:
        Only tensors are handed to a package. Inductor compiles the program with `None` where the number was.

    Bad:
        import torch

        class Scale(torch.nn.Module):
            def forward(self, x, k: int):
                return x * k

        free = {"x": None, "k": torch.export.Dim.DYNAMIC}
        program = torch.export.export(Scale(), (torch.ones(3), 2), dynamic_shapes=free)
        torch._inductor.aoti_compile_and_package(program, package_path="scale.pt2")  # <- AOTI337

    Good:
        import torch

        class Scale(torch.nn.Module):
            def forward(self, x, k):
                return x * k

        program = torch.export.export(Scale(), (torch.ones(3), torch.tensor(2)))
        torch._inductor.aoti_compile_and_package(program, package_path="scale.pt2")

    How to debug:
        `ep.module()` takes the number: the program is right, and only a package cannot be made of it.

    Sources:
        Run on torch 2.13 on the CPU: a number in a product, in `clamp`, in `full` (they raise) and in a slice (wrong).
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI337"
    name = "dynamic-number-compiled"
    outcome = Outcome.RAISES_AT_COMPILE

    def on_compile(self, facts: Facts, event: CompileEvent) -> Iterator[Diagnostic]:
        if not isinstance(event.package, Package) or catches(event.caught | event.expected, "RuntimeError"):
            return
        candidates = programs_of(facts, event.package, event)
        found = [_open_number(c.value) if isinstance(c.value, Program) else None for c in candidates]
        verdicts = [
            None if one is None else weaker(candidate.confidence, one[1])
            for candidate, one in zip(candidates, found, strict=True)
        ]
        sure = overall(candidates, verdicts, event)
        first = next((one for one in found if one is not None), None)
        if sure is None or first is None:
            return
        plain, _, dim = first
        related = (Related(dim.span, "left open here"),) if dim.span is not None else ()
        yield self.found(
            facts,
            event,
            sure,
            f"{plain.name} is a number that dynamic_shapes leaves open: the compile raises, or loses it",
            label="compiled here",
            failing=event.versions & KNOWN,
            related=related,
            help=f"give {plain.name} as a tensor of no dimensions, or leave it fixed and make one package for each "
            "value",
        )


def _open_number(program: Program) -> tuple[Plain, Confidence, DimValue] | None:
    """The first number among the inputs that is left open. `Dim.AUTO` gives way where the forward needs a constant."""
    for part in parts(program):
        if not isinstance(part, Plain) or not isinstance(part.spec, DimValue) or part.spec.kind == "STATIC":
            continue
        if isinstance(part.value, Const) and type(part.value.value) is int:
            mentioned = dict(program.mentioned)
            if mentioned and part.name not in mentioned:
                continue
            firm = part.spec.kind == "DYNAMIC" and mentioned.get(part.name)
            return part, Confidence.CERTAIN if firm else Confidence.LIKELY, part.spec
    return None
