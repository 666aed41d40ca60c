# Copyright (c) Meta Platforms, Inc. and affiliates.
# All rights reserved.

# This source code is licensed under the license found in the
# LICENSE file in the root directory of this source tree.

from _left_out import triton_scale_swizzle
import importlib
from typing import Optional, Tuple

import torch
from torch.utils._triton import has_triton

from torchao.utils import (
    is_cuda_version_at_least,
    is_MI350,
    is_mslk_version_at_least,
    is_ROCM,
    is_sm_at_least_100,
)


if has_triton():
    import triton
    from torch.library import triton_op, wrap_triton


    @torch.library.custom_op("torchao::triton_mx_block_rearrange", mutates_args=())
    def triton_mx_block_rearrange(scale_tensor: torch.Tensor) -> torch.Tensor:
        assert scale_tensor.element_size() == 1, (
            "Expected element size to be 1 byte (8 bits)"
        )

        rows, cols = scale_tensor.shape

        # Calculate blocks needed
        n_row_blocks = triton.cdiv(rows, 128)
        n_col_blocks = triton.cdiv(cols, 4)
        padded_rows = n_row_blocks * 128
        padded_cols = n_col_blocks * 4

        out = scale_tensor.new_empty((padded_rows, padded_cols))

        # Input stride (for row-major format)
        input_row_stride = scale_tensor.stride()[0]
        input_col_stride = scale_tensor.stride()[1]

        # We probably want handle multiple blocks per tile but for now keep it simple
        BLOCK_ROWS, BLOCK_COLS = 128, 4

        # Output block stride for the rearranged format
        output_block_stride = BLOCK_ROWS * BLOCK_COLS * (padded_cols // BLOCK_COLS)

        grid = lambda META: (
            triton.cdiv(padded_rows, BLOCK_ROWS),
            triton.cdiv(padded_cols, BLOCK_COLS),
        )

        wrap_triton(triton_scale_swizzle)[grid](
            scale_tensor.view(torch.uint8),
            rows,
            cols,
            out.view(torch.uint8),
            input_row_stride,
            input_col_stride,
            output_block_stride,
            BLOCK_ROWS=BLOCK_ROWS,
            BLOCK_COLS=BLOCK_COLS,
        )

        return out

    @triton_mx_block_rearrange.register_fake
    def _(scale_tensor):
        rows, cols = scale_tensor.shape
        n_row_blocks = triton.cdiv(rows, 128)
        n_col_blocks = triton.cdiv(cols, 4)
        padded_rows = n_row_blocks * 128
        padded_cols = n_col_blocks * 4

        return scale_tensor.new_empty((padded_rows, padded_cols))

else:


    def triton_mx_block_rearrange(scale_tensor: torch.Tensor) -> torch.Tensor:
        raise AssertionError("needs triton")


_triton_kernels_available = (
    has_triton()
    and torch.cuda.is_available()
    and (is_sm_at_least_100() and is_cuda_version_at_least(12, 8))
    or (is_ROCM() and is_MI350())
)

if _triton_kernels_available:
    import triton
    from torch.library import triton_op, wrap_triton


else:

    pass


_mxfp8_cuda_kernels_available = (
    torch.cuda.is_available()
    and is_sm_at_least_100()
    and is_cuda_version_at_least(12, 8)
)

if _mxfp8_cuda_kernels_available:


    @torch.library.register_fake("torchao::mxfp8_quantize")
    def _fake_mxfp8_quantize(
        x: torch.Tensor,
        rowwise: bool,
        colwise: bool,
        scale_dim_x: int,
        scale_dim_y: int,
        fp8_format: str,
        scaling_mode: str,
    ) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Fake/meta implementation for mxfp8_quantize."""
        assert x.ndim == 2
        rows, cols = x.shape
        num_row_blocks = rows // 32
        num_col_blocks = cols // 32

        # rowwise
        if rowwise:
            output_rowwise = x.new_empty(rows, cols, dtype=torch.float8_e4m3fn)
            scales_rowwise = x.new_empty(
                rows, num_col_blocks, 1, dtype=torch.float8_e8m0fnu
            )
        else:
            output_rowwise = x.new_empty(0, dtype=torch.float8_e4m3fn)
            scales_rowwise = x.new_empty(0, dtype=torch.float8_e8m0fnu)

        # colwise
        if colwise:
            # column major
            output_colwise = torch.empty_strided(
                (rows, cols), (1, rows), dtype=torch.float8_e4m3fn, device=x.device
            )

            # colwise scales are written in column-major format to avoid uncoalesced global memory accesses
            scales_colwise = torch.empty_strided(
                (cols, num_row_blocks),
                (1, cols),
                dtype=torch.float8_e8m0fnu,
                device=x.device,
            )
        else:
            output_colwise = x.new_empty(0, dtype=torch.float8_e4m3fn)
            scales_colwise = x.new_empty(0, dtype=torch.float8_e8m0fnu)

        return output_rowwise, output_colwise, scales_rowwise, scales_colwise


else:

    pass


_mslk_available = importlib.util.find_spec("mslk") is not None


@torch.library.custom_op("ao::mslk_quantize_nvfp4", mutates_args=())
def _mslk_quantize_nvfp4_custom_op(
    x: torch.Tensor, global_scale: Optional[torch.Tensor] = None
) -> Tuple[torch.Tensor, torch.Tensor]:
    assert _mslk_available, (
        "mslk is required for NVFP4 triton quantization. "
        "Install from https://github.com/meta-pytorch/MSLK"
    )
    from mslk.quantize.triton.fp4_quantize import (
        triton_quantize_nvfp4 as _mslk_triton_quantize_nvfp4,
    )

    if global_scale is None:
        assert is_mslk_version_at_least("1.1.0"), (
            "Optional global_scale support requires MSLK >= 1.1.0, "
            "Please upgrade MSLK: https://github.com/pytorch/MSLK"
        )

    data_lp, blockwise_scales = _mslk_triton_quantize_nvfp4(x, global_scale)
    return blockwise_scales, data_lp.view(torch.uint8)


@_mslk_quantize_nvfp4_custom_op.register_fake
def _(x, global_scale=None):
    # Mirror the reshape logic from the real MSLK kernel
    orig_leading_dims, orig_N = x.shape[:-2], x.shape[-1]
    x_2d = x.reshape(-1, orig_N)
    M, N = x_2d.shape

    num_scales = N // 16
    n_row_blocks = triton.cdiv(M, 128)
    n_col_blocks = triton.cdiv(num_scales, 4)
    padded_rows = n_row_blocks * 128
    padded_cols = n_col_blocks * 4

    scales = x.new_empty(padded_rows, padded_cols, dtype=torch.float8_e4m3fn)
    xq = x.new_empty(M, N // 2, dtype=torch.uint8)

    # Reshape back to match original leading dims
    scales = scales.view(*orig_leading_dims, -1, padded_cols)
    xq = xq.view(*orig_leading_dims, -1, N // 2)
    return scales, xq


@torch.library.custom_op("ao::mslk_calculate_group_max", mutates_args=())
def _mslk_calculate_group_max_custom_op(
    x: torch.Tensor, m_sizes: torch.Tensor
) -> torch.Tensor:
    assert _mslk_available, (
        "mslk is required for calculate_group_max. "
        "Install from https://github.com/meta-pytorch/MSLK"
    )
    from mslk.quantize.triton.fp4_quantize import calculate_group_max

    global_scale, _ = calculate_group_max(x, m_sizes)
    return global_scale


@_mslk_calculate_group_max_custom_op.register_fake
def _(x, m_sizes):
    E = m_sizes.shape[0]
    return x.new_empty(E, dtype=torch.float32)


@torch.library.custom_op("ao::mslk_quantize_nvfp4_stacked", mutates_args=())
def _mslk_quantize_nvfp4_stacked_custom_op(
    m_sizes: torch.Tensor,
    x: torch.Tensor,
    global_scale: torch.Tensor,
) -> Tuple[torch.Tensor, torch.Tensor]:
    assert _mslk_available, (
        "mslk is required for nvfp4_quantize_stacked. "
        "Install from https://github.com/meta-pytorch/MSLK"
    )
    from mslk.quantize.triton.fp4_quantize import nvfp4_quantize_stacked

    xq, scale = nvfp4_quantize_stacked(m_sizes, x, global_scale)
    return xq, scale


@_mslk_quantize_nvfp4_stacked_custom_op.register_fake
def _(m_sizes, x, global_scale):
    M, K = x.shape[0], x.shape[1]
    num_segments = m_sizes.shape[0]
    # Upper-bound on padded total rows (each segment can add at most 127 padding rows)
    padded_total_M_ub = M + num_segments * 127
    num_scales_per_row = K // 16
    n_col_blocks = triton.cdiv(num_scales_per_row, 4)
    padded_cols = n_col_blocks * 4
    xq = x.new_empty(M, K // 2, dtype=torch.float4_e2m1fn_x2)
    scale = x.new_empty(padded_total_M_ub, padded_cols, dtype=torch.float8_e4m3fn)
    return xq, scale
