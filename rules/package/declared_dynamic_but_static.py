"""AOTI614."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, weaker
from aoti_lint.rule.events import Event
from aoti_lint.rule.links import exports_of
from aoti_lint.rule.shapes import Freedom, inputs
from aoti_lint.rule.values import Program

from ..shapes._guards import fixed_by_forward

if TYPE_CHECKING:
    from aoti_lint.rule.contents import NamedArchive, Package, Tensor
    from aoti_lint.rule.contents import Program as Exported


class DeclaredDynamicButStatic(Rule):
    """A script declares a dimension dynamic, and the program it wrote has it fixed.

    What happens:
        The export said nothing, and the program takes one size only: others raise (`Guard failed: x.size()[0] == 4`)
        or, in a package, give wrong numbers.

    Why:
        `Dim.AUTO` gives way to whatever the model does with the size: `x.view(4, …)`, `int(x.shape[0])`, an operator
        whose fake hard-codes it. Where a `Dim` or `Dim.DYNAMIC` was declared, export would have raised, so the archive
        was made by other code than this. Where the line that fixes the size is seen, AOTI320 to AOTI324 say it alone.

    Bad:
        # archive: specialised.pt2
        # file: build.py
        import torch
        from nets import Twofold  # its forward is x.reshape(4, 2, 4).sum(-1)

        example = (torch.ones(4, 8),)
        program = torch.export.export(Twofold(), example, dynamic_shapes=({0: torch.export.Dim.AUTO},))  # <- AOTI614
        torch.export.save(program, "specialised.pt2")

    Good:
        # archive: auto.pt2
        # file: build.py
        import torch

        class Wave(torch.nn.Module):
            def forward(self, x):
                return x.sin() + 1

        example = (torch.ones(4, 8),)
        program = torch.export.export(Wave(), example, dynamic_shapes=({0: torch.export.Dim.AUTO},))
        torch.export.save(program, "auto.pt2")

    How to debug:
        Put `Dim.DYNAMIC` or a named `Dim` in the place of `Dim.AUTO`: then export names the line that fixes the size.
        `TORCH_LOGS=+dynamic` shows it too.

    Sources:
        Run on torch 2.13: `view(4, …)`, `int()` in the model and in a fake (this project's tests have one).
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI614"
    name = "declared-dynamic-but-static"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG
    doubt = "the file may be of another export"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told = set()
        explained: set[tuple[Span, str, int]] = fixed_by_forward(facts) if facts.archives else set()
        for archive in facts.archives:
            if archive.data.kind == "mixed" or len(archive.data.programs) + len(archive.data.packages) != 1:
                continue
            for event, program, sure in exports_of(facts, archive):
                for found in self._check(facts, archive, event, program, sure, explained):
                    if (found.span, found.message) not in told:
                        told.add((found.span, found.message))
                        yield found

    def _check(
        self,
        facts: Facts,
        archive: NamedArchive,
        event: Event,
        program: Program,
        sure: Confidence,
        explained: set[tuple[Span, str, int]],
    ) -> Iterator[Diagnostic]:
        models: list[Exported | Package] = [*archive.data.programs, *archive.data.packages]
        known = {one.path: one.tensor for model in models for one in model.inputs if one.tensor is not None}
        ours, theirs = list(inputs(program)), list(known.values())
        unnamed = program.signature is None and len(ours) == len(theirs)
        for position, one in enumerate(ours):
            tensor = known.get(one.name) or known.get(f"args[{position}]") if "[" not in one.name else None
            if unnamed and one.name == f"input {position}":
                tensor = tensor or theirs[position]
            if tensor is None or one.tensor.shape is None or len(one.tensor.shape) != len(tensor.shape):
                continue
            freedoms = [one.freedom(program, dim) for dim in range(len(tensor.shape))]
            for dim in lost(freedoms, tensor):
                if (program.span, one.name, dim) in explained:
                    continue
                auto = freedoms[dim] == "auto"
                why = "Dim.AUTO gave way to the model without a word" if auto else "it was made by other code than this"
                late = f"{archive.path} is older than {event.span.path}: build it again before you believe this"
                yield self.found(
                    facts,
                    event,
                    weaker(sure, Confidence.LIKELY),
                    f"dimension {dim} of {one.name} is declared dynamic here, and is {tensor.shape[dim]} for ever in "
                    f"{archive.path}: {why}",
                    span=program.span,
                    label="declared dynamic here",
                    related=(Related(archive.span, f"{tensor.shape[dim]} in dimension {dim}"),),
                    notes=(late,) if sure is Confidence.POSSIBLE else (),
                    help="declare it with torch.export.Dim.DYNAMIC: then the export names the line that fixes it"
                    if auto
                    else f"build {archive.path} again",
                    symptom="shape-mismatch",
                )


def lost(freedoms: list[Freedom], tensor: Tensor) -> Iterator[int]:
    """The dimensions that should be dynamic and are not.

    `Dim.AUTO` on every dimension is a way to say "what can be": then it counts only if none is dynamic.
    """
    moving = any(isinstance(size, str) for size in tensor.shape)
    for dim, freedom in enumerate(freedoms):
        if not isinstance(tensor.shape[dim], int):
            continue
        if freedom == "dynamic" or (freedom == "auto" and not moving and "auto" not in freedoms[:dim]):
            yield dim
