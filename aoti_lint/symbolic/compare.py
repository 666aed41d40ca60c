"""Where what a fake says of the outputs is not what the kernel gives, on the same arguments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from aoti_lint.diagnostics import Confidence
from aoti_lint.interp.conditions import Cond, decide
from aoti_lint.interp.judge import conditions
from aoti_lint.interp.op_parameters import SAME_IN_EVERY_CALL
from aoti_lint.interp.shapes import settled
from aoti_lint.interp.symbols import ROOTS, Expr, equal, has_size, roots
from aoti_lint.interp.values import Const, Device, Tensor, Unknown, Value, expr_of, ident
from aoti_lint.symbolic.trial import DEVICE, Trial, outputs

MAX_CASES = 64
_OF_ARGUMENTS = re.compile(r"(?<![?\w])arg\d+\b")
_OF_KIND = re.compile(r"\?arg\d|device of the arguments|^\('truthy', 'tensor:")

Kind = Literal["dtype", "device", "rank", "size", "data size", "count"]


@dataclass(frozen=True, slots=True)
class Difference:
    """Output `index` (and there dimension `dim`) differs. `fake` and `kernel` are the dtypes, devices or sizes."""

    kind: Kind
    index: int
    dim: int
    fake: Value
    kernel: Value
    fake_tensor: Tensor | None
    kernel_tensor: Tensor | None
    confidence: Confidence


def is_given(cond: Cond) -> bool:
    """Whether a plain argument answers a question, and not a dtype, a device, or something outside."""
    key = repr(cond.key)
    return _OF_ARGUMENTS.search(key) is not None and _OF_KIND.search(key) is None


def differences(fake: Trial, kernel: Trial) -> list[Difference]:
    """Every kind of difference once for each output, with how sure it is.

    Only those that are there whatever is not known, or that what the caller gives decides: where something else decides
    which of its results a kernel returns, the fake may know that only one of them comes here.
    """
    if fake.value is None or kernel.value is None:
        return []
    cases = list(_cases(fake.value, kernel.value))
    found: dict[tuple[Kind, int, int], list[tuple[Difference, bool]]] = {}
    for answers, one, other in cases:
        for difference in _between(one, other, fake, kernel):
            plain = all(map(is_given, answers))
            found.setdefault((difference.kind, difference.index, difference.dim), []).append((difference, plain))
    result = []
    for seen in found.values():
        if len(seen) == len(cases) or all(plain for _, plain in seen):
            result.append(min((d for d, _ in seen), key=lambda d: d.confidence != Confidence.POSSIBLE))
    return result


def _cases(one: Value, other: Value) -> Iterator[tuple[dict[Cond, bool], Value, Value]]:
    """Every way the questions that both depend on can be answered."""
    todo: list[dict[Cond, bool]] = [{}]
    count = 0
    while todo and count < MAX_CASES:
        answers = todo.pop()
        left, right = settled(one, answers), settled(other, answers)
        asked = next((c for v in (left, right) for c in conditions(v) if decide(c, answers) is None), None)
        if asked is None:
            count += 1
            yield answers, left, right
        else:
            todo += [{**answers, asked: False}, {**answers, asked: True}]


def _between(one: Value, other: Value, fake: Trial, kernel: Trial) -> Iterator[Difference]:
    said, real = outputs(one), outputs(other)
    if _unreadable(one) or _unreadable(other):
        return
    if len(said) != len(real):
        yield Difference("count", 0, 0, Const(len(said)), Const(len(real)), None, None, Confidence.LIKELY)
        return
    for index, (a, b) in enumerate(zip(said, real, strict=True)):
        if isinstance(a, Tensor) and isinstance(b, Tensor):
            # A kernel that hands an argument back is at fault itself, or stands for one that is elsewhere.
            handed = b.key in dict(kernel.ranks)
            for found in _of_tensors(index, a, b, fake, kernel):
                yield replace(found, confidence=Confidence.POSSIBLE) if handed else found


def _unreadable(value: Value) -> bool:
    return isinstance(value, Unknown)


def _of_tensors(index: int, a: Tensor, b: Tensor, fake: Trial, kernel: Trial) -> Iterator[Difference]:
    def made(kind: Kind, dim: int, one: Value, other: Value) -> Difference:
        return Difference(kind, index, dim, one, other, a, b, Confidence.LIKELY)

    if a.dtype is not None and b.dtype is not None and a.dtype != b.dtype and not _may_agree(a.dtype, b.dtype):
        asked = {a.dtype[1:], b.dtype[1:]} & (kernel.watch.dtypes_asked | fake.watch.dtypes_asked)
        difference = made("dtype", 0, Const(a.dtype), Const(b.dtype))
        yield replace(difference, confidence=Confidence.POSSIBLE) if asked else difference
    if _differ(a.device, b.device):
        # A kernel that works on one device alone, with numpy say, is only ever given tensors that are there.
        only = isinstance(b.device, Device) and not isinstance(a.device, Device)
        yield replace(
            made("device", 0, a.device, b.device), confidence=Confidence.POSSIBLE if only else Confidence.LIKELY
        )
    if a.shape is None or b.shape is None:
        return
    if len(a.shape) != len(b.shape):
        yield made("rank", 0, Const(len(a.shape)), Const(len(b.shape)))
        return
    swapped = Counter(map(expr_of, a.shape)) == Counter(map(expr_of, b.shape))
    for dim, (one, other) in enumerate(zip(a.shape, b.shape, strict=True)):
        if isinstance(other, Unknown) and other.key in kernel.watch.data_sizes:
            if expr_of(one)[0] != "other":
                yield made("data size", dim, one, other)
        elif equal(expr_of(one), expr_of(other)) is False:
            # The same sizes in another order: all of them would have to be the same.
            sure = Confidence.LIKELY if swapped else _certainty(expr_of(one), expr_of(other), fake.names)
            yield replace(made("size", dim, one, other), confidence=sure)


CUSTOMARY = frozenset({0, 1, 2, 3, 4, 6, 9})
"""Numbers that a dimension is for what it stands for: coordinates, quaternions, a virial."""


def _certainty(fake: Expr, kernel: Expr, names: dict[str, str]) -> Confidence:
    """How sure it is that two sizes that are worked out in other ways are not the same by agreement.

    `names` are those of the arguments, by their keys.
    """
    if unifiable(fake, kernel):
        return Confidence.POSSIBLE
    for one, other in ((fake, kernel), (kernel, fake)):
        if one[0] == "const" and other[0] == "dim":
            fixed = SAME_IN_EVERY_CALL.match(names.get(other[1], ""))
            if fixed or (other[2] > 0 and one[1] in CUSTOMARY):
                return Confidence.POSSIBLE
    mine, theirs = ({root[1] for root in roots(e)} for e in (fake, kernel))
    return Confidence.POSSIBLE if mine and theirs and not mine & theirs else Confidence.LIKELY


def unifiable(one: Expr, other: Expr) -> bool:
    """Whether two expressions are the same where sizes of different arguments are."""
    if one == other:
        return True
    if one[0] in ROOTS and other[0] in ROOTS:
        return not (one[0] == other[0] == "dim" and one[1] == other[1])
    if "arg" in (one[0], other[0]):
        return True
    alike = one[0] == other[0] and one[0] not in (*ROOTS, "const") and len(one) == len(other)
    return alike and all(unifiable(a, b) for a, b in zip(one[1:], other[1:], strict=True))


def _may_agree(one: str, other: str) -> bool:
    """Two dtypes that are those of two arguments may be the same one."""
    return one.startswith("?") and other.startswith("?")


def _differ(one: Value, other: Value) -> bool:
    known = (Device,)
    if isinstance(one, known) and isinstance(other, known):
        return one.type != other.type
    return (isinstance(one, Device) and ident(other) == ident(DEVICE)) or (
        isinstance(other, Device) and ident(one) == ident(DEVICE)
    )


def as_called(difference: Difference, inputs: set[tuple[str | None, Value]]) -> bool:
    """Whether a dtype or device is right for every call of the op that was seen, though not for others."""
    if not inputs or isinstance(difference.kernel, Const) != (difference.kind == "dtype"):
        return False
    if difference.kind == "dtype":
        said = getattr(difference.fake, "value", None)
        return all(dtype == said for dtype, _ in inputs)
    return all(isinstance(d, Device) and isinstance(difference.fake, Device) and d.type == difference.fake.type
               for _, d in inputs)  # fmt: skip


def hard_coded(difference: Difference) -> bool:
    """Whether the fake has a number where the kernel has a size of an input."""
    return isinstance(difference.fake, Const) and has_size(expr_of(difference.kernel))
