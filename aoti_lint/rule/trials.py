"""Fakes and kernels of custom ops, as they were tried with open sizes: what they return, and how two differ."""

# ruff: noqa: I001  (the names stand in rows)

from __future__ import annotations

from aoti_lint.tracing.trials.compare import Difference, Kind, as_called, hard_coded, is_given
from aoti_lint.tracing.trials.learned import Fork, Learned, Lost, Made, Number, Outcome, Returned
from aoti_lint.tracing.trials.templates import Broadcast, Part, Template, whole as shape_of
from aoti_lint.tracing.trials.trial import Trial, key_of as argument_key, outputs
from aoti_lint.tracing.number_watch import Note
from aoti_lint.tracing.trials.tried import OpTrial

__all__ = [
    "Broadcast", "Difference", "Fork", "Kind", "Learned", "Lost", "Made", "Note", "Number", "OpTrial", "Outcome",
    "Part", "Returned", "Template", "Trial", "argument_key", "as_called", "hard_coded", "is_given", "outputs",
    "shape_of",
]  # fmt: skip
