"""The names of dtypes."""

from __future__ import annotations

_PLAIN = (
    "float16", "float32", "float64", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
    "uint64", "bool", "complex32", "complex64", "complex128", "float8_e4m3fn", "float8_e5m2",
)  # fmt: skip
DTYPES = {f"torch.{name}": f"torch.{name}" for name in _PLAIN} | {
    "torch.half": "torch.float16", "torch.float": "torch.float32", "torch.double": "torch.float64",
    "torch.short": "torch.int16", "torch.int": "torch.int32", "torch.long": "torch.int64",
    "torch.cfloat": "torch.complex64", "torch.cdouble": "torch.complex128", "torch.chalf": "torch.complex32",
}  # fmt: skip
"""What torch calls the dtype of each name (`torch/csrc/utils/tensor_dtypes.cpp`; run on 2.13)."""
