"""AOTI314."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Path, Related
from aoti_lint.rule.values import Program

from ._exports import ExportRule, Fault, lost_on_re_export


class ShapesLostOnReExport(ExportRule):
    """The module of a program with dynamic dimensions is exported again without `dynamic_shapes`.

    What happens:
        Nothing is said, and the new program is static: `program.range_constraints` is `{}`. It takes only the sizes of
        its example.

    Why:
        An export reads the dynamic dimensions from its own `dynamic_shapes` alone; what the first one said is gone.

    Bad:
        import torch

        model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
        shapes = {"input": {0: torch.export.Dim("rows")}}
        program = torch.export.export(model, (x,), dynamic_shapes=shapes)
        again = torch.export.export(program.module(), (x,))  # <- AOTI314
        run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(again))
        run(torch.randn(7, 8))

    Good:
        import torch

        model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
        shapes = {"input": {0: torch.export.Dim("rows")}}
        program = torch.export.export(model, (x,), dynamic_shapes=shapes)
        again = torch.export.export(program.module(), (x,), dynamic_shapes=shapes)

    How to debug:
        Compare `range_constraints` of both programs.

    Sources:
        Run on torch 2.13.
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI314"
    name = "shapes-lost-on-re-export"
    doubt = "a program of one size may be what is wanted"

    def faults(self, program: Program, path: Path) -> Iterator[Fault]:
        first, lost = lost_on_re_export(program)
        if first is None:
            return
        yield Fault(
            key="lost",
            message=f"the first export has a dynamic dimension ({lost}), this one has none: the program is static",
            label="exported again without dynamic_shapes",
            help="give this export the same dynamic_shapes",
            related=(Related(first.span, "dynamic here"),),
            confidence=Confidence.LIKELY,
            silent=True,
        )
