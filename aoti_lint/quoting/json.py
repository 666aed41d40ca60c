"""JSON: ASCII alone, whatever the strings hold, and valid whatever the numbers are."""

from __future__ import annotations

import json
import math

from aoti_lint.quoting.marked import Marked, commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from pydantic import BaseModel


class Json(Marked):
    """A JSON document."""

    __slots__ = ()


def document(value: object, indent: int | None = 2) -> Json:
    """A value as JSON. A lone surrogate, as names of files have that are no UTF-8, stays an escape."""
    try:
        text = json.dumps(value, indent=indent, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), indent=indent, allow_nan=False)
    for place in sorted(commands(text), reverse=True) if "##" in text else ():
        # `#` stands in strings only.
        text = f"{text[:place]}\\u{ord(text[place]):04x}{text[place + 1 :]}"
    return Json(text)


def records(values: Iterable[object]) -> Json:
    """Values as JSON Lines: each on a line of its own."""
    return Json("".join(document(value, None) + "\n" for value in values))


def of_model(model: BaseModel, exclude: Any = None) -> Json:
    """A model as JSON, by its published names."""
    return document(model.model_dump(mode="json", by_alias=True, exclude=exclude))


def _finite(value: Any) -> Any:
    """A value with null for the numbers that JSON does not have."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
