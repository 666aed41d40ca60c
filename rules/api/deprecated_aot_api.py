"""AOTI201."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, VersionSet
from aoti_lint.rule.events import CompileEvent, LoadEvent
from aoti_lint.rule.links import packages_of
from aoti_lint.rule.values import Func, Loaded, Package, Program

SINCE = VersionSet.since("2.6")


class DeprecatedAotApi(Rule):
    """`torch._export.aot_compile` and `torch._export.aot_load` are deprecated.

    What happens:
        Both still work in every release up to 2.15. Since 2.6 they log, once a process and not as a Python warning (so
        `-W error` does not see it): `torch._export.aot_compile()/torch._export.aot_load() is being deprecated, please
        switch to directly calling torch._inductor.aoti_compile_and_package(torch.export.export())/
        torch._inductor.aoti_load_package() instead.`

    Why:
        The bare `.so` they exchange carries neither its weights' metadata nor the device it was compiled for, and the
        loader must be told the device again: a place to get it wrong. `torch._inductor.aot_compile` gives no warning
        and is the documented road to several models in one package; it is reported only where its `.so` is loaded with
        the deprecated `aot_load`.

    Bad:
        import torch

        model = torch.nn.Linear(10, 2).eval()
        x = torch.randn(8, 10)
        so = torch._export.aot_compile(model, (x,))  # <- AOTI201
        run = torch._export.aot_load(so, "cpu")  # <- AOTI201

    Good:
        import torch

        model = torch.nn.Linear(10, 2).eval()
        x = torch.randn(8, 10)
        program = torch.export.export(model, (x,))
        path = torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
        run = torch._inductor.aoti_load_package(path)

    How to debug:
        `aot_compile` traces in strict mode; `torch.export.export` does not since 2.8. If the new program differs, pass
        `strict=True` to `torch.export.export` and compare.

    Sources:
        `torch/_export/__init__.py`, lines 69 to 75 of release 2.13.0; run on torch 2.13.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI201"
    name = "deprecated-aot-api"
    severity = Severity.WARNING
    outcome = Outcome.DEPRECATED

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        seen: set[Span] = set()
        loads = [
            e for e in facts.of(LoadEvent) if isinstance(e.loaded, Loaded) and e.loaded.api == "torch._export.aot_load"
        ]
        for event in facts.of(CompileEvent):
            package = event.package
            if not isinstance(package, Package) or event.span in seen:
                continue
            if package.api == "torch._export.aot_compile":
                seen.add(event.span)
                yield from self._report(facts, event, ())
            elif package.api == "torch._inductor.aot_compile":
                to = next((e for e in loads if package in [c.value for c in packages_of(facts, e.loaded, e)]), None)  # type: ignore[arg-type]
                if to is not None:
                    seen.add(event.span)
                    yield from self._report(
                        facts, event, (Related(to.span, "loaded with the deprecated aot_load here"),)
                    )
        for load in loads:
            if load.span not in seen:
                seen.add(load.span)
                yield from self._report(facts, load, ())

    def _report(
        self, facts: Facts, event: CompileEvent | LoadEvent, related: tuple[Related, ...]
    ) -> Iterator[Diagnostic]:
        failing = event.versions & SINCE
        if not failing:
            return
        if isinstance(event, CompileEvent):
            what = (
                "torch._export.aot_compile is deprecated"
                if not related
                else "this .so goes to the deprecated torch._export.aot_load"
            )
            better = (
                "use torch._inductor.aoti_compile_and_package(torch.export.export(model, args), "
                'package_path="model.pt2")'
            )
            package = event.package
            program = package.program if isinstance(package, Package) else None
            if isinstance(program, Program) and isinstance(program.model, Func):
                better = f"make a torch.nn.Module, model, whose forward calls it, and {better}"
        else:
            what, better = "torch._export.aot_load is deprecated", 'use torch._inductor.aoti_load_package("model.pt2")'
        yield self.found(
            facts,
            event,
            # What is tried after another call has raised is for a torch that lacks the newer one.
            Confidence.POSSIBLE if event.is_after_failure else Confidence.CERTAIN,
            what,
            failing=failing,
            related=related,
            label="deprecated since torch 2.6",
            help=better,
        )
