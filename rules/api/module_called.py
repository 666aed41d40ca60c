"""AOTI219."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule
from aoti_lint.rule.torch import api

from ._calls import calls


class ModuleCalled(Rule):
    """A module of torch is called in the place of a function in it.

    What happens:
        `TypeError: 'module' object is not callable`

    Why:
        `torch.export`, `torch.onnx` and `torch.compiler` are modules; the functions are `torch.export.export`,
        `torch.onnx.export` and `torch.compile`. The mistake is easily made with an import: `from torch import export`
        binds the module, `from torch.export import export` the function.

    Bad:
        import torch

        program = torch.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))  # <- AOTI219

    Bad:
        import torch
        from torch import export

        program = export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))  # <- AOTI219

    Good:
        import torch
        from torch.export import export

        program = export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))

    How to debug:
        `print(export)` says `<module 'torch.export' from …>` or `<function export at …>`.

    Sources:
        Run on torch 2.13; they are modules in all releases from 2.4.1 to 2.15.0.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI219"
    name = "module-called"
    outcome = Outcome.RAISES

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in calls(facts, *api.CALLED_MODULES, raising=("TypeError",)):
            yield self.found(
                facts,
                event,
                Confidence.CERTAIN,
                f"{event.name} is a module and cannot be called: it raises",
                label="a module",
                help=f"call {api.CALLED_MODULES[api.canonical(event.name)]}(…)",
            )
