"""The causes that are known, by family."""

from __future__ import annotations

from aoti_lint.triage.cause import Cause
from aoti_lint.triage.causes import (
    calls,
    compiling,
    constants,
    crashes,
    data,
    devices,
    flags,
    inputs,
    model,
    ops,
    package,
    shapes,
)

FAMILIES = (calls, devices, inputs, shapes, data, ops, model, package, constants, compiling, flags, crashes)

CAUSES: tuple[Cause, ...] = tuple(cause for family in FAMILIES for cause in family.CAUSES)
"""All of them. In a family, the first cause whose pattern is in a line is the one it names."""
