"""AOTI214."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule, Span, VersionSet, judge
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.values import NONE, Value

from ..flags._compile import is_given, keyword
from ._calls import EXPORTS, ONNX_ERROR, USER_ERROR, WORDS, calls, exports_to_onnx, kind

_WHOLE = "write (inputs,) where forward takes the dict as one argument; or give each entry by name: "
ONNX_HELP = f"{_WHOLE}torch.onnx.export(model, (), path, kwargs=inputs)"
_WRONG = ("Tensor", "list", "dict", "set", "str", "int", "float", "NoneType")


class ArgsNotATuple(Rule):
    """The example inputs of an export are no tuple, or those by name no dict.

    What happens:
        `torch._dynamo.exc.UserError: Expecting `args` to be a tuple of example positional inputs, got <class
        'torch.Tensor'>`; a list and a dict are refused too. `torch.onnx.export`, since it is one of `torch.export`,
        takes a tensor, and refuses a list in the same words unless `dynamic_axes` are given; for a dict it raises
        `KeyError: -1`. `kwargs` that are no dict: `TypeError: inspect.Signature.bind() argument after ** must be a
        mapping, not tuple`.

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
        torch.export.export(model, (x,), ())  # <- AOTI214

    Bad:
        import torch

        model, x = torch.nn.Linear(10, 2).eval(), torch.randn(8, 10)
        torch.onnx.export(model, [x], "linear.onnx")  # <- AOTI214

    Good:
        import torch

        model, x = torch.nn.Linear(10, 2).eval(), torch.randn(8, 10)
        torch.export.export(model, (x,))
        torch.export.export(model, (), {"input": x})

    Good:
        import torch

        model, x = torch.nn.Linear(10, 2).eval(), torch.randn(8, 10)
        torch.onnx.export(model, [x], "linear.onnx", input_names=["x"], dynamic_axes={"x": {0: "batch"}})

    How to debug:
        `model(*args, **kwargs)` is what the export runs: try that line with the same values.

    Sources:
        `torch/export/_trace.py`, line 1431, of release 2.13.0; the same check in all releases from 2.4.1 to 2.15.0.
        Run on torch 2.13, with `strict=True` and without; `torch.onnx.export` with seven kinds of arguments.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI214"
    name = "args-not-a-tuple"
    of_releases = True
    outcome = Outcome.RAISES_AT_EXPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in calls(facts, *EXPORTS, raising=USER_ERROR):
            yield from self._refused(facts, event, event.versions, _WRONG)
            yield from self._by_name(facts, event, event.versions, event.place(2, "kwargs"), event.arg(2, "kwargs"))
        for event, failing in exports_to_onnx(facts, *ONNX_ERROR):
            yield from self._refused(facts, event, failing, ("list", "dict"), ONNX_HELP, keyword(event, "dynamic_axes"))
            given = event.arg(None, "kwargs")
            yield from self._by_name(facts, event, failing, event.place(None, "kwargs"), given)

    def _by_name(
        self, facts: Facts, event: ApiCall, failing: VersionSet, place: Span, given: Value | None
    ) -> Iterator[Diagnostic]:
        """What is wrong with the inputs by name."""
        wrong = ("tuple", "list", "set", "Tensor")
        verdict = None if given is None else judge([given], event.path, lambda values: kind(event, values[0]) in wrong)
        if verdict is None or not failing:
            return
        confidence, (value,) = verdict
        what = WORDS[kind(event, value)]
        yield self.found(
            facts,
            event,
            confidence,
            f"the example inputs by name are {what}, and must be a dict: the export raises",
            span=place,
            failing=failing,
            label=what,
            help='write {"name": x}, with the names of the parameters of forward',
        )

    def _refused(
        self,
        facts: Facts,
        event: ApiCall,
        failing: VersionSet,
        kinds: tuple[str, ...],
        by_name: str = "",
        axes: Value = NONE,
    ) -> Iterator[Diagnostic]:
        """With `dynamic_axes`, torch makes a tuple of a list as it makes dynamic shapes of them."""

        def fails(values: list[Value]) -> bool | None:
            what = kind(event, values[0])
            has_axes = is_given(values[1]) if what == "list" else False
            return None if has_axes is None else not has_axes and what in kinds

        given = event.arg(1, "args")
        verdict = None if given is None else judge([given, axes], event.path, fails)
        if verdict is None or not failing:
            return
        confidence, (value, _) = verdict
        what = kind(event, value)
        yield self.found(
            facts,
            event,
            confidence,
            f"the example inputs are {WORDS[what]}, and must be a tuple: the export raises",
            span=event.place(1, "args"),
            failing=failing,
            label=WORDS[what],
            help=by_name if by_name and what == "dict" else _help(what),
        )


def _help(what: str) -> str:
    if what == "dict":
        return f"{_WHOLE}torch.export.export(model, (), kwargs=inputs)"
    if what == "NoneType":
        return "write () for no positional inputs"
    if what == "list":
        return "write tuple(…), or ([…],) where forward takes the list as one argument"
    return "write tuple(…)" if what == "set" else "write (x,) for one input: the comma makes the tuple"
