"""The names of dtypes, and of torch's other constants of that kind."""

from __future__ import annotations

_PLAIN = (
    "float16", "float32", "float64", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
    "uint64", "bool", "complex32", "complex64", "complex128", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz",
    "float8_e5m2fnuz", "float8_e8m0fnu", "float4_e2m1fn_x2", "qint8", "quint8", "qint32", "quint4x2", "quint2x4",
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in range(1, 8)),
)  # fmt: skip
DTYPES = {f"torch.{name}": f"torch.{name}" for name in _PLAIN} | {
    "torch.half": "torch.float16", "torch.float": "torch.float32", "torch.double": "torch.float64",
    "torch.short": "torch.int16", "torch.int": "torch.int32", "torch.long": "torch.int64",
    "torch.cfloat": "torch.complex64", "torch.cdouble": "torch.complex128", "torch.chalf": "torch.complex32",
}  # fmt: skip
"""What torch calls the dtype of each name (`torch/csrc/utils/tensor_dtypes.cpp`; run on 2.13)."""
CLASSES = dict.fromkeys(DTYPES, "torch.dtype") | {
    f"torch.{name}": f"torch.{kind}"
    for kind, names in {
        "memory_format": ("contiguous_format", "channels_last", "channels_last_3d", "preserve_format"),
        "layout": ("strided", "jagged", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc"),
    }.items()
    for name in names
}
"""The class of each constant: a dtype, a memory format or a layout. Each has one name, but for the dtypes above."""
