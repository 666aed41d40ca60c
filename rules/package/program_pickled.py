"""AOTI618."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, Severity, VersionSet, catches, judge
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.values import Pairs, Value

from ..api._calls import calls, kind

_SAVE = "torch.save"
_SINCE = {"Program": VersionSet.since("2.5"), "ProgramModule": VersionSet.since("2.8")}
"""Releases that were run or read."""

_MODULE = "torch.save cannot write what .module() of a program gives: it raises"
_PROGRAM = "a program that torch.save wrote cannot be run again: to load it raises, or .module() of what is loaded"


class ProgramPickled(Rule):
    """An exported program, or the module of one, is written by `torch.save`.

    What happens:
        `torch.save` writes a program, and nothing reads it again: `torch.load(path, weights_only=False)` raises
        `TypeError: _ModuleStackTracer.__init__() missing 1 required positional argument: 'scope_root'`. A program that
        came from `torch.export.load` is read, and its `.module()` raises `KeyError: 'val'`. Of what `program.module()`
        gives, `torch.save` itself raises `AttributeError: Can't pickle local object
        '_create_stateful_graph_module.<locals>.<lambda>'`.

    Why:
        A graph is pickled with the class that traced it, and is traced by that again when it is loaded. The tracer of
        `torch.export` cannot be made so. `torch.export.save` writes the graph itself.

    Bad:
        import torch

        program = torch.export.export(torch.nn.Linear(8, 4).eval(), (torch.ones(2, 8),))
        torch.save(program, "linear.pt")  # <- AOTI618

    Good:
        import torch

        program = torch.export.export(torch.nn.Linear(8, 4).eval(), (torch.ones(2, 8),))
        torch.export.save(program, "linear.pt2")
        run = torch.export.load("linear.pt2").module()

    How to debug:
        Load the file right after it is written: `torch.load(path, weights_only=False)`.

    Sources:
        `torch/fx/graph_module.py` (`_deserialize_graph_module`) of releases 2.5.1, 2.8.0 and 2.13.0; run on torch 2.13:
        programs with and without `strict=True`, after `run_decompositions()`, in a dict, and loaded ones.
        https://docs.pytorch.org/docs/stable/export.html#torch.export.save
    """

    code = "AOTI618"
    name = "program-pickled"
    outcome = Outcome.RAISES_AT_LOAD

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in calls(facts, _SAVE):
            given = event.arg(0, "obj")
            for what, versions in _SINCE.items():
                failing = event.versions & versions
                verdict = None if given is None else judge([given], event.path, partial(_is, event, what))
                if verdict is None or not failing:
                    continue
                module = what == "ProgramModule"
                if module and catches(event.caught | event.expected, "AttributeError"):
                    continue
                sure = verdict[0] if module else Confidence.LIKELY
                yield self.found(
                    facts,
                    event,
                    sure,
                    _MODULE if module else _PROGRAM,
                    span=event.place(0, "obj"),
                    failing=failing,
                    severity=Severity.ERROR if module else Severity.WARNING,
                    outcome=Outcome.RAISES if module else self.outcome,
                    doubt=self.doubt if module else "nothing is known to load the file",
                    label="the module of a program" if module else "an ExportedProgram",
                    help="torch.export.save(program, path) writes the program; torch.export.load(path) reads it",
                )


def _is(event: ApiCall, what: str, values: list[Value]) -> bool | None:
    held = [value for _, value in values[0].pairs] if isinstance(values[0], Pairs) else values
    return any(kind(event, value).removeprefix("Loaded") == what for value in held)
