"""AOTI507."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, VersionSet
from aoti_lint.rule.events import EnvWrite
from aoti_lint.rule.values import Const

from ..package._imports import in_its_process
from ._aids import LEVEL, MINIFIER, PRINTER, settings
from ._runs import Run, by_place, runs, script_of

LEVELS = VersionSet.since("2.7")
"""Releases that have AOTINDUCTOR_REPRO_LEVEL."""


class MinifierLevel(Rule):
    """The minifier is on at its default level while a crash is looked for.

    What happens:
        At level 2 the minifier writes its files only when the compile, or the one run with the example inputs that it
        makes itself, raises. A crash (illegal memory access, SIGSEGV) ends the process before anything is written, and
        a failure of the script's own later call is not seen at all.

    Why:
        It catches exceptions. Level 3 writes the files before the run, whatever happens then.

    Bad:
        import os

        os.environ["DUMP_AOTI_MINIFIER"] = "1"  # <- AOTI507
        os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    Good:
        import os

        os.environ["DUMP_AOTI_MINIFIER"] = "1"
        os.environ["AOTINDUCTOR_REPRO_LEVEL"] = "3"
        os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    How to debug:
        With `AOTINDUCTOR_REPRO_LEVEL=3` look for `minifier/minifier_launcher.py` below `torch_compile_debug/`, and run
        it.

    Sources:
        Run on torch 2.13 (a compile that works, one that raises, a later call that raises; levels 2 and 3), on a GPU
        with an illegal memory access.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor_minifier.html
    """

    code = "AOTI507"
    name = "minifier-level"
    severity = Severity.INFO
    outcome = Outcome.NO_EFFECT
    doubt = "it may be an exception that is looked for"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        written = {setting.event: setting for setting in settings(facts, MINIFIER)}
        levels = [setting.event for setting in settings(facts, LEVEL) if setting.may_be_on()]
        by_script = runs(facts) if written else {}
        for events in by_place(written).values():
            event = events[0]
            sign = _hunts_a_crash(by_script[script_of(event)])
            if written[event].sure() is None or sign is None or not event.versions & LEVELS:
                continue
            if any(in_its_process(facts, level, event) for level in levels):
                continue
            yield self.found(
                facts,
                event,
                Confidence.POSSIBLE,
                "the minifier at its default level 2 sees exceptions only: a crash leaves nothing behind",
                failing=event.versions & LEVELS,
                related=(Related(sign.span, "a crash is looked for"),),
                help=f"set {LEVEL.variable}=3: it writes the program before running it",
            )


def _hunts_a_crash(run: Run) -> EnvWrite | None:
    """The variable that says so: kernels one after the other, or the names of the kernels that run."""
    for event in run.of(EnvWrite):
        if event.name == "CUDA_LAUNCH_BLOCKING" and event.value == Const("1"):
            return event
        if event.name == PRINTER.variable and event.value == Const("3"):
            return event
    return None
