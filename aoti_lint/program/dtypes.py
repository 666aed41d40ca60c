"""The numbers and names torch gives to element types and layouts, and their sizes.

Source: `torch/_export/serde/schema.py` (`ScalarType`, `Layout`).
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

ITEM_BYTES = {
    "bool": 1, "uint8": 1, "int8": 1, "uint16": 2, "int16": 2, "uint32": 4, "int32": 4, "uint64": 8, "int64": 8,
    "float16": 2, "bfloat16": 2, "float32": 4, "float64": 8, "complex32": 4, "complex64": 8, "complex128": 16,
    "float8_e4m3fn": 1, "float8_e5m2": 1, "float8_e4m3fnuz": 1, "float8_e5m2fnuz": 1, "float8_e8m0fnu": 1,
    "float4_e2m1fn_x2": 1, "qint8": 1, "quint8": 1, "qint32": 4, "quint4x2": 1, "quint2x4": 1,
    **{f"bits{bits}": size for bits, size in (("1x8", 1), ("2x4", 1), ("4x2", 1), ("8", 1), ("16", 2))},
    **{f"{sign}int{bits}": 1 for sign in ("u", "") for bits in range(1, 8)},
}  # fmt: skip
"""By the name in torch, as `torch.<name>.itemsize` has it in 2.13."""

DTYPES = frozenset(_SCHEMA.values())
"""Those that a program may have."""


def schema_dtype(number: object) -> str:
    """The name of an element type in a program's numbering."""
    return _SCHEMA.get(number, f"dtype {number}") if isinstance(number, int) else f"dtype {number}"
