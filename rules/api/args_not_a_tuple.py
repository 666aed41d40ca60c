"""AOTI214."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule, judge
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.values import Value

from ._calls import EXPORTS, USER_ERROR, WORDS, calls, kind

_WRONG = ("Tensor", "list", "dict", "set", "str", "int", "float", "NoneType")


class ArgsNotATuple(Rule):
    """The example inputs of an export are no tuple.

    What happens:
        `torch._dynamo.exc.UserError: Expecting `args` to be a tuple of example positional inputs, got <class
        'torch.Tensor'>`; a list and a dict are refused too.

    Why:
        `args` is the tuple of positional arguments of `forward`, also if there is only one. `(x)` is no tuple, `(x,)`
        is. What `forward` takes by name goes to `kwargs`.

    Bad:
        import torch

        model, x = torch.nn.Linear(10, 2).eval(), torch.randn(8, 10)
        torch.export.export(model, (x))  # <- AOTI214

    Bad:
        import torch

        model, x = torch.nn.Linear(10, 2).eval(), torch.randn(8, 10)
        torch.export.export(model, {"input": x})  # <- AOTI214

    Good:
        import torch

        model, x = torch.nn.Linear(10, 2).eval(), torch.randn(8, 10)
        torch.export.export(model, (x,))
        torch.export.export(model, (), {"input": x})

    How to debug:
        `model(*args, **kwargs)` is what the export runs: try that line with the same values.

    Sources:
        `torch/export/_trace.py`, line 1431, of release 2.13.0; the same check in all releases from 2.4.1 to 2.15.0.
        Run on torch 2.13, with `strict=True` and without.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI214"
    name = "args-not-a-tuple"
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in calls(facts, *EXPORTS, raising=USER_ERROR):
            given = event.arg(1, "args")
            verdict = None if given is None else judge([given], event.path, partial(_is_no_tuple, event))
            if verdict is None:
                continue
            confidence, (value,) = verdict
            what = kind(event, value)
            yield self.found(
                facts,
                event,
                confidence,
                f"the example inputs are {WORDS[what]}, and must be a tuple: the export raises",
                span=event.place(1, "args"),
                label=WORDS[what],
                help=_help(what),
            )


def _is_no_tuple(event: ApiCall, values: list[Value]) -> bool | None:
    return kind(event, values[0]) in _WRONG


def _help(what: str) -> str:
    if what == "dict":
        return "give it by name: torch.export.export(model, (), kwargs={…})"
    if what == "NoneType":
        return "write () for no positional inputs"
    return "write tuple(…)" if what in ("list", "set") else "write (x,) for one input: the comma makes the tuple"
