"""Outputs that are arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from aoti_lint.rule import Cond, Confidence
from aoti_lint.rule.trials import Trial, is_given, outputs
from aoti_lint.rule.values import Tensor, leaves

_SOME = " in some calls"


class Alias(NamedTuple):
    """An output that is an argument, or shares its memory."""

    argument: str
    exactly: bool
    """Whether it is the argument itself."""
    sure: bool
    """Whether it surely shares its memory."""
    by_caller: bool
    """Whether that hangs on nothing but what the caller gives."""
    always: bool
    """Whether it hangs on nothing at all."""


def aliases(trial: Trial) -> Iterator[Alias]:
    """Each output that is an argument, or shares its memory."""
    if trial.whole:
        yield Alias(trial.names[trial.whole], exactly=True, sure=True, by_caller=True, always=True)
    if trial.value is None:
        return
    for path, whole in leaves(trial.value):
        for one in outputs(whole):
            for inner, leaf in leaves(one):
                found = trial.alias(leaf) if isinstance(leaf, Tensor) else None
                if found is not None and isinstance(leaf, Tensor):
                    key, sure = found
                    where = {**path, **inner}
                    name = trial.names.get(key.removesuffix("[]"), key)
                    yield Alias(name, leaf.key == key, sure, _by_caller(where, trial), not where)


def _by_caller(path: Iterable[Cond], trial: Trial) -> bool:
    """Whether a path hangs on nothing but what the caller gives."""
    return all(is_given(cond) or is_data(trial, cond) for cond in path)


def is_data(trial: Trial, cond: Cond) -> bool:
    """Whether the values in the tensors that a kernel is given answer a question."""
    key = repr(cond.key)
    return any(f"{one}'" in key and trial.watch.made_of([one], trial.names) for one in trial.watch.sources) or any(
        f"<{one}>" in key for one in trial.watch.read
    )


class Returned(NamedTuple):
    """What is returned that should not be."""

    what: str
    confidence: Confidence
    in_some: str
    """`in some calls` where not every one does, with a blank before it."""
    argument: str = ""
    """The name of the argument that it is."""


def returned(trial: Trial) -> Returned | None:
    """The first argument that is returned, or a view of it."""
    for one in aliases(trial):
        what = f"{one.argument} itself" if one.exactly else f"a view of {one.argument}"
        confidence = Confidence.LIKELY if one.sure and one.by_caller else Confidence.POSSIBLE
        return Returned(what, confidence, "" if one.always else _SOME, one.argument)
    return None


def shared(trial: Trial) -> Returned | None:
    """Two outputs that are one tensor, or share its memory."""
    for path, whole in leaves(trial.value) if trial.value is not None else ():
        seen = dict[str, str]()
        for one in outputs(whole):
            if not isinstance(one, Tensor):
                continue
            key, sure = trial.watch.base_of(one.key)
            if not sure:
                continue
            if key in seen:
                what = "one tensor twice" if seen[key] == one.key else "two views of one tensor"
                confidence = Confidence.LIKELY if _by_caller(path, trial) else Confidence.POSSIBLE
                return Returned(what, confidence, _SOME if path else "")
            seen[key] = one.key
    return None
