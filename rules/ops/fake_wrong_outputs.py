"""AOTI407."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Path, Related, Rule, Severity
from aoti_lint.rule.ops import LISTED
from aoti_lint.rule.trials import OpTrial, Trial, is_given
from aoti_lint.rule.values import NONE, Tensor, Tup, Value, leaves

from ._trials import TRIED, fakes, name_of, of_kind, place


class FakeWrongOutputs(Rule):
    """The fake of a custom op returns another number of outputs than the op has, or nothing.

    What happens:
        Export raises far away from the fake: `TypeError: unsupported operand type(s) for +: 'NoneType' and 'int'`,
        `ValueError: not enough values to unpack`, `RuntimeError: Unable to cast …`.

    Why:
        What the fake returns stands for what the kernel returns, one for one.

    Bad:
        import torch

        @torch.library.custom_op("mylib::halves", mutates_args=())
        def halves(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            return x / 2, x * 0.5

        @halves.register_fake
        def _(x):  # <- AOTI407
            return torch.empty_like(x)

    Good:
        import torch

        @torch.library.custom_op("mylib::halves", mutates_args=())
        def halves(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            return x / 2, x * 0.5

        @halves.register_fake
        def _(x):
            return torch.empty_like(x), torch.empty_like(x)

    How to debug:
        Call the fake with a tensor and print what it gives.

    Sources:
        Run on torch 2.13.
        https://docs.pytorch.org/tutorials/advanced/python_custom_ops.html
    """

    code = "AOTI407"
    name = "fake-wrong-outputs"
    severity = Severity.WARNING
    outcome = Outcome.RAISES_AT_EXPORT
    doubt = TRIED

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told = set()
        for event, trial in fakes(facts):
            span = place(trial.func)
            found = _counted(facts, event, trial)
            if found is None or span in told:
                continue
            said, real, confidence = found
            told.add(span)
            given = "nothing" if said == 0 else f"{said} output{'s' * (said > 1)}"
            has = "returns a list" if real == LISTED else f"has {real}"
            wanted = "a list of tensors" if real == LISTED else f"{real} tensor{'s' * (real != 1)}"
            related = [Related(event.span, "the fake is registered here")]
            if event.kernel is not None:
                related.append(Related(place(event.kernel.func), "the kernel"))
            yield self.found(
                facts,
                event,
                confidence,
                f"the fake of {name_of(event)} returns {given}; the op {has}",
                span=span,
                label=f"returns {given}",
                related=tuple(related),
                help=f"return {wanted} with the sizes, dtype and device of the kernel's result",
                symptom="export-error",
            )


def _counted(facts: Facts, event: OpTrial, trial: Trial) -> tuple[int, int, Confidence] | None:
    """How many outputs the fake gives and the op has, where that is not the same, and how sure it is."""
    if trial.value is None:
        return None
    if event.outputs is not None:
        # An optional argument that is handed back is None where it was not given: that it is handed back is AOTI408.
        found = [(p, v) for p, v in leaves(trial.value) if v != NONE or not any(c.key[0] == "given" for c in p)]
        counts = [(path, _count(leaf)) for path, leaf in found]
        if event.outputs == LISTED:
            wrong = [(path, 0) for path, leaf in found if leaf == NONE]
        else:
            wrong = [(path, n) for path, n in counts if n is not None and n != event.outputs]
        wrong = [(path, n) for path, n in wrong if n or len(found) == len(wrong) or not _is_left_over(path)]
        if wrong:
            asked = all(is_given(c) for path, _ in wrong for c in path)
            sure = len(wrong) == len(counts) or asked
            return wrong[0][1] or 0, event.outputs, Confidence.LIKELY if sure else Confidence.POSSIBLE
        return None
    for difference in of_kind(facts, event, "count"):
        said, real = (getattr(v, "value", 0) for v in (difference.fake, difference.kernel))
        return said, real, difference.confidence
    return None


def _is_left_over(path: Path) -> bool:
    """Whether a path is what `if mode == 0: … elif mode == 1: …` leaves over, which no call may ever take."""
    return len(path) > 1 and not any(path.values()) and all({"eq", "=="} & {*c.key[:2]} for c in path)


def _count(value: Value) -> int | None:
    """The outputs in what a fake returned; None where it cannot be told."""
    if isinstance(value, Tup):
        return len(value.items)
    if isinstance(value, Tensor):
        return 1
    return 0 if value == NONE else None
