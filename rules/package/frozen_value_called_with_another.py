"""AOTI604."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule, catches, judge
from aoti_lint.rule.events import CallEvent
from aoti_lint.rule.links import called_archive, capped
from aoti_lint.rule.values import Const, ProgramModule, Value

if TYPE_CHECKING:
    from aoti_lint.rule.contents import Input, Program


class FrozenValueCalledWithAnother(Rule):
    """A program has a Python value for ever that a call gives another value for.

    What happens:
        Numbers, texts and booleans that are no tensors are part of the program with the value of the example. The
        program checks it: `AssertionError: Guard failed: k == 3`. A package compiled from it does not: it computes with
        the value of the example and says nothing.

    Why:
        Export specialises on every input that is no tensor, unless it is an int that `dynamic_shapes` marks.

    Bad:
        # archive: frozen.pt2
        # file: run.py
        import torch

        module = torch.export.load("frozen.pt2").module()
        module(torch.ones(4, 8), 5)  # <- AOTI604

    Good:
        # archive: frozen.pt2
        # file: run.py
        import torch

        module = torch.export.load("frozen.pt2").module()
        module(torch.ones(4, 8), 3)

    How to debug:
        `aoti-lint inspect model.pt2` lists the inputs that are fixed, and their values. Pass the value as a tensor of
        no dimensions (`torch.tensor(5)`) to keep it free.

    Sources:
        Run on torch 2.13 (this project's tests).
        https://docs.pytorch.org/docs/stable/export.html#expressing-dynamism
    """

    code = "AOTI604"
    name = "frozen-value-called-with-another"
    outcome = Outcome.RAISES_AT_CALL

    def on_call(self, facts: Facts, event: CallEvent) -> Iterator[Diagnostic]:
        if not isinstance(event.target, ProgramModule) or catches(event.caught | event.expected, "AssertionError"):
            return
        link = called_archive(facts, event)
        programs = link.archive.data.programs if link is not None else ()
        if link is None or len(programs) != 1:
            return
        for frozen, index in _frozen(programs[0]):
            given = self._given(event, programs[0], frozen, index)
            verdict = judge([given], event.path, partial(_differs, frozen)) if given else None
            if verdict is None or not isinstance(value := verdict[1][0], Const):
                continue
            place = event.arg_spans[index] if index < min(len(event.args), len(event.arg_spans)) else event.span
            yield self.found(
                facts,
                event,
                capped(link, verdict[0]),
                f"{frozen.path} is {value.value!r} here, and {frozen.value!r} for ever in {link.archive.path}: "
                "the call raises",
                span=place,
                label=f"{value.value!r} here",
                notes=link.notes,
                help=f"export again with {frozen.path} as a tensor of no dimensions, or call it with {frozen.value!r}",
                symptom="shape-mismatch",
            )

    @staticmethod
    def _given(event: CallEvent, program: Program, frozen: Input, index: int) -> Value | None:
        """What a call gives for a frozen input."""
        if event.open:
            return None
        return event.args[index] if index < len(event.args) else event.kwargs.get(frozen.path)


def _frozen(program: Program) -> Iterator[tuple[Input, int]]:
    """The frozen inputs that are arguments of their own, with their position."""
    names = program.signature.split(", ") if program.signature is not None else []
    for one in program.inputs:
        if one.frozen and one.kind in ("int", "float", "bool", "str") and one.path in names:
            yield one, names.index(one.path)


def _differs(frozen: Input, values: list[Value]) -> bool | None:
    given = values[0]
    if not isinstance(given, Const) or not isinstance(given.value, int | float | str):
        return None
    return given.value != frozen.value
