"""Custom ops: their names, schemas and registrations, in Python and in C++."""

# ruff: noqa: I001, RUF022  (the names stand in rows)

from __future__ import annotations

from aoti_lint.linking.natives import FOR_ALL, may_be_fake
from aoti_lint.models.ops.native_ops import NO_KEY
from aoti_lint.models.ops.op_parameters import LISTED, SAME_IN_EVERY_CALL, count_of
from aoti_lint.models.ops.ops import base as base_name, op_key
from aoti_lint.models.python.annotations import mutated as mutated_names
from aoti_lint.torch_api.schemas.annotations import Fault, Inferred
from aoti_lint.torch_api.schemas.schema import Argument, Schema, SchemaError
from aoti_lint.tracing.trials.ops import hands_back
from aoti_lint.values.op_schemas import (
    API as CPP, parsed as schema_given, text_of as schema_text, written as schema_accepted,
)  # fmt: skip

__all__ = [
    "Argument", "CPP", "FOR_ALL", "Fault", "Inferred", "LISTED", "NO_KEY", "SAME_IN_EVERY_CALL", "Schema",
    "SchemaError", "base_name", "count_of", "hands_back", "may_be_fake", "mutated_names", "op_key", "schema_accepted",
    "schema_given", "schema_text",
]  # fmt: skip
