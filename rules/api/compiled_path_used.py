"""AOTI220."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, catches
from aoti_lint.rule.events import PathUse
from aoti_lint.rule.values import Package

_LISTS = ("torch._inductor.aot_compile", "torch._export.aot_compile")
"""They give a list of files where `aot_inductor.package` is set, else one path."""


class CompiledPathUsed(Rule):
    """The path that compiling gives is used as if it were the compiled model.

    What happens:
        `TypeError: 'str' object is not callable`; where it is unpacked, `ValueError: too many values to unpack`.

    Why:
        `aoti_compile_and_package` and `aot_compile` write a file and return its path. What can be called is loaded from
        there, often in another process: that is what the file is for.

    Bad:
        import torch

        x = torch.randn(8, 10)
        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (x,))
        compiled = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        y = compiled(x)  # <- AOTI220

    Bad:
        import torch

        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        path, model = torch._inductor.aoti_compile_and_package(program)  # <- AOTI220

    Good:
        import torch

        x = torch.randn(8, 10)
        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (x,))
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        y = torch._inductor.aoti_load_package(path)(x)

    How to debug:
        Print what compiling returned.

    Sources:
        `torch/_inductor/__init__.py`, lines 106 and 290, of release 2.13.0: what they return. Run on torch 2.13.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI220"
    name = "compiled-path-used"
    outcome = Outcome.RAISES

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(PathUse):
            package, called = event.package, event.used == "called"
            if not isinstance(package, Package):
                continue  # AOTI223
            if catches(event.caught | event.expected, "TypeError" if called else "ValueError"):
                continue
            load = "_inductor.aoti_load_package(path)" if package.kind == "pt2" else '_export.aot_load(path, "cpu")'
            unsure = not called and package.api in _LISTS
            yield self.found(
                facts,
                event,
                Confidence.LIKELY if unsure else Confidence.CERTAIN,
                f"{package.api} returns the path of what it compiled, which cannot be {event.used}: it raises",
                label=f"a path is {event.used} here",
                related=(Related(package.span, "compiled here"),),
                help=f"load the file: torch.{load}",
            )
