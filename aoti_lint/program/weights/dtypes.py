"""Dtypes by every name that files of weights call them by, and their sizes."""

from __future__ import annotations

ALIASES = {"float": "float32", "double": "float64", "half": "float16", "long": "int64", "int": "int32",
           "short": "int16", "cfloat": "complex64", "cdouble": "complex128", "chalf": "complex32"}  # fmt: skip
"""Other names that torch has for a dtype."""

SAFETENSORS = {
    "BOOL": "bool", "U8": "uint8", "I8": "int8", "U16": "uint16", "I16": "int16", "U32": "uint32", "I32": "int32",
    "U64": "uint64", "I64": "int64", "F16": "float16", "BF16": "bfloat16", "F32": "float32", "F64": "float64",
    "C64": "complex64", "F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2", "F8_E8M0": "float8_e8m0fnu",
    "F8_E4M3FNUZ": "float8_e4m3fnuz", "F8_E5M2FNUZ": "float8_e5m2fnuz", "F4": "float4_e2m1fn_x2",
}  # fmt: skip
"""By the name in a safetensors header (`Dtype` in safetensors/src/tensor.rs, `_TYPES` in its torch.py; 0.8)."""

SAFETENSORS_BITS = {"F4": 4, "F6_E2M3": 6, "F6_E3M2": 6}
"""Bits of an element where it is not whole bytes. Shapes count elements, not bytes."""

STORAGES = {
    "BoolStorage": "bool", "ByteStorage": "uint8", "CharStorage": "int8", "ShortStorage": "int16",
    "IntStorage": "int32", "LongStorage": "int64", "HalfStorage": "float16", "BFloat16Storage": "bfloat16",
    "FloatStorage": "float32", "DoubleStorage": "float64", "ComplexFloatStorage": "complex64",
    "ComplexDoubleStorage": "complex128", "QInt8Storage": "qint8", "QUInt8Storage": "quint8",
    "QInt32Storage": "qint32", "QUInt4x2Storage": "quint4x2", "QUInt2x4Storage": "quint2x4",
    "UntypedStorage": "uint8",
}  # fmt: skip
"""By the storage class a pickle names (`_dtype_to_storage_type_map`, torch/storage.py; untyped ones count bytes)."""
