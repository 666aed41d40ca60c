"""Sizes and shapes: the inputs of a program, what its export leaves open, and expressions of sizes."""

# ruff: noqa: I001, RUF022  (the names stand in rows)

from __future__ import annotations

from aoti_lint.language.classes.overloads import MIRRORED
from aoti_lint.models.export.tracing import flat_tensors
from aoti_lint.models.tensors.memory import dense, in_rows
from aoti_lint.models.tensors.sizes import number as integer
from aoti_lint.tracing.forwards.forward import holds as guard_holds
from aoti_lint.tracing.forwards.refusals import refuses
from aoti_lint.tracing.proofs import is_proved
from aoti_lint.values.conditions import FULL_BATCH
from aoti_lint.values.sizes.shapes import (
    Freedom, Input, Paired, freedom, inputs, non_strict, pair, place_of, strict, tensors, variants,
)  # fmt: skip
from aoti_lint.values.sizes.symbols import Expr, LEAST, decided, has_size, replaced, shown, worth_of

__all__ = [
    "Expr", "FULL_BATCH", "Freedom", "Input", "LEAST", "MIRRORED", "Paired", "decided", "dense", "flat_tensors",
    "freedom", "guard_holds", "has_size", "in_rows", "inputs", "integer", "is_proved", "non_strict", "pair",
    "place_of", "refuses", "replaced", "shown", "strict", "tensors", "variants", "worth_of",
]  # fmt: skip
