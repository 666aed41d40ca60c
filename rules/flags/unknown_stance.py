"""AOTI524."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule, VersionSet, judge
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.values import Const, Value

from ..api._calls import calls

_STANCES = {
    "default": "2.6", "force_eager": "2.6", "eager_on_recompile": "2.6", "fail_on_recompile": "2.6",
    "eager_then_compile": "2.7", "aot_eager_then_compile": "2.7",
}  # fmt: skip
"""The stances, with the first release that has each."""


class UnknownStance(Rule):
    """`torch.compiler.set_stance` is given a text that is no stance.

    What happens:
        `set_stance` itself says nothing. The next call of anything that `torch.compile` made raises `RuntimeError:
        invalid torch.compile stance 'DynamoStance(stance='eager', skip_guard_eval_unsafe=False, backend=None)'`.

    Why:
        The text is looked at when something compiled is called. `force_eager` runs it without compiled code,
        `eager_on_recompile` and `fail_on_recompile` say what happens instead of a recompile, `eager_then_compile` and
        `aot_eager_then_compile` (since torch 2.7) what the first call does.

    Bad:
        import torch

        with torch.compiler.set_stance("eager"):  # <- AOTI524
            print(torch.compile(torch.nn.Linear(8, 4))(torch.randn(2, 8)))

    Good:
        import torch

        with torch.compiler.set_stance("force_eager"):
            print(torch.compile(torch.nn.Linear(8, 4))(torch.randn(2, 8)))

    How to debug:
        `print(torch._dynamo.eval_frame._stance)` shows the stance that holds.

    Sources:
        `torch/_dynamo/eval_frame.py`, `_callback_from_stance`, of the releases 2.6.0 to 2.15.0; run on torch 2.13.
        https://docs.pytorch.org/docs/stable/generated/torch.compiler.set_stance.html
    """

    code = "AOTI524"
    name = "unknown-stance"
    outcome = Outcome.RAISES_AT_CALL

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in calls(facts, "torch.compiler.set_stance"):
            given = event.arg(0, "stance")
            verdict = None if given is None else judge([given], event.path, lambda v, e=event: bool(_failing(e, v[0])))  # type: ignore[misc]
            if verdict is None:
                continue
            name = _text(verdict[1][0])
            near = get_close_matches(str(name), _STANCES, n=1, cutoff=0.5)
            yield self.found(
                facts,
                event,
                verdict,
                f"torch has no stance {name!r}: calls of what torch.compile made raise",
                span=event.place(0, "stance"),
                failing=_failing(event, verdict[1][0]),
                help=f"did you mean {near[0]!r}?" if near else f"the stances are {', '.join(sorted(_STANCES))}",
            )


def _text(value: Value) -> str | None:
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else None


def _failing(event: ApiCall, value: Value) -> VersionSet:
    """The releases that have `set_stance`, and no such stance."""
    name = _text(value)
    if name is None:
        return VersionSet()
    known = VersionSet.since(_STANCES[name]) if name in _STANCES else VersionSet()
    return (event.versions & VersionSet.since("2.6")) - known
