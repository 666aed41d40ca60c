"""The schema that torch makes of a C++ function, when `m.def` is given a name and a function."""

from __future__ import annotations

import re

from aoti_lint.lazily.regex import regex
from aoti_lint.native.functions import Function

_PLAIN = {
    "Tensor": "Tensor", "int64_t": "int", "long": "int", "int": "int", "SymInt": "SymInt", "double": "float",
    "bool": "bool", "string": "str", "string_view": "str", "Scalar": "Scalar", "ScalarType": "ScalarType",
    "Device": "Device", "Layout": "Layout", "MemoryFormat": "MemoryFormat", "Generator": "Generator",
    "TensorList": "Tensor[]", "ITensorListRef": "Tensor[]", "IntArrayRef": "int[]", "SymIntArrayRef": "SymInt[]",
}  # fmt: skip
"""`c10::getTypePtr` in `ATen/core/jit_type.h` of release 2.13.0, for what kernels take."""
MAX_TYPE = 500
"""Characters of a type."""
_LISTS = ("ArrayRef", "vector", "List", "array")
_TEMPLATE = regex(r"(\w+)<(.*)>")
_NOISE = regex(r"\bconst\b|[&\s]|\b\w+::|\b(?:typename|struct)\b")


def schema_of(name: str, function: Function) -> str | None:
    """The schema text; None where a type is not one of those that kernels take.

    Torch calls the arguments `_0`, `_1` … and marks none as changed.
    """
    types = [type_of(parameter.type.decode("utf-8", "replace")) for parameter in function.parameters]
    written = function.result.decode("utf-8", "replace")
    bare = _NOISE.sub("", written[: 10 * MAX_TYPE])
    results = [""] if bare == "void" else [type_of(part) for part in parts_of(bare)]
    if None in types or None in results:
        return None
    given = ", ".join(f"{kind} _{index}" for index, kind in enumerate(types))
    returned = str(results[0]) if len(results) == 1 and results[0] else f"({', '.join(map(str, results)).strip()})"
    return f"{name}({given}) -> {returned}"


def type_of(written: str) -> str | None:
    """The type of a schema for a type of C++."""
    bare = _NOISE.sub("", written) if len(written) <= MAX_TYPE else ""
    if bare in _PLAIN:
        return _PLAIN[bare]
    found = _TEMPLATE.fullmatch(bare)
    if found is None:
        return None
    inner = type_of(found[2].rsplit(",", 1)[0] if found[1] == "array" else found[2])
    if inner is None:
        return None
    if found[1] in ("optional", "OptionalArrayRef"):
        return f"{inner}[]?" if found[1] == "OptionalArrayRef" else f"{inner}?"
    return f"{inner}[]" if found[1] in _LISTS else None


def parts_of(bare: str) -> list[str]:
    """The types in a tuple; the type itself for any other."""
    found = re.fullmatch(r"tuple<(.*)>", bare)
    if found is None:
        return [bare]
    parts, depth = [""], 0
    for letter in found[1]:
        depth += {"<": 1, ">": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts
