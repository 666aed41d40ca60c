"""Small parts of torch's JSON: a union is an object with one field, whose name says what the value is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aoti_lint.program import facts


def plain(value: Mapping[str, Any]) -> tuple[facts.Kind, int | float | bool | str | None]:
    """Kind and value of a plain Python value."""
    key, plain = only(value)
    match key:
        case "as_none":
            return "none", None
        case "as_bool":
            return "bool", bool(plain)
        case "as_int":
            return "int", whole(plain)
        case "as_float":
            return "float", float(plain)
        case "as_string":
            return "str", str(plain)
        case _:
            return "unknown", None


def whole(value: Any) -> int:
    """A whole number that torch can have made: one of 64 bits. Raises `ValueError` for any other."""
    number = int(value)
    if abs(number) >= 2**64:
        raise ValueError("a number of more than 64 bits")
    return number


def only(union: Mapping[str, Any]) -> tuple[str, Any]:
    """Name and value of a union, which is an object with one field. Raises `ValueError` for an empty one."""
    for item in union.items():
        return item
    raise ValueError("a union without a value")


def device_text(value: Mapping[str, Any]) -> str:
    """A device as torch prints it."""
    index = value.get("index")
    return str(value["type"]) if index is None else f"{value['type']}:{index}"
