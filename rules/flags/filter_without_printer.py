"""AOTI505."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, VersionSet, weaker
from aoti_lint.rule.events import EnvWrite
from aoti_lint.rule.values import Const, leaves

from ..package._imports import reach
from ._aids import FILTER, PRINTER, Setting, settings
from ._runs import by_place, runs, script_of

SINCE = VersionSet.since("2.5")
"""Releases that have the printer."""


class FilterWithoutPrinter(Rule):
    """Kernels are chosen for the debug printer, which is not in the mode that looks at the choice.

    What happens:
        The choice is ignored. Without the printer nothing is printed at all; in mode 1 (save) and mode 3 (names only)
        it acts on every kernel. Names that match no kernel are ignored without a word, too.

    Why:
        Only mode 2, which prints values, looks at `filtered_kernel_names`.

    Bad:
        import os

        os.environ["AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"] = "1"
        os.environ["AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT"] = "triton_poi_fused_0"  # <- AOTI505
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    Good:
        import os

        os.environ["AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"] = "2"
        os.environ["AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT"] = "triton_poi_fused_0"
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    How to debug:
        Compile once in mode 3: it prints the names of the kernels in the order they run. On the CPU they begin with
        `cpp_fused_` and `aoti_torch_cpu_`. Give one or more of them, with commas between, in mode 2.

    Sources:
        Run on torch 2.13 (modes 1, 2 and 3 with a filter). `torch/_inductor/codegen/debug_utils.py:261` of release
        2.13.0.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor_debugging_guide.html
    """

    code = "AOTI505"
    name = "filter-without-printer"
    severity = Severity.WARNING
    outcome = Outcome.NO_EFFECT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        filters = {setting.event: setting for setting in settings(facts, FILTER)}
        printers = list(settings(facts, PRINTER)) if filters else []
        by_script = runs(facts) if filters else {}
        for events in by_place(filters).values():
            event = events[0]
            run, sure = by_script[script_of(event)], filters[event].sure()
            near = [printer for printer in printers if _belongs(facts, printer, script_of(event))]
            if sure is None or any(map(_may_print_values, near)) or (run.calls_package() and not run.compiles()):
                continue
            related: tuple[Related, ...] = ()
            if near:
                mode = near[-1]
                state, related = "is in another mode", (Related(mode.event.span, "its mode is set here"),)
                sure = sure if len(near) == 1 and not mode.event.path else weaker(sure, Confidence.LIKELY)
            else:
                state = "is not turned on"
                sure = weaker(sure, Confidence.LIKELY if run.compiles() else Confidence.POSSIBLE)
            yield self.found(
                facts,
                event,
                sure,
                f"`{filters[event].name}` chooses kernels for the debug printer in mode 2, but the printer {state}: "
                "the choice is ignored",
                failing=event.versions & SINCE,
                label="ignored",
                related=related,
                help=f'set {PRINTER.variable} to "2"'
                if isinstance(event, EnvWrite)
                else f'set `{PRINTER.key}` to "2" beside it',
            )


def _belongs(facts: Facts, printer: Setting, script: str) -> bool:
    """Whether a write of the printer's mode may hold for what a script compiles."""
    event = printer.event
    outside = isinstance(event, EnvWrite) and event.target != "process"
    return outside or script_of(event) == script or event.span.path in reach(facts, script).files


def _may_print_values(printer: Setting) -> bool:
    """Whether the printer may be in mode 2."""
    event = printer.event
    return any(not isinstance(v, Const) or v.value == "2" for _, v in leaves(event.value, event.path))
