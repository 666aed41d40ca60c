#!/usr/bin/env python3
# Copyright (c) Meta Platforms, Inc. and affiliates.
# All rights reserved.
#
# This source code is licensed under the BSD-style license found in the
# LICENSE file in the root directory of this source tree.

# pyre-strict

import enum
from typing import Any

import torch


class QuantizationConfig:
    def __init__(self) -> None:
        self.config: dict[str, Any] = {}

    def get(self, name: str) -> int:
        return -1


class FP8QuantizationConfig(QuantizationConfig):
    def __init__(self, exponent_bits: int, exponent_bias: int) -> None:
        super().__init__()
        self.config: dict[str, Any] = {
            "exponent_bits": exponent_bits,
            "exponent_bias": exponent_bias,
            "max_position": (1 << ((1 << exponent_bits) - 2 - exponent_bias))
            * (2 - 2 ** (exponent_bits - 7)),
        }

    def get(self, name: str) -> int:
        if name not in self.config:
            raise RuntimeError(f"{name} must be set in config")
        return self.config[name]


def sparse_type_to_int(sparse_type: "SparseType") -> int:
    return {
        SparseType.FP32.value: 0,
        SparseType.FP16.value: 1,
        SparseType.INT8.value: 2,
        SparseType.INT4.value: 3,
        SparseType.INT2.value: 4,
        SparseType.BF16.value: 5,
        SparseType.FP8.value: 6,
        SparseType.MX4.value: 7,
        SparseType.NFP8.value: 8,
    }[sparse_type.value]


@enum.unique
class SparseType(enum.Enum):
    FP32 = "fp32"
    FP16 = "fp16"
    FP8 = "fp8"
    # NFP8 refers to "native" FP8 in that it uses the GPU implementations
    # of E4M3 whereas the other FP8 sparsetype uses a custom format. Use of
    # NFP8 allows us to use hardware casting intrinsics which can be much faster.
    # Eventually, we should merge these two types.
    NFP8 = "nfp8"
    INT8 = "int8"
    INT4 = "int4"
    INT2 = "int2"
    BF16 = "bf16"
    MX4 = "mx4"

    def __str__(self) -> str:
        return self.value

    @staticmethod
    def from_int(ty: int) -> "SparseType":
        if ty == 0:
            return SparseType("fp32")
        elif ty == 1:
            return SparseType("fp16")
        elif ty == 2:
            return SparseType("int8")
        elif ty == 3:
            return SparseType("int4")
        elif ty == 4:
            return SparseType("int2")
        elif ty == 5:
            return SparseType("bf16")
        elif ty == 6:
            return SparseType("fp8")
        elif ty == 8:
            return SparseType("mx4")
        elif ty == 9:
            return SparseType("nfp8")
        else:  # Invalid is 7 or non enumerated.
            raise ValueError(f"Unsupported sparse type: {ty}")

    def as_int(self) -> int:
        return sparse_type_to_int(self)

    @staticmethod
    def from_dtype(dtype: torch.dtype, is_mx: bool = False) -> "SparseType":
        if dtype == torch.float32:
            return SparseType("fp32")
        elif dtype == torch.float16:
            return SparseType("fp16")
        elif (dtype == torch.int8 or dtype == torch.uint8) and not is_mx:
            return SparseType("int8")
        elif dtype == torch.quint4x2:
            return SparseType("int4")
        elif dtype == torch.quint2x4:
            return SparseType("int2")
        elif dtype == torch.bfloat16:
            return SparseType("bf16")
        elif dtype == torch.uint8:
            return SparseType("mx4")
        elif dtype == torch.float8_e4m3fnuz or dtype == torch.float8_e4m3fn:
            return SparseType("nfp8")
        else:
            raise ValueError(f"Unsupported sparse dtype: {dtype}")

    def as_dtype(self) -> torch.dtype:
        return {
            SparseType.FP32.value: torch.float32,
            SparseType.FP16.value: torch.float16,
            SparseType.FP8.value: torch.uint8,
            SparseType.INT8.value: torch.uint8,
            SparseType.INT4.value: torch.quint4x2,
            SparseType.INT2.value: torch.quint2x4,
            SparseType.BF16.value: torch.bfloat16,
            SparseType.MX4.value: torch.uint8,
            SparseType.NFP8.value: (
                torch.float8_e4m3fnuz
                if torch.version.hip is not None
                else torch.float8_e4m3fn
            ),
        }[self.value]

    def bit_rate(self) -> int:
        return {
            SparseType.FP32.value: 32,
            SparseType.FP16.value: 16,
            SparseType.FP8.value: 8,
            SparseType.INT8.value: 8,
            SparseType.INT4.value: 4,
            SparseType.INT2.value: 2,
            SparseType.BF16.value: 16,
            SparseType.MX4.value: 4,
            SparseType.NFP8.value: 8,
        }[self.value]

    def align_size(self) -> int:
        return {
            SparseType.FP32.value: 1,
            SparseType.FP16.value: 2,
            SparseType.FP8.value: 4,
            SparseType.INT8.value: 4,
            SparseType.INT4.value: 8,
            SparseType.INT2.value: 16,
            SparseType.BF16.value: 2,
            SparseType.MX4.value: 8,
            SparseType.NFP8.value: 4,
        }[self.value]

    def is_float(self) -> bool:
        if (
            self.value == SparseType.FP32.value
            or self.value == SparseType.FP16.value
            or self.value == SparseType.FP8.value
            or self.value == SparseType.BF16.value
            or self.value == SparseType.NFP8.value
        ):
            return True
        else:
            return False

    def default_config(self) -> QuantizationConfig:
        if self.value == SparseType.FP8.value:
            return FP8QuantizationConfig(4, 7)
        else:
            return QuantizationConfig()
