"""The causes that are known, by family."""

from __future__ import annotations

from aoti_lint.triage.cause import Cause
from aoti_lint.triage.causes import (
    calls,
    compiling,
    constants,
    control_flow,
    crashes,
    data,
    devices,
    flags,
    inputs,
    model,
    ops,
    package,
    shapes,
    tracing,
)

FAMILIES = (
    calls,
    devices,
    inputs,
    shapes,
    data,
    control_flow,
    ops,
    model,
    tracing,
    package,
    constants,
    compiling,
    flags,
    crashes,
)

CAUSES: tuple[Cause, ...] = tuple(cause for family in FAMILIES for cause in family.CAUSES)
"""All of them. In a family, the first cause whose pattern is in a line is the one it names."""
