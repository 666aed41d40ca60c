"""Where what a fake says of the outputs is not what the kernel gives, on the same arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal

from aoti_lint.diagnostics import Confidence
from aoti_lint.lazily.dataclass import dataclass, replace
from aoti_lint.lazily.regex import regex
from aoti_lint.models.ops.op_parameters import SAME_IN_EVERY_CALL
from aoti_lint.tracing.questions import is_open
from aoti_lint.tracing.strides import strides
from aoti_lint.tracing.trials.trial import DEVICE, Trial, outputs
from aoti_lint.values.assumptions import closed, holds
from aoti_lint.values.choices import leaves
from aoti_lint.values.conditions import Cond, decide
from aoti_lint.values.identity import expr_of, ident
from aoti_lint.values.judge import conditions
from aoti_lint.values.sizes.shapes import settled
from aoti_lint.values.sizes.symbols import ROOTS, Expr, equal, has_size, is_known, replaced, unified
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import TRUE, Const, Size, Tup, Unknown, Value

MAX_CASES = 64
_OF_ARGUMENTS = regex(r"(?<![?\w])arg\d+\b")
_OF_KIND = regex(r"\?arg\d|device of the arguments|^\('truthy', 'tensor:")

Kind = Literal["dtype", "device", "rank", "size", "data size", "count", "no tensor", "strides"]
"""In what the outputs of a fake and a kernel differ."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Output `index` (and there dimension `dim`) differs. `fake` and `kernel` are the dtypes, devices, sizes or all
    strides. Where it hangs on how the op is called, `call` has dimensions and dtype of each tensor, by its key.
    `in_numbers`: the sizes are those in a call, and may be the same in others."""

    kind: Kind
    index: int
    dim: int
    fake: Value
    kernel: Value
    fake_tensor: Tensor | None
    kernel_tensor: Tensor | None
    confidence: Confidence
    call: tuple[tuple[str, int, str | None], ...] = ()
    in_numbers: bool = False


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
    cases = list(_cases(fake, kernel))
    found: dict[tuple[Kind, int, int], dict[int, Difference]] = {}
    for number, (_, one, other) in enumerate(cases):
        for difference in _between(one, other, fake, kernel):
            found.setdefault((difference.kind, difference.index, difference.dim), {})[number] = difference
    ways = _but_for_sizes([answers for answers, _, _ in cases], fake, kernel) if found else []
    result = []
    for seen in found.values():
        if len(seen) == len(cases) or all(is_given(cond) for number in seen for cond in cases[number][0]):
            least = min(seen.values(), key=lambda d: d.confidence != Confidence.POSSIBLE)
            fitting = [way for number, way in enumerate(ways) if number not in seen]
            if all(ways[number] in fitting for number in seen):
                least = replace(least, confidence=Confidence.POSSIBLE)
            result.append(least)
    return result


def _but_for_sizes(cases: list[dict[Cond, bool]], *trials: Trial) -> list[dict[Cond, bool]]:
    """Of each case the answers that do not hang on the sizes of tensors alone.

    For other sizes a kernel works in another way, and gives the same: where the fake fits what it does for some, its
    author may know that both ways come to that.
    """
    questions = {cond: asked for trial in trials for cond, asked in trial.watch.questions.items()}

    def of_sizes(cond: Cond) -> bool:
        asked = questions.get(cond)
        return asked is not None and all(root[0] == "dim" for one in (asked.left, asked.right) for root in one.roots)

    return [{cond: answer for cond, answer in answers.items() if not of_sizes(cond)} for answers in cases]


def _cases(fake: Trial, kernel: Trial) -> Iterator[tuple[dict[Cond, bool], Value, Value]]:
    """Every way the questions that the values of both depend on can be answered where neither raises."""
    assert fake.value is not None
    assert kernel.value is not None
    one, other = fake.value, kernel.value
    held = closed(fake.watch.agreements.answers | kernel.watch.agreements.answers, {})
    todo = [held]
    count = 0
    while todo and count < MAX_CASES:
        answers = todo.pop()
        left, right = _settled(one, answers), _settled(other, answers)
        asked = next((c for v in (left, right) for c in _asked(v) if decide(c, answers) is None), None)
        if asked is None:
            if TRUE in (settled(fake.raises, answers), settled(kernel.raises, answers)):
                continue
            count += 1
            yield {cond: answer for cond, answer in answers.items() if cond not in held}, left, right
        else:
            todo += filter(holds, [closed({**answers, asked: answer}, answers) for answer in (False, True)])


def _settled(value: Value, answers: dict[Cond, bool]) -> Value:
    """What was returned as far as the answers decide it, down to the sizes of tensors."""
    seen = settled(value, answers)
    if isinstance(seen, Tup):
        return replace(seen, items=tuple(_settled(item, answers) for item in seen.items))
    if not isinstance(seen, Tensor):
        return seen
    shape = None if seen.shape is None else tuple(settled(size, answers) for size in seen.shape)
    return replace(seen, shape=shape, device=settled(seen.device, answers))


def _asked(value: Value) -> Iterator[Cond]:
    """The questions that what was returned depends on."""
    yield from conditions(value)
    for _, whole in leaves(value):
        for one in whole.items if isinstance(whole, Tup) else (whole,):
            for _, leaf in leaves(one):
                if isinstance(leaf, Tensor):
                    yield from (cond for part in (leaf.device, *(leaf.shape or ())) for cond in conditions(part))


def _between(one: Value, other: Value, fake: Trial, kernel: Trial) -> Iterator[Difference]:
    said, real = outputs(one), outputs(other)
    if _unreadable(one) or _unreadable(other):
        return
    if len(said) != len(real):
        yield Difference("count", 0, 0, Const(len(said)), Const(len(real)), None, None, Confidence.LIKELY)
        return
    for index, (a, b) in enumerate(zip(said, real, strict=True)):
        if isinstance(a, Const | Size) and isinstance(b, Tensor):
            yield Difference("no tensor", index, 0, a, b, None, b, Confidence.LIKELY)
        if isinstance(a, Tensor) and isinstance(b, Tensor):
            if b.shape is not None and Const(0) in b.shape:
                continue  # It says so that there is no result this time.
            # A kernel that hands an argument back is at fault itself, or stands for one that is elsewhere.
            handed = b.key in dict(kernel.ranks)
            differences = list(_of_tensors(index, a, b, fake, kernel))
            if not any(d.kind in ("rank", "size", "data size") for d in differences):
                differences += _of_layouts(index, a, b, fake, kernel)
            for found in differences:
                yield replace(found, confidence=Confidence.POSSIBLE) if handed else found


def _unreadable(value: Value) -> bool:
    return isinstance(value, Unknown)


def _of_tensors(index: int, a: Tensor, b: Tensor, fake: Trial, kernel: Trial) -> Iterator[Difference]:
    def made(kind: Kind, dim: int, one: Value, other: Value) -> Difference:
        return Difference(kind, index, dim, one, other, a, b, Confidence.LIKELY)

    if a.dtype is not None and b.dtype is not None and a.dtype != b.dtype and not _may_agree(a.dtype, b.dtype):
        sure = Confidence.POSSIBLE if _may_be(a.dtype, b.dtype, fake, kernel) else Confidence.LIKELY
        yield replace(made("dtype", 0, Const(a.dtype), Const(b.dtype)), confidence=sure)
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
    agreed = _agreed(fake, kernel)
    said, real = ([replaced(expr_of(size), agreed) for size in t] for t in (a.shape, b.shape))
    swapped = Counter(said) == Counter(real)
    for dim, (one, other) in enumerate(zip(a.shape, b.shape, strict=True)):
        if isinstance(other, Unknown) and other.key in kernel.watch.data_sizes:
            if expr_of(one)[0] != "other":
                yield made("data size", dim, one, other)
        elif equal(said[dim], real[dim]) is False:
            # The same sizes in another order: all of them would have to be the same.
            ways = ((said[dim], real[dim]), (expr_of(one), expr_of(other)))
            likely = swapped or Confidence.LIKELY in [_certainty(*both, fake.names) for both in ways]
            sure = Confidence.LIKELY if likely else Confidence.POSSIBLE
            yield replace(made("size", dim, one, other), confidence=sure)


def _agreed(*trials: Trial) -> dict[Expr, Expr]:
    """What sizes are known to be: those that checks hold to each other, and two open ones that broadcast."""
    pairs = [pair for trial in trials for pair in trial.watch.agreements.sizes]
    for trial in trials:
        for key, sizes in trial.watch.fitted.items():
            if all(map(is_open, sizes)):
                # Neither is 1, that is a size of its own: they are among the agreements, and so is what they make.
                pairs.append((expr_of(Unknown(key)), expr_of(sizes[0])))
    return unified(pairs)


def _of_layouts(index: int, a: Tensor, b: Tensor, fake: Trial, kernel: Trial) -> Iterator[Difference]:
    """The strides of outputs of the same sizes; those of views of an argument are another fault (AOTI408, AOTI412)."""
    one, other = fake.watch.layouts.of(a), kernel.watch.layouts.of(b)
    if one is None or other is None or a.shape is None or b.shape is None or not (one.dense and other.dense):
        return
    if one.order == other.order or set(one.order) != set(other.order):
        return
    if any(alias is not None and alias[1] for alias in (fake.alias(a), kernel.alias(b))):
        return
    agreed = _agreed(fake, kernel)
    both = ([Size("", "", replaced(expr_of(size), agreed)) for size in t] for t in (a.shape, b.shape))
    sizes = tuple(x if is_known(x.expr) else y for x, y in zip(*both, strict=True))
    if all(is_known(expr_of(sizes[d])) for d in one.order):
        asked = fake.watch.strides_asked or kernel.watch.strides_asked
        said, real = (Tup(tuple(Size("", "", e) for e in strides(x, sizes))) for x in (one, other))
        sure = Confidence.POSSIBLE if asked else Confidence.LIKELY
        yield Difference("strides", index, 0, said, real, a, b, sure)


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
    mine, theirs = ({root[1] for root in e.roots} for e in (fake, kernel))
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


def _may_be(one: str, other: str, *trials: Trial) -> bool:
    """Whether the dtype of an argument was compared with the other dtype, and may have to be that one."""
    for mine, theirs in ((one, other), (other, one)):
        for trial in trials:
            if mine.startswith("?") and {theirs, "?"} & trial.watch.agreements.of_dtypes.get(mine[1:], set()):
                return True
    return False


def _differ(one: Value, other: Value) -> bool:
    known = (Device,)
    if isinstance(one, known) and isinstance(other, known):
        return one.type != other.type
    return (isinstance(one, Device) and ident(other) == ident(DEVICE)) or (
        isinstance(other, Device) and ident(one) == ident(DEVICE)
    )


def as_called(difference: Difference, inputs: Mapping[str, set[tuple[str | None, Value]]]) -> Difference | None:
    """The difference as the calls of the op decide it that were seen: `inputs` are dtypes and devices by argument.

    A dtype that is one side's own while the other has that of an argument: wrong where a call passes another one; mere
    advice where all pass this one; nothing where that is not known and may well be so (`POSSIBLE` until then).
    """
    if difference.kind == "device":
        given = [device for known in inputs.values() for _, device in known]
        said = difference.fake.type if isinstance(difference.fake, Device) else None
        right = given and all(isinstance(device, Device) and device.type == said for device in given)
        return replace(difference, confidence=Confidence.POSSIBLE) if right else difference
    sides = [str(side.value) for side in (difference.fake, difference.kernel) if isinstance(side, Const)]
    owner = next((side[1:] for side in sides if side.startswith("?")), None)
    if difference.kind != "dtype" or owner is None:
        return difference
    doubtful = difference.confidence == Confidence.POSSIBLE
    dtypes = {dtype for dtype, _ in inputs.get(owner, ())} - {None}
    if dtypes - set(sides):
        return replace(difference, confidence=Confidence.LIKELY)
    if doubtful:
        return None
    return replace(difference, confidence=Confidence.POSSIBLE) if dtypes else difference


def hard_coded(difference: Difference) -> bool:
    """Whether the fake has a number where the kernel has a size of an input."""
    return isinstance(difference.fake, Const) and has_size(expr_of(difference.kernel))
