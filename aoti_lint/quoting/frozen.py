"""The base of all that leaves the process as JSON, or comes back from another."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """What crosses a boundary is never changed, and has no field that is not known."""

    model_config = ConfigDict(frozen=True, extra="forbid")
