"""Outputs that are arguments."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.interp.values import Tensor, leaves
from aoti_lint.symbolic.compare import is_given
from aoti_lint.symbolic.trial import Trial, outputs


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
                    asked = all(map(is_given, {**path, **inner}))
                    yield trial.names.get(key.removesuffix("[]"), key), leaf.key == key, sure, asked
