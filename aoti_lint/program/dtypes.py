"""The numbers and names torch gives to element types and layouts.

Sources: `torch/_export/serde/schema.py` (`ScalarType`, `Layout`), `c10/core/ScalarType.h`.
"""

from __future__ import annotations

_SCHEMA = {
    1: "uint8", 2: "int8", 3: "int16", 4: "int32", 5: "int64", 6: "float16", 7: "float32", 8: "float64",
    9: "complex32", 10: "complex64", 11: "complex128", 12: "bool", 13: "bfloat16", 28: "uint16", 29: "float8_e4m3fn",
    30: "float8_e5m2", 31: "float8_e4m3fnuz", 32: "float8_e5m2fnuz", 33: "float8_e8m0fnu", 34: "uint32", 35: "uint64",
}  # fmt: skip
"""In the numbering of exported programs, which is not that of c10."""

LAYOUTS = {1: "sparse_coo", 2: "sparse_csr", 3: "sparse_csc", 4: "sparse_bsr", 5: "sparse_bsc", 6: "_mkldnn",
           7: "strided"}  # fmt: skip

C10 = {
    0: "uint8", 1: "int8", 2: "int16", 3: "int32", 4: "int64", 5: "float16", 6: "float32", 7: "float64",
    8: "complex32", 9: "complex64", 10: "complex128", 11: "bool", 15: "bfloat16", 23: "float8_e5m2",
    24: "float8_e4m3fn", 25: "float8_e5m2fnuz", 26: "float8_e4m3fnuz", 27: "uint16", 28: "uint32", 29: "uint64",
    44: "float8_e8m0fnu",
}  # fmt: skip
"""In the numbering of c10, which the run time's messages print."""

_SIZES = {
    "uint8": 1, "int8": 1, "bool": 1, "int16": 2, "uint16": 2, "float16": 2, "bfloat16": 2, "int32": 4, "uint32": 4,
    "float32": 4, "int64": 8, "uint64": 8, "float64": 8, "complex32": 4, "complex64": 8, "complex128": 16,
}  # fmt: skip


def schema_dtype(number: object) -> str:
    """The name of an element type in a program's numbering."""
    return _SCHEMA.get(number, f"dtype {number}") if isinstance(number, int) else f"dtype {number}"


def element_size(dtype: str) -> int | None:
    """Bytes of one element; None for a type that is not known."""
    return 1 if dtype.startswith("float8") else _SIZES.get(dtype)
