"""AOTI228."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, judge
from aoti_lint.rule.events import LoadEvent
from aoti_lint.rule.values import Loaded, Package, PathValue, Program, Value


class PackageOverwritten(Rule):
    """A package is loaded by the path that its compile gave, and another model was compiled to that file since.

    What happens:
        Nothing says so: what is loaded is the other model. It is called with inputs that it was not made for, or gives
        results of another model.

    Why:
        `aoti_compile_and_package` gives the path back that it was told, and replaces the file that is there. Two
        compiles with one `package_path` leave the second package alone.

    Bad:
        import torch

        x = torch.randn(2, 8)
        paths = []
        for model in (torch.nn.Linear(8, 4), torch.nn.Linear(8, 3)):
            program = torch.export.export(model.eval(), (x,))
            paths.append(torch._inductor.aoti_compile_and_package(program, package_path="model.pt2"))
        first = torch._inductor.aoti_load_package(paths[0])  # <- AOTI228

    Good:
        import torch

        x = torch.randn(2, 8)
        paths = []
        for index, model in enumerate((torch.nn.Linear(8, 4), torch.nn.Linear(8, 3))):
            program = torch.export.export(model.eval(), (x,))
            paths.append(torch._inductor.aoti_compile_and_package(program, package_path=f"model{index}.pt2"))
        first = torch._inductor.aoti_load_package(paths[0])

    How to debug:
        Print the paths that the compiles give.

    Sources:
        Run on torch 2.13 (this project's tests).
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI228"
    name = "package-overwritten"
    outcome = Outcome.SILENTLY_WRONG

    def on_load(self, facts: Facts, event: LoadEvent) -> Iterator[Diagnostic]:
        loaded = event.loaded
        if not isinstance(loaded, Loaded) or loaded.package is None or event.expected:
            return
        meant = loaded.file.given
        if isinstance(meant, PathValue):
            meant = meant.text
        verdict = judge([meant, loaded.package], event.path, _is_another)
        if verdict is None:
            return
        first, second = verdict[1]
        assert isinstance(first, Package)
        assert isinstance(second, Package)
        yield self.found(
            facts,
            event,
            verdict,
            "another model was compiled to this file since: it is the one that is loaded",
            label="not the package that this path stood for",
            related=(Related(first.span, "compiled here"), Related(second.span, "written over here")),
            help="give each package a package_path of its own, or load the first before the second is compiled",
        )


def _is_another(values: list[Value]) -> bool | None:
    """Whether the package that is there is another than the one that is meant, and of another model."""
    meant, there = values
    if not isinstance(meant, Package) or not isinstance(there, Package):
        return None
    models = [one.program.model for one in (meant, there) if isinstance(one.program, Program)]
    return meant.ident != there.ident and len(models) == 2 and models[0] != models[1]
