"""Fills in what a plan leaves open: folders, kernels and files that are only known once something has run."""

from __future__ import annotations

import re
from collections.abc import Mapping

from aoti_lint.rerun.plan.plan import FOLDER, GUARD, KERNEL, LAUNCHER, PACKAGE, PROGRAM, Step

_HOLE = re.compile("|".join(map(re.escape, (FOLDER, KERNEL, GUARD, PACKAGE, PROGRAM, LAUNCHER))))


def open_in(step: Step) -> frozenset[str]:
    """The placeholders that a step has."""
    texts = (*step.command, *step.environment.values())
    return frozenset(hole for text in texts for hole in _HOLE.findall(text))


def filled(step: Step, known: Mapping[str, str]) -> Step | None:
    """The step with what stands for its placeholders; None if one of them is not known, so that it is left out."""
    if open_in(step) - known.keys():
        return None

    def fill(text: str) -> str:
        return _HOLE.sub(lambda found: known[found[0]], text)

    command = tuple(map(fill, step.command))
    environment = {name: fill(value) for name, value in step.environment.items()}
    return step.model_copy(update={"command": command, "environment": environment})
