"""Outputs that are arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aoti_lint.rule import Cond, Confidence
from aoti_lint.rule.trials import Trial, is_given, outputs
from aoti_lint.rule.values import Tensor, leaves


def aliases(trial: Trial) -> Iterator[tuple[str, bool, bool, bool]]:
    """Each output that is an argument, or shares its memory.

    Gives the argument's name, whether it is the argument itself, whether it surely shares its memory, and whether that
    hangs on nothing but what the caller gives.
    """
    if trial.value is None:
        return
    for path, whole in leaves(trial.value):
        for one in outputs(whole):
            for inner, leaf in leaves(one):
                found = trial.alias(leaf) if isinstance(leaf, Tensor) else None
                if found is not None and isinstance(leaf, Tensor):
                    key, sure = found
                    asked = _by_caller({**path, **inner}, trial)
                    yield trial.names.get(key.removesuffix("[]"), key), leaf.key == key, sure, asked


def _by_caller(path: Iterable[Cond], trial: Trial) -> bool:
    """Whether a path hangs on nothing but what the caller gives."""
    return all(is_given(cond) or is_data(trial, cond) for cond in path)


def is_data(trial: Trial, cond: Cond) -> bool:
    """Whether the values in the tensors that a kernel is given answer a question."""
    key = repr(cond.key)
    return any(f"{one}'" in key and trial.watch.made_of([one], trial.names) for one in trial.watch.sources) or any(
        f"<{one}>" in key for one in trial.watch.read
    )


def returned(trial: Trial) -> tuple[str, str, Confidence] | None:
    """The first argument that is returned: its name, what of it is, and how sure that is; None if there is none."""
    for argument, exactly, sure, always in aliases(trial):
        what = f"{argument} itself" if exactly else f"a view of {argument}"
        return argument, what, Confidence.LIKELY if sure and always else Confidence.POSSIBLE
    return None


def shared(trial: Trial) -> tuple[str, Confidence] | None:
    """Two outputs that are one tensor, or share its memory: the words for them, and how sure that is."""
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
                return what, Confidence.LIKELY if _by_caller(path, trial) else Confidence.POSSIBLE
            seen[key] = one.key
    return None
