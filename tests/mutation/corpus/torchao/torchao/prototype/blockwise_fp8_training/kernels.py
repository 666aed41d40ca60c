# Copyright (c) Meta Platforms, Inc. and affiliates.
# All rights reserved.
#
# This source code is licensed under the BSD 3-Clause license found in the
# LICENSE file in the root directory of this source tree.

from _left_out import triton_fp8_blockwise_weight_quant_rhs_kernel, triton_fp8_blockwise_weight_quant_transposed_rhs_kernel
from typing import Tuple

import torch
import torch.nn.functional as F
import triton
from torch.library import triton_op, wrap_triton

from torchao.float8.config import e4m3_dtype

FP8_E4M3_DTYPES = {torch.float8_e4m3fn, torch.float8_e4m3fnuz}

fp8_gemm_configs_max_autotune = [
    triton.Config(
        {"BLOCK_SIZE_M": block_size, "BLOCK_SIZE_N": block_size},
        num_warps=num_warps,
        num_stages=num_stages,
    )
    for block_size in [64, 128, 256]
    for num_warps in [4, 8]
    for num_stages in [2]
]

EPS = 1e-12

_BLOCKWISE_1X128_SCALING_TYPE_ID = 4
_BLOCKWISE_128X128_SCALING_TYPE_ID = 5
_SCALING_TYPE = getattr(F, "ScalingType", getattr(torch._C, "_ScalingType", None))
BLOCKWISE_1X128_SCALING_TYPE = (
    _SCALING_TYPE.BlockWise1x128
    if _SCALING_TYPE is not None
    else _BLOCKWISE_1X128_SCALING_TYPE_ID
)
BLOCKWISE_128X128_SCALING_TYPE = (
    _SCALING_TYPE.BlockWise128x128
    if _SCALING_TYPE is not None
    else _BLOCKWISE_128X128_SCALING_TYPE_ID
)


def _scaling_type_value(scale_recipe) -> int:
    return scale_recipe.value if hasattr(scale_recipe, "value") else scale_recipe


def _pad_blockwise_128x128_scale_k_major(scale: torch.Tensor) -> torch.Tensor:
    # cuBLASLt's BLK128x128 FP8 scale layout is K-major with
    # L = ceil(K / 128) rounded up to a multiple of 4. For fp32 scales, this
    # makes the stride between scale columns a 16-byte multiple, satisfying the
    # backend layout/alignment requirement.
    # https://docs.nvidia.com/cuda/cublas/index.html#scaling-factors-layouts
    padded_k_blocks = (scale.shape[0] + 3) // 4 * 4
    if padded_k_blocks == scale.shape[0]:
        return scale

    padded_scale = scale.new_full((scale.shape[1], padded_k_blocks), 1.0).transpose(
        0, 1
    )
    padded_scale[: scale.shape[0], :] = scale
    return padded_scale


def _prepare_blockwise_scaled_mm_rhs_scale(
    scale: torch.Tensor,
    scale_recipe,
) -> torch.Tensor:
    if _scaling_type_value(scale_recipe) != _scaling_type_value(
        BLOCKWISE_128X128_SCALING_TYPE
    ):
        return scale
    return _pad_blockwise_128x128_scale_k_major(scale)


def _is_column_major(x: torch.Tensor) -> bool:
    assert x.ndim == 2 or x.ndim == 3, "input tensor must be 2D or 3D"
    return x.stride(-2) == 1


def _is_row_major(x: torch.Tensor) -> bool:
    assert x.ndim == 2 or x.ndim == 3, "input tensor must be 2D or 3D"
    return x.stride(-1) == 1


@torch.library.custom_op("torchao::blockwise_scaled_mm", mutates_args=())
def blockwise_scaled_mm(
    a: torch.Tensor,
    b: torch.Tensor,
    a_s: torch.Tensor,
    scale_recipe_a: int,
    b_s: torch.Tensor,
    scale_recipe_b: int,
    out_dtype: torch.dtype,
) -> torch.Tensor:
    assert _is_row_major(a), (
        "blockwise_scaled_mm expected a to be row-major; prepare the input with "
        "contiguous K dimension before calling"
    )
    assert _is_column_major(b), (
        "blockwise_scaled_mm expected b to be column-major; prepare the input with "
        "contiguous K dimension before calling"
    )
    b_s = _prepare_blockwise_scaled_mm_rhs_scale(b_s, scale_recipe_b)

    return torch.ops.aten._scaled_mm_v2.default(
        a,
        b,
        [a_s],
        [scale_recipe_a],
        [],
        [b_s],
        [scale_recipe_b],
        [],
        None,
        out_dtype,
        [],
        False,
    )


@blockwise_scaled_mm.register_fake
def _(
    a: torch.Tensor,
    b: torch.Tensor,
    a_s: torch.Tensor,
    scale_recipe_a: int,
    b_s: torch.Tensor,
    scale_recipe_b: int,
    out_dtype: torch.dtype,
) -> torch.Tensor:
    return a.new_empty((*a.shape[:-1], b.shape[-1]), dtype=out_dtype)


@triton_op("torchao::triton_fp8_blockwise_weight_quant_rhs", mutates_args={})
def triton_fp8_blockwise_weight_quant_rhs(
    x: torch.Tensor, block_size: int = 128, dtype: torch.dtype = e4m3_dtype
) -> Tuple[torch.Tensor, torch.Tensor]:
    assert x.is_contiguous(), "Input tensor must be contiguous"
    assert x.dim() == 2, "Input tensor must have 2 dimensions"
    assert x.size(0) % block_size == 0 and x.size(1) % block_size == 0, (
        f"Both dimensions of x must be divisible by block_size (block_size={block_size})"
    )
    assert dtype in FP8_E4M3_DTYPES, f"dtype must be one of {FP8_E4M3_DTYPES}"
    M, N = x.size()
    fp8_max = torch.finfo(dtype).max
    y = torch.empty_like(x, dtype=dtype)
    y = y.as_strided(y.size(), (1, y.size(0)))  # Column major
    M_blocks, N_blocks = triton.cdiv(M, block_size), triton.cdiv(N, block_size)
    s = x.new_empty(M_blocks, N_blocks, dtype=torch.float32).as_strided(
        (M_blocks, N_blocks),  # shape
        (1, M_blocks),  # stride
    )

    def grid(meta):
        return (
            triton.cdiv(M, meta["BLOCK_SIZE"]),
            triton.cdiv(N, meta["BLOCK_SIZE"]),
        )

    wrap_triton(triton_fp8_blockwise_weight_quant_rhs_kernel)[grid](
        x,
        x.stride(0),
        x.stride(1),
        y,
        y.stride(0),
        y.stride(1),
        s,
        s.stride(0),
        s.stride(1),
        M,
        N,
        BLOCK_SIZE=block_size,
        EPS=EPS,
        FP8_MAX=fp8_max,
    )
    return y, s


@triton_op("torchao::triton_fp8_blockwise_weight_quant_transposed_rhs", mutates_args={})
def triton_fp8_blockwise_weight_quant_transposed_rhs(
    x: torch.Tensor, block_size: int = 128, dtype: torch.dtype = e4m3_dtype
) -> Tuple[torch.Tensor, torch.Tensor]:
    assert x.is_contiguous(), "Input tensor must be contiguous"
    assert x.dim() == 2, "Input tensor must have 2 dimensions"
    assert x.size(0) % block_size == 0 and x.size(1) % block_size == 0, (
        f"Both dimensions of x must be divisible by block_size (block_size={block_size})"
    )
    assert dtype in FP8_E4M3_DTYPES, f"dtype must be one of {FP8_E4M3_DTYPES}"
    M, N = x.size()
    fp8_max = torch.finfo(dtype).max
    y = torch.empty(N, M, dtype=dtype, device=x.device)
    y = y.as_strided(y.size(), (1, y.size(0)))  # Column major
    n_blocks, m_blocks = triton.cdiv(N, block_size), triton.cdiv(M, block_size)
    s = x.new_empty(n_blocks, m_blocks, dtype=torch.float32).as_strided(
        (n_blocks, m_blocks),  # shape
        (1, n_blocks),  # stride
    )

    def grid(meta):
        return (
            triton.cdiv(M, meta["BLOCK_SIZE"]),
            triton.cdiv(N, meta["BLOCK_SIZE"]),
        )

    wrap_triton(triton_fp8_blockwise_weight_quant_transposed_rhs_kernel)[grid](
        x,
        x.stride(0),
        x.stride(1),
        y,
        y.stride(0),
        y.stride(1),
        s,
        s.stride(0),
        s.stride(1),
        M,
        N,
        BLOCK_SIZE=block_size,
        EPS=EPS,
        FP8_MAX=fp8_max,
    )
    return y, s
