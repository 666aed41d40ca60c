"""The base of all that leaves the process as JSON, or comes back from another."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel, ConfigDict

SAME: Final = "As `format`, which every document has."
"""What there is to say of the field `schema`, which the first documents have as well."""


class Frozen(BaseModel):
    """What crosses a boundary is never changed, and has no field that is not known."""

    model_config = ConfigDict(frozen=True, extra="forbid")
