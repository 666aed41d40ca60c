"""Fakes and kernels beside each other on what the calls of their op give: there, dimensions and dtypes are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from aoti_lint.diagnostics import Confidence
from aoti_lint.lazily.dataclass import replace
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.state import OpCalled
from aoti_lint.models.ops.op_parameters import Parameter
from aoti_lint.tracing.trials.compare import Difference, differences
from aoti_lint.tracing.trials.trial import MAX_RANK, Numbers, Trial, key_of, tried
from aoti_lint.values.values import Const

MAX_CALLS = 4
"""Calls that give different dimensions or dtypes, of which each is tried."""
_ALIKE = {"size": "rank"}
"""Kinds of differences of which one may stand for the other."""


def with_calls(
    m: Machine,
    known: tuple[Difference, ...],
    calls: Iterable[OpCalled],
    fake: Trial,
    kernel: Trial,
    parameters: list[Parameter],
) -> tuple[Difference, ...]:
    """The differences that are `known`, and those that are there in `calls` and could not be told without them."""
    found: dict[tuple[str, int], list[Difference]] = {}
    for one in known:
        found.setdefault((_ALIKE.get(one.kind, one.kind), one.index), []).append(one)
    for one in _of_calls(m, calls, fake, kernel, parameters):
        place = _ALIKE.get(one.kind, one.kind), one.index
        before = found.get(place, [])
        doubtful = one.kind != "dtype" and all(d.confidence is Confidence.POSSIBLE for d in before)
        if not before or (doubtful and one.confidence is Confidence.LIKELY):
            found[place] = [one]
    return tuple(one for those in found.values() for one in those)


def _of_calls(
    m: Machine, calls: Iterable[OpCalled], fake: Trial, kernel: Trial, parameters: list[Parameter]
) -> Iterator[Difference]:
    each: dict[tuple[tuple[Parameter, int | None, str | None], ...], dict[tuple[tuple[str, Numbers], ...], None]] = {}
    for called in calls:
        if (given := _given(called, parameters)) is not None:
            each.setdefault(given, {})[_numbers(called, parameters)] = None
    for given, those in islice(each.items(), MAX_CALLS):
        as_given, known = [parameter for parameter, _, _ in given], [*enumerate(given)]
        ranks = {key_of(i): rank for i, (_, rank, _) in known if rank is not None}
        dtypes = {key_of(i): dtype for i, (_, _, dtype) in known if dtype is not None}
        call = tuple((key, rank, dtypes.get(key)) for key, rank in ranks.items())
        before = dict(ranks)
        one, other = (tried(m, trial.callee, as_given, ranks, dtypes) for trial in (fake, kernel))
        if one is None or other is None or ranks != before:
            continue
        open_sizes = [replace(d, call=call) for d in differences(one, other) if _is_of_call(d)]
        yield from open_sizes
        is_sure = any(one.confidence is not Confidence.POSSIBLE for one in open_sizes)
        for numbers in islice(those, 0 if is_sure else MAX_CALLS):
            now = dict(numbers)
            one, other = (tried(m, trial.callee, as_given, dict(before), dtypes, now) for trial in (fake, kernel))
            if one is not None and other is not None:
                for found in differences(one, other):
                    sizes = found.fake, found.kernel
                    if found.kind == "size" and all(isinstance(size, Const) for size in sizes):
                        yield replace(found, in_numbers=True)


def _given(call: OpCalled, parameters: list[Parameter]) -> tuple[tuple[Parameter, int | None, str | None], ...] | None:
    """The parameters as a call gives them, with the dimensions and dtypes of tensors; None where one is not known."""
    by_place = {place: (rank, dtype) for place, rank, dtype in call.given}
    found: list[tuple[Parameter, int | None, str | None]] = []
    for index, parameter in enumerate(parameters):
        given = by_place.get(index, by_place.get(parameter.name))
        if parameter.kind not in ("Tensor", "Tensor[]"):
            found.append((parameter, None, None))
        elif given is None and parameter.optional:
            found.append((replace(parameter, kind="None", optional=False), None, None))
        elif given is None or given[0] is None or given[0] > MAX_RANK:
            return None
        else:
            found.append((replace(parameter, optional=False), *given))
    return tuple(found)


def _numbers(call: OpCalled, parameters: list[Parameter]) -> tuple[tuple[str, Numbers], ...]:
    """The sizes and integers that a call gives, by the keys of the arguments."""
    places = {parameter.name: index for index, parameter in enumerate(parameters)}
    by_index = [(places.get(place, -1) if isinstance(place, str) else place, given) for place, given in call.numbers]
    return tuple((key_of(index), given) for index, given in sorted(by_index))


def _is_of_call(difference: Difference) -> bool:
    """Whether a difference hangs on dimensions, or on dtypes that the call says."""
    if difference.kind == "dtype":
        sides = difference.fake, difference.kernel
        return not any(isinstance(side, Const) and str(side.value).startswith("?") for side in sides)
    return difference.kind in ("rank", "size")
