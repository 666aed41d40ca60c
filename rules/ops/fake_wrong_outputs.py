"""AOTI407."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Path, Related, Rule, Severity
from aoti_lint.rule.ops import LISTED, count_of
from aoti_lint.rule.trials import OpTrial, Trial, is_given
from aoti_lint.rule.values import NONE, Const, Size, Tensor, Tup, Value, leaves

from ._trials import TRIED, fakes, name_of, of_kind, output, place

NUMBERS = frozenset({"int", "float", "bool", "SymInt"})
"""Types of outputs that are numbers."""


class FakeWrongOutputs(Rule):
    """The fake of a custom op returns another number of outputs than the op has, or others than tensors.

    What happens:
        Export raises far away from the fake: `TypeError: unsupported operand type(s) for +: 'NoneType' and 'int'`,
        `ValueError: not enough values to unpack`, `RuntimeError: Unable to cast …`. Where the op returns a list and
        the fake one of another length, the package raises at its first call: `Mismatch between tensors consumed and
        num_tensors`. A None among several outputs stands there in the place of the tensor, without a word: what the
        program or the compiled model then gives is None. AOTInductor ends with an `AssertionError` of no text.

    Why:
        What the fake returns stands for what the kernel returns, one for one: a tensor for a tensor, and a list where
        the op returns one.

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
            found = None if span in told else _of_op(event, trial) or _of_kernel(facts, event)
            if found is None:
                continue
            told.add(span)
            related = [Related(event.span, "the fake is registered here")]
            if event.kernel is not None:
                related.append(Related(place(event.kernel.func), "the kernel"))
            yield self.found(
                facts,
                event,
                found.confidence,
                f"the fake of {name_of(event)} returns {found.said}; {found.real}",
                span=span,
                label=f"returns {found.said}",
                related=tuple(related),
                help=found.advice or f"return {found.wanted} with the sizes, dtype and device of the kernel's result",
                outcome=found.outcome,
                symptom="export-error" if found.outcome is self.outcome else "wrong-result",
            )


class _Wrong(NamedTuple):
    """What a fake returns, what there is in its place, what it should return, and how sure it is."""

    said: str
    real: str
    wanted: str
    confidence: Confidence
    outcome: Outcome = Outcome.RAISES_AT_EXPORT
    advice: str = ""


def _of_op(event: OpTrial, trial: Trial) -> _Wrong | None:
    """What the fake returns and no op of this kind can."""
    if trial.value is None or event.returns is None:
        return None
    # An optional argument that is handed back is None where it was not given: that it is handed back is AOTI408.
    found = [(p, v) for p, v in leaves(trial.value) if v != NONE or not any(c.key[0] == "given" for c in p)]
    misfits = [(path, leaf) for path, leaf in found if not _fits(leaf, event.returns)]
    wrong = [(p, leaf) for p, leaf in misfits if leaf != NONE or len(found) == len(misfits) or not _is_left_over(p)]
    if not wrong:
        return None
    asked = all(is_given(c) for path, _ in wrong for c in path)
    sure = Confidence.LIKELY if len(wrong) == len(found) or asked else Confidence.POSSIBLE
    wanted = _wanted(event.returns)
    if event.outputs == LISTED or _count(wrong[0][1]) == event.outputs:
        return _Wrong(_kind(wrong[0][1]), f"the op returns {wanted}", wanted, sure)
    said = _count(wrong[0][1])
    given = (
        None
        if event.kernel is None or event.kernel.value is None
        else {_count(leaf) for _, leaf in leaves(event.kernel.value)}
    )
    advice = ""
    if said > 1 and given == {said}:  # what is wrong is the schema
        advice = f"declare what kernel and fake give, -> ({', '.join(['Tensor'] * said)}) in the schema"
    return _Wrong(_outputs(said), f"the op has {event.outputs}", wanted, sure, advice=advice)


def _of_kernel(facts: Facts, event: OpTrial) -> _Wrong | None:
    """What the fake returns where the kernel returns something else."""
    for one in of_kind(facts, event, "count", "no tensor"):
        if one.kind == "no tensor":
            given = f"{_kind(one.fake)} for {output(one, event)}"
            outcome = Outcome.RAISES_AT_EXPORT if event.outputs == 1 else Outcome.SILENTLY_WRONG
            return _Wrong(given, "the kernel gives a tensor", "a tensor", one.confidence, outcome)
        said, real = (getattr(value, "value", 0) for value in (one.fake, one.kernel))
        if event.returns is not None and (event.outputs != LISTED or not said):
            continue  # of that, the op itself says how many there are
        wanted = f"{real} tensor{'s' * (real != 1)}"
        return _Wrong(_outputs(said), f"the kernel gives {real}", wanted, one.confidence)
    return None


def _fits(value: Value, returns: tuple[str, ...]) -> bool:
    """Whether torch can take a value for the outputs of an op, as far as that is known."""
    if isinstance(value, Tup):
        return (len(value.items) == len(returns) and returns != ("Tensor",)) or count_of(returns) == LISTED
    if value == NONE:
        return not returns or returns[0].endswith("?")
    if isinstance(value, Tensor):
        return returns == ("Tensor",) or (len(returns) == 1 and returns[0] not in (*NUMBERS, "Tensor[]"))
    number = isinstance(value, Size) or (isinstance(value, Const) and isinstance(value.value, int | float))
    return not number or returns not in (("Tensor",), ("Tensor[]",))


def _kind(value: Value) -> str:
    """What a value is, in words."""
    if isinstance(value, Tup):
        return "a tuple or list"
    return "a tensor" if isinstance(value, Tensor) else "None" if value == NONE else "a number"


def _wanted(returns: tuple[str, ...]) -> str:
    """What an op has to return, in words."""
    if count_of(returns) == LISTED:
        return "a list of tensors"
    if len(returns) == 1:
        return "a number" if returns[0] in NUMBERS else "1 tensor"
    return f"{len(returns)} tensors"


def _outputs(count: int) -> str:
    return f"{count} output{'s' * (count > 1)}" if count else "nothing"


def _is_left_over(path: Path) -> bool:
    """Whether a path is what `if mode == 0: … elif mode == 1: …` leaves over, which no call may ever take."""
    return len(path) > 1 and not any(path.values()) and all({"eq", "=="} & {*c.key[:2]} for c in path)


def _count(value: Value) -> int:
    """The outputs in what a fake returned."""
    return len(value.items) if isinstance(value, Tup) else int(value != NONE)
