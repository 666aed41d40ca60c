"""Puts what is known by now into the texts of a step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from aoti_lint.rerun.plan import FOLDER, GUARD, KERNEL, LAUNCHER, PACKAGE, PROGRAM, Step

if TYPE_CHECKING:
    from aoti_lint.rerun.readers import Reading


def filled(step: Step, folder: str, kernels: Sequence[str], reading: Reading) -> Step | None:
    """The step with its placeholders replaced; None if one of them stands for something that is not there."""
    known = {
        FOLDER: folder, KERNEL: ",".join(kernels), GUARD: reading.guard, PACKAGE: reading.package,
        PROGRAM: reading.exported, LAUNCHER: reading.launcher,
    }  # fmt: skip
    missing = False

    def put(value: Any) -> Any:
        nonlocal missing
        if not isinstance(value, str):
            return value
        for name, text in known.items():
            if name in value:
                missing = missing or not text
                value = value.replace(name, text)
        return value

    made = step.model_copy(
        update={
            "command": tuple(put(word) for word in step.command),
            "environment": {name: put(value) for name, value in step.environment.items()},
            "config": {name: put(value) for name, value in step.config.items()},
        }
    )
    return None if missing else made
