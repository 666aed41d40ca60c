"""AOTI705."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity
from aoti_lint.rule.events import CompileEvent, ConfigWrite, ExportEvent

from ..package._imports import in_its_process
from ._kept import RUN_ON, packaged, sure

_SETTING = "joint_graph_constant_folding"


class BufferComputedAtCompile(Rule):
    """A buffer of one element is changed in forward, and a package computes with what it was at the compile.

    What happens:
        Nothing is reported. `program.module()` counts 1, 2, 3, and the package 1, 1, 1. Lost is `self.step.add_(1)`,
        `self.step += 1` and `self.mean.copy_(self.mean * 0.9 + x.mean() * 0.1)`, of which `self.mean * 0.9` is
        computed once. A read is lost as well: `x * self.scale.exp()`, `torch.where(self.step == 0, …)`.

    Why:
        In a package, buffers are constants of the graph. A pass of the compiler computes what is made element by
        element of one-element constants and numbers alone, and overlooks that the graph changes them. Steps that take
        in data (`self.sum.add_(x.sum())`), and buffers of two elements and more, are not touched.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("step", torch.zeros(1))

            def forward(self, x):
                self.step.add_(1)  # <- AOTI705
                return x * self.step

        program = torch.export.export(Net(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program)

    Good:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("step", torch.zeros(1))

            def forward(self, x):
                self.step.add_(1)
                return x * self.step

        program = torch.export.export(Net(), (torch.ones(4),))
        options = {"joint_graph_constant_folding": False}
        torch._inductor.aoti_compile_and_package(program, inductor_configs=options)

    How to debug:
        Call the package twice with the same input, and the model twice: the model gives two results.

    Sources:
        `torch/_inductor/fx_passes/joint_graph.py`, `constant_fold_uniform_value`, release 2.13.0; run on torch 2.13, on
        the CPU, strict and not: 40 ways to change and to read a buffer. Buffers of `uint8` are not computed.
    """

    code = "AOTI705"
    name = "buffer-computed-at-compile"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        folds = {(e.root, e.span): e for e in facts.of(ExportEvent) if e.folds}
        for event, span in packaged(facts, folds):
            said = set()
            failing = event.versions & RUN_ON
            if not failing or _is_switched_off(facts, event):
                continue
            for fold in folds[event.root, span].folds:
                if fold.span in said:
                    continue
                said.add(fold.span)
                change = () if fold.change == fold.span else (Related(fold.change, "changed here"),)
                yield self.found(
                    facts,
                    event,
                    sure(event, fold.path),
                    f"self.{fold.name} has one element: a package computes this once, with its value at the compile",
                    span=fold.span,
                    failing=failing,
                    label="the same in each call",
                    related=(*change, Related(span, "exported here"), Related(event.span, "compiled here")),
                    help=f'compile with inductor_configs={{"{_SETTING}": False}}, '
                    f"or give self.{fold.name} two elements",
                )


def _is_switched_off(facts: Facts, event: CompileEvent) -> bool:
    """Whether the setting may keep the pass from running: a write of it in its process may."""
    return any(write.key == _SETTING and in_its_process(facts, write, event) for write in facts.of(ConfigWrite))
