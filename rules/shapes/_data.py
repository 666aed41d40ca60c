"""What a forward asks of the values in tensors, where tracing has none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aoti_lint.rule import Confidence, Facts, VersionSet
from aoti_lint.rule.events import DataUse, Exporting, OnnxExport
from aoti_lint.rule.shapes import non_strict, strict
from aoti_lint.rule.values import Program

from ._guards import judged, refuses, sure

SAID = {
    "truth": "Python asks whether a tensor is true",
    "mask": "the layer asks whether its mask is the causal one, which the values of the mask decide",
    "number": "Python asks something of a number that was read out of a tensor",
    "size": "Python asks for a size that the values of a tensor decide",
    "rounds": "a loop has as many rounds as the values of a tensor say",
    "items": "a list is made with as many items as the values of a tensor say",
    "key": "a list, dict or cache is asked for an item that the values of a tensor decide",
    "promise": "torch._check is given `not`, `and`, `or` or `bool()` of what the values of a tensor decide",
}
"""The questions to Python, by the kind of use."""
HELP = {
    "truth": "write it without Python's question: torch.where(condition, a, b), or torch.cond(condition, f, g, inputs)",
    "mask": "say which mask it is beside it: is_causal=True or False, tgt_is_causal=… for the one of a decoder",
    "number": "leave it in the tensor: torch.where(condition, a, b); or promise what holds with torch._check(…)",
    "size": "do what is right for every size, empty ones too; or promise what holds with torch._check(size > 0)",
    "rounds": "work on the whole tensor at once, or go a fixed number of rounds and mask what is too many",
    "items": "work on the whole tensor at once, and make the list outside of the model",
    "key": "stack the items into one tensor and index that with the tensor",
    "promise": "give it one comparison: != for `not ==`, a call of torch._check for each part of an `and`",
}
HELP_OF_INDEX = "write x.index_copy_(dim, index.view(1), value.unsqueeze(dim)), or index.view(1) as the index"
_CHECKED = VersionSet.since("2.8")
"""The releases whose exports make part of the program what a plain `assert` asks of a number, strict or not."""


def data_uses(
    facts: Facts, exporting: Iterable[Exporting], *kinds: str
) -> Iterator[tuple[Exporting, DataUse, VersionSet, Confidence]]:
    """The first surely reached use of a value in a tensor that raises, if it is of these kinds, in each of the exports.

    With the releases in which it raises: with `strict=True` an assertion becomes part of the program, and a number that
    is read a symbol in it.
    """
    for event, program in judged(exporting):
        if not refuses(event) and "drawn" not in kinds:
            continue
        for use, failing, confidence in sure_uses(event, program):
            if use.kind in kinds:
                yield event, use, failing, confidence
            if use.kind != "drawn":
                break  # it raises there


def sure_uses(event: Exporting, program: Program) -> Iterator[tuple[DataUse, VersionSet, Confidence]]:
    """The surely reached uses of values in tensors, in order, with the releases in which they raise."""
    for use in event.data:
        confidence, failing = sure(event, use), event.versions
        lenient = use.kind == "drawn" and isinstance(event, OnnxExport)  # the first that it tries is not strict
        if use.asserted or (use.kind in ("read", "format", "unseen", "kept", "drawn") and not lenient):
            failing = failing & non_strict(program)
        if use.kind in ("untraced", "place"):
            failing = VersionSet() if isinstance(event, OnnxExport) else failing & strict(program)
        if use.checked and use.kind in ("number", "size"):
            failing -= _CHECKED
        if confidence is not None and failing:
            yield use, failing, confidence
