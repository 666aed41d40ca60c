"""AOTI205."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule, judge
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.values import Value

from ._calls import WORDS, calls, kind

_WRONG = ("Module", "Program", "LoadedProgram", "Func", "Bound", "Class")


class AotCompileWantsAGraph(Rule):
    """`torch._inductor.aot_compile` is given something that has no graph of its own to compile.

    What happens:
        For a model it raises `AttributeError: 'Net' object has no attribute 'graph'`, for an exported program a bare
        `AssertionError` that prints the whole program.

    Why:
        It takes a `torch.fx.GraphModule`: what `program.module()` gives. The example in the documentation of
        `aoti_compile_and_package` gives it the program, which no release accepts.

    Bad:
        import torch

        model, x = torch.nn.Linear(10, 2).eval(), torch.randn(8, 10)
        so = torch._inductor.aot_compile(model, (x,))  # <- AOTI205

    Bad:
        import torch

        model, x = torch.nn.Linear(10, 2).eval(), torch.randn(8, 10)
        program = torch.export.export(model, (x,))
        so = torch._inductor.aot_compile(program, (x,))  # <- AOTI205

    Good:
        import torch

        model, x = torch.nn.Linear(10, 2).eval(), torch.randn(8, 10)
        program = torch.export.export(model, (x,))
        so = torch._inductor.aot_compile(program.module(), (x,))

    How to debug:
        For one model, `torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")` does all of it.

    Sources:
        `torch/_inductor/__init__.py`, `aot_compile`, of the releases 2.4.1 to 2.15.0; run on torch 2.13.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI205"
    name = "aot-compile-wants-a-graph"
    outcome = Outcome.RAISES_AT_COMPILE

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in calls(facts, "torch._inductor.aot_compile", raising=("AttributeError", "AssertionError")):
            given = event.arg(0, "gm")
            verdict = None if given is None else judge([given], event.path, partial(_has_no_graph, event))
            if verdict is None:
                continue
            confidence, (value,) = verdict
            what = kind(event, value)
            program = what in ("Program", "LoadedProgram")
            yield self.found(
                facts,
                event,
                confidence,
                f"aot_compile takes a GraphModule and is given {WORDS[what]}: it raises",
                span=event.place(0, "gm"),
                label=WORDS[what],
                help="give it program.module()"
                if program
                else "export it first: torch.export.export(model, args).module()",
            )


def _has_no_graph(event: ApiCall, values: list[Value]) -> bool | None:
    return kind(event, values[0]) in _WRONG
