"""As much of JSON Schema as the published schemas use."""

from __future__ import annotations

from typing import Any

_TYPES: dict[str, Any] = {
    "object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool,
    "null": type(None),
}  # fmt: skip
KNOWN = {
    "$schema", "$defs", "$ref", "additionalProperties", "anyOf", "const", "default", "description", "enum", "items",
    "maxItems", "minItems", "minimum", "prefixItems", "properties", "required", "title", "type",
}  # fmt: skip


def wrong(value: Any, schema: dict[str, Any], top: dict[str, Any] | None = None, at: str = "$") -> str | None:
    """Where and how `value` does not fit; None if it does. Raises `KeyError` for a keyword it does not know."""
    top = schema if top is None else top
    if schema.keys() - KNOWN:
        raise KeyError(f"{at}: {schema.keys() - KNOWN}")
    if "$ref" in schema:
        return wrong(value, top["$defs"][schema["$ref"].rpartition("/")[2]], top, at)
    if "anyOf" in schema and all(wrong(value, one, top, at) for one in schema["anyOf"]):
        return f"{at}: fits nothing of anyOf"
    if "const" in schema and value != schema["const"]:
        return f"{at}: is not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{at}: {value!r} is none of {schema['enum']!r}"
    if "type" in schema:
        fits = isinstance(value, _TYPES[schema["type"]])
        if not fits or (isinstance(value, bool) and schema["type"] in ("integer", "number")):
            return f"{at}: {type(value).__name__}, not {schema['type']}"
    if "minimum" in schema and value < schema["minimum"]:
        return f"{at}: {value} is below {schema['minimum']}"
    if isinstance(value, dict):
        return _object(value, schema, top, at)
    if isinstance(value, list):
        return _array(value, schema, top, at)
    return None


def _object(value: dict[str, Any], schema: dict[str, Any], top: dict[str, Any], at: str) -> str | None:
    properties = schema.get("properties", {})
    missing = [name for name in schema.get("required", ()) if name not in value]
    if missing:
        return f"{at}: {missing[0]} is missing"
    others = schema.get("additionalProperties", True)
    for name, item in value.items():
        inner = properties.get(name, others)
        if inner is False:
            return f"{at}: {name} is not known"
        found = wrong(item, inner, top, f"{at}.{name}") if isinstance(inner, dict) else None
        if found:
            return found
    return None


def _array(value: list[Any], schema: dict[str, Any], top: dict[str, Any], at: str) -> str | None:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return f"{at}: {len(value)} items"
    first = schema.get("prefixItems", [])
    rest = schema.get("items", {})
    for index, item in enumerate(value):
        inner = first[index] if index < len(first) else rest
        found = wrong(item, inner, top, f"{at}[{index}]") if isinstance(inner, dict) else None
        if found:
            return found
    return None
