"""The schemas of custom ops, as their definitions say them."""

from __future__ import annotations

from aoti_lint.torch_api.schemas.parser import parse
from aoti_lint.torch_api.schemas.schema import Schema, SchemaError
from aoti_lint.values.events.ops import OpDefinition
from aoti_lint.values.values import Const

API = "TORCH_LIBRARY"
"""The `api` of an op that C++ defines."""
WHOLE = ("torch.library.Library.define", API)
"""What takes schemas that start with the name of the op."""


def text_of(event: OpDefinition) -> str | None:
    """The text of the schema as it was written; None where it is made of annotations, or is not known."""
    text = event.schema.value if isinstance(event.schema, Const) else None
    return text if isinstance(text, str) else None


def parsed(event: OpDefinition) -> Schema:
    """The schema that a definition gives as text.

    Raises:
        SchemaError: torch refuses it. Its `offset` is into the text.
    """
    text = text_of(event) or ""
    if event.api in WHOLE or not text.lstrip().startswith("("):
        return parse(text)
    try:
        return parse(f"op{text}")
    except SchemaError as error:
        error.offset -= len("op")
        raise


def written(event: OpDefinition) -> Schema | None:
    """The schema that a definition gives as text; None where it gives none, or one that torch refuses."""
    if text_of(event) is None:
        return None
    try:
        return parsed(event)
    except SchemaError:
        return None
