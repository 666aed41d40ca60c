# Copyright (c) Meta Platforms, Inc. and affiliates.
# All rights reserved.
#
# This source code is licensed under the BSD 3-Clause license found in the
# LICENSE file in the root directory of this source tree.

from typing import Literal, Tuple

import torch

from torchao.utils import (
    ceil_div,
    is_cuda_version_at_least,
    is_MI300,
    is_MI350,
)


def _is_sm_10x() -> bool:
    return torch.cuda.is_available() and torch.cuda.get_device_capability()[0] == 10


def _has_cuda_dispatch_kernel(opname: str) -> bool:
    try:
        return torch._C._dispatch_has_kernel_for_dispatch_key(opname, "CUDA")
    except Exception:
        return False


_mxfp8_cuda_kernels_available = (
    _is_sm_10x()
    and is_cuda_version_at_least(12, 8)
    and _has_cuda_dispatch_kernel("torchao::mx_block_rearrange_2d_M_groups")
)


@torch.library.custom_op("torchao::mxfp8_quantize_3d_cutedsl", mutates_args=())
def _mxfp8_quantize_3d_cutedsl_custom_op(
    x: torch.Tensor,
    block_size: int = 32,
    scale_block_dim1: int = 32,
    scale_block_dim2: int = 1,
    scaling_mode: str = "rceil",
    stage_count: int = 2,
    blocked_scale_output: bool = True,
) -> Tuple[torch.Tensor, torch.Tensor]:
    from torchao.prototype.moe_training.kernels.mxfp8.cutedsl_quantize_3d import (
        mxfp8_quantize_cutedsl_3d,
    )

    return mxfp8_quantize_cutedsl_3d(
        x,
        block_size=block_size,
        scale_block_dim1=scale_block_dim1,
        scale_block_dim2=scale_block_dim2,
        scaling_mode=scaling_mode,
        stage_count=stage_count,
        blocked_scale_output=blocked_scale_output,
    )


@_mxfp8_quantize_3d_cutedsl_custom_op.register_fake
def _fake_mxfp8_quantize_3d_cutedsl_custom_op(
    x: torch.Tensor,
    block_size: int = 32,
    scale_block_dim1: int = 32,
    scale_block_dim2: int = 1,
    scaling_mode: str = "rceil",
    stage_count: int = 2,
    blocked_scale_output: bool = True,
) -> Tuple[torch.Tensor, torch.Tensor]:
    assert x.ndim == 3, "input tensor must be 3D"
    assert block_size == 32, "Only block_size=32 is supported"
    assert scale_block_dim1 == 32, "scale_block_dim1 must be 32"
    assert scale_block_dim2 in (1, 32), "scale_block_dim2 must be 1 or 32"
    e, n, k = x.shape
    q_data = torch.empty_strided(
        (e, n, k),
        (n * k, 1, n),
        device=x.device,
        dtype=torch.float8_e4m3fn,
    )
    n_blocks = n // scale_block_dim1
    if blocked_scale_output:
        padded_scale_rows = ceil_div(k, 128) * 128
        padded_scale_cols = ceil_div(n_blocks, 4) * 4
        scales = x.new_empty(
            (e, padded_scale_rows * padded_scale_cols),
            dtype=torch.float8_e8m0fnu,
        )
    else:
        scales = x.new_empty(
            (e, n_blocks, k if scale_block_dim2 == 1 else k // block_size),
            dtype=torch.float8_e8m0fnu,
        )
    return q_data, scales


@torch.library.custom_op("torchao::mxfp8_quantize_2d_1x32_cutedsl", mutates_args=())
def _mxfp8_quantize_2d_1x32_cutedsl_custom_op(
    x: torch.Tensor,
    block_size: int = 32,
    scaling_mode: str = "rceil",
    stage_count: int = 2,
    offs: torch.Tensor = None,
) -> Tuple[torch.Tensor, torch.Tensor]:
    from torchao.prototype.moe_training.kernels.mxfp8.cutedsl_quantize_2d_1x32 import (
        mxfp8_quantize_cutedsl_2d_1x32,
    )

    qdata, scales = mxfp8_quantize_cutedsl_2d_1x32(
        x,
        block_size=block_size,
        scaling_mode=scaling_mode,
        stage_count=stage_count,
        blocked_scale_output=True,
        offs=offs,
    )
    return qdata, scales


@torch.library.custom_op("torchao::mxfp8_quantize_2d_32x1_cutedsl", mutates_args=())
def _mxfp8_quantize_2d_32x1_cutedsl_custom_op(
    x: torch.Tensor,
    block_size: int = 32,
    scaling_mode: str = "rceil",
    stage_count: int = 2,
    blocked_scale_output: bool = True,
    offs: torch.Tensor = None,
) -> Tuple[torch.Tensor, torch.Tensor]:
    from torchao.prototype.moe_training.kernels.mxfp8.cutedsl_quantize_2d_32x1 import (
        mxfp8_quantize_cutedsl_2d_32x1,
    )

    return mxfp8_quantize_cutedsl_2d_32x1(
        x,
        block_size=block_size,
        scaling_mode=scaling_mode,
        stage_count=stage_count,
        blocked_scale_output=blocked_scale_output,
        offs=offs,
    )


@_mxfp8_quantize_2d_1x32_cutedsl_custom_op.register_fake
def _fake_mxfp8_quantize_2d_1x32_cutedsl_custom_op(
    x: torch.Tensor,
    block_size: int = 32,
    scaling_mode: str = "rceil",
    stage_count: int = 2,
    offs: torch.Tensor = None,
) -> Tuple[torch.Tensor, torch.Tensor]:
    assert x.ndim == 2, "input tensor must be 2D"
    assert block_size == 32, "Only block_size=32 is supported"
    m, k = x.shape
    q_data = torch.empty_strided(
        (m, k),
        (k, 1),
        device=x.device,
        dtype=torch.float8_e4m3fn,
    )
    k_blocks = k // block_size
    padded_scale_rows = ceil_div(m, 128) * 128
    padded_scale_cols = ceil_div(k_blocks, 4) * 4
    scales = x.new_empty(
        (
            padded_scale_rows,
            padded_scale_cols,
        ),
        dtype=torch.float8_e8m0fnu,
    )
    return q_data, scales


@_mxfp8_quantize_2d_32x1_cutedsl_custom_op.register_fake
def _fake_mxfp8_quantize_2d_32x1_cutedsl_custom_op(
    x: torch.Tensor,
    block_size: int = 32,
    scaling_mode: str = "rceil",
    stage_count: int = 2,
    blocked_scale_output: bool = True,
    offs: torch.Tensor = None,
) -> Tuple[torch.Tensor, torch.Tensor]:
    assert x.ndim == 2, "input tensor must be 2D"
    assert block_size == 32, "Only block_size=32 is supported"
    m, k = x.shape

    # For 32x1 scaling, output data has same dimensions as input (no padding)
    q_data = torch.empty_strided(
        (m, k),
        (k, 1),
        device=x.device,
        dtype=torch.float8_e4m3fn,
    )

    # Only scales tensor needs padding for 4x128 scale factor tiles
    m_blocks = m // block_size
    padded_scale_rows = ceil_div(m_blocks, 4) * 4
    padded_scale_cols = ceil_div(k, 128) * 128
    scales = x.new_empty(
        (padded_scale_cols * padded_scale_rows,),
        dtype=torch.float8_e8m0fnu,
    )
    return q_data, scales


if _mxfp8_cuda_kernels_available:

    @torch.library.register_fake("torchao::mx_block_rearrange_2d_M_groups")
    def _fake_mx_block_rearrange_2d_M_groups_cuda(
        scales_tensor: torch.Tensor,
        input_offsets: torch.Tensor,
        chunks_per_tb: int,
    ) -> torch.Tensor:
        """Fake/meta implementation for mx_block_rearrange_2d_M_groups."""
        assert scales_tensor.ndim == 2, "scales_tensor must be 2D"
        rows, cols = scales_tensor.shape
        num_groups = input_offsets.shape[0]

        # Each group is padded to 128 rows upper bound
        BLOCK_ROWS = 128
        BLOCK_COLS = 4
        padded_rows = rows + num_groups * BLOCK_ROWS

        # Columns are padded to multiple of BLOCK_COLS
        num_col_blocks = ceil_div(cols, BLOCK_COLS)
        padded_cols = num_col_blocks * BLOCK_COLS

        return scales_tensor.new_empty((padded_rows, padded_cols))


    @torch.library.register_fake("torchao::fused_pad_token_groups")
    def _fake_fused_pad_token_groups_cuda(
        inputs: torch.Tensor,
        offsets: torch.Tensor,
        alignment_size: int,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Fake/meta implementation for fused_pad_token_groups."""
        num_tokens, dim = inputs.shape
        num_groups = offsets.shape[0]

        # Calculate output size with upper bound padding, rounded up to alignment
        # (required for quantization operations that expect aligned dimensions)
        output_rows = num_tokens + num_groups * alignment_size
        output_rows = (
            (output_rows + alignment_size - 1) // alignment_size
        ) * alignment_size

        # Create fake output tensors
        padded_tokens = inputs.new_empty((output_rows, dim))

        # Compute fake padded offsets
        group_sizes = torch.diff(
            offsets,
            prepend=torch.zeros(1, dtype=offsets.dtype, device=offsets.device),
        )
        padded_sizes = (
            (group_sizes + alignment_size - 1) // alignment_size
        ) * alignment_size
        padded_offsets = torch.cumsum(padded_sizes, 0, dtype=torch.int32)
        padded_group_start_offsets = padded_offsets - padded_sizes

        return padded_tokens, padded_group_start_offsets, padded_offsets


    @torch.library.register_fake("torchao::fused_unpad_token_groups")
    def _fake_fused_unpad_token_groups_cuda(
        inputs: torch.Tensor,
        offsets: torch.Tensor,
        padded_group_start_offsets: torch.Tensor,
        num_tokens: int,
        alignment_size: int,
    ) -> torch.Tensor:
        """Fake/meta implementation for fused_unpad_token_groups."""
        dim = inputs.shape[1]

        # Create fake output tensor with provided num_tokens
        unpadded_tokens = inputs.new_empty((num_tokens, dim))

        return unpadded_tokens

else:

    pass


def _check_flydsl_unsupported_params(
    opname: str,
    *,
    blocked_scale_output: bool = False,
    offs=None,
) -> None:
    if blocked_scale_output:
        raise NotImplementedError(
            f"{opname}: blocked_scale_output=True is tcgen05-specific to SM 10.x "
            "and not supported by the FlyDSL baseline."
        )
    if offs is not None:
        raise NotImplementedError(
            f"{opname}: token-group offs are not yet supported by the FlyDSL baseline."
        )


def _check_flydsl_3d_unsupported_params(
    opname: str,
    *,
    scale_block_dim1: int = 32,
    scale_block_dim2: int = 1,
) -> None:
    if scale_block_dim1 != 32:
        raise NotImplementedError(
            f"{opname}: scale_block_dim1 must be 32 (got {scale_block_dim1})."
        )
    if scale_block_dim2 not in (1, 32):
        raise NotImplementedError(
            f"{opname}: scale_block_dim2 must be 1 or 32 (got {scale_block_dim2})."
        )


@torch.library.custom_op("torchao::mxfp8_quantize_3d_flydsl", mutates_args=())
def _mxfp8_quantize_3d_flydsl_custom_op(
    x: torch.Tensor,
    block_size: int = 32,
    scale_block_dim1: int = 32,
    scale_block_dim2: int = 1,
    scaling_mode: str = "rceil",
    stage_count: int = 2,
    blocked_scale_output: bool = False,
) -> Tuple[torch.Tensor, torch.Tensor]:
    from torchao.prototype.moe_training.kernels.mxfp8.flydsl_quantize_3d import (
        mxfp8_quantize_flydsl_3d,
    )

    _check_flydsl_3d_unsupported_params(
        "mxfp8_quantize_3d_flydsl",
        scale_block_dim1=scale_block_dim1,
        scale_block_dim2=scale_block_dim2,
    )
    del stage_count  # AMD has no TMA pipeline; ignored for API parity.
    return mxfp8_quantize_flydsl_3d(
        x,
        block_size=block_size,
        scale_block_k=scale_block_dim2,
        scaling_mode=scaling_mode,
        blocked_scale_output=blocked_scale_output,
    )


@_mxfp8_quantize_3d_flydsl_custom_op.register_fake
def _fake_mxfp8_quantize_3d_flydsl_custom_op(
    x: torch.Tensor,
    block_size: int = 32,
    scale_block_dim1: int = 32,
    scale_block_dim2: int = 1,
    scaling_mode: str = "rceil",
    stage_count: int = 2,
    blocked_scale_output: bool = False,
) -> Tuple[torch.Tensor, torch.Tensor]:
    assert x.ndim == 3, "input tensor must be 3D"
    assert block_size == 32, "Only block_size=32 is supported"
    assert scale_block_dim1 == 32, "scale_block_dim1 must be 32"
    assert scale_block_dim2 in (1, 32), "scale_block_dim2 must be 1 or 32"
    e, n, k = x.shape
    q_data = torch.empty_strided(
        (e, n, k),
        (n * k, 1, n),
        device=x.device,
        dtype=torch.float8_e4m3fn,
    )
    n_blocks = n // scale_block_dim1
    if blocked_scale_output:
        padded_scale_rows = ceil_div(k, 128) * 128
        padded_scale_cols = ceil_div(n_blocks, 4) * 4
        scales = x.new_empty(
            (e, padded_scale_rows * padded_scale_cols),
            dtype=torch.float8_e8m0fnu,
        )
    else:
        scales = x.new_empty(
            (e, n_blocks, k if scale_block_dim2 == 1 else k // block_size),
            dtype=torch.float8_e8m0fnu,
        )
    return q_data, scales


@torch.library.custom_op("torchao::mxfp8_quantize_2d_1x32_flydsl", mutates_args=())
def _mxfp8_quantize_2d_1x32_flydsl_custom_op(
    x: torch.Tensor,
    block_size: int = 32,
    scaling_mode: str = "rceil",
    stage_count: int = 2,
    offs: torch.Tensor = None,
) -> Tuple[torch.Tensor, torch.Tensor]:
    from torchao.prototype.moe_training.kernels.mxfp8.flydsl_quantize_2d_1x32 import (
        mxfp8_quantize_flydsl_2d_1x32,
    )

    _check_flydsl_unsupported_params(
        "mxfp8_quantize_2d_1x32_flydsl",
        offs=offs,
    )
    del stage_count
    return mxfp8_quantize_flydsl_2d_1x32(
        x,
        block_size=block_size,
        scaling_mode=scaling_mode,
    )


@_mxfp8_quantize_2d_1x32_flydsl_custom_op.register_fake
def _fake_mxfp8_quantize_2d_1x32_flydsl_custom_op(
    x: torch.Tensor,
    block_size: int = 32,
    scaling_mode: str = "rceil",
    stage_count: int = 2,
    offs: torch.Tensor = None,
) -> Tuple[torch.Tensor, torch.Tensor]:
    assert x.ndim == 2, "input tensor must be 2D"
    assert block_size == 32, "Only block_size=32 is supported"
    m, k = x.shape
    q_data = torch.empty_strided(
        (m, k),
        (k, 1),
        device=x.device,
        dtype=torch.float8_e4m3fn,
    )
    scales = x.new_empty((m, k // block_size), dtype=torch.float8_e8m0fnu)
    return q_data, scales


@torch.library.custom_op("torchao::mxfp8_quantize_2d_32x1_flydsl", mutates_args=())
def _mxfp8_quantize_2d_32x1_flydsl_custom_op(
    x: torch.Tensor,
    block_size: int = 32,
    scaling_mode: str = "rceil",
    stage_count: int = 2,
    blocked_scale_output: bool = False,
    offs: torch.Tensor = None,
) -> Tuple[torch.Tensor, torch.Tensor]:
    from torchao.prototype.moe_training.kernels.mxfp8.flydsl_quantize_2d_32x1 import (
        mxfp8_quantize_flydsl_2d_32x1,
    )

    _check_flydsl_unsupported_params(
        "mxfp8_quantize_2d_32x1_flydsl",
        blocked_scale_output=blocked_scale_output,
        offs=offs,
    )
    del stage_count
    return mxfp8_quantize_flydsl_2d_32x1(
        x,
        block_size=block_size,
        scaling_mode=scaling_mode,
    )


@_mxfp8_quantize_2d_32x1_flydsl_custom_op.register_fake
def _fake_mxfp8_quantize_2d_32x1_flydsl_custom_op(
    x: torch.Tensor,
    block_size: int = 32,
    scaling_mode: str = "rceil",
    stage_count: int = 2,
    blocked_scale_output: bool = False,
    offs: torch.Tensor = None,
) -> Tuple[torch.Tensor, torch.Tensor]:
    assert x.ndim == 2, "input tensor must be 2D"
    assert block_size == 32, "Only block_size=32 is supported"
    m, k = x.shape
    q_data = torch.empty_strided(
        (m, k),
        (1, m),
        device=x.device,
        dtype=torch.float8_e4m3fn,
    )
    scales = x.new_empty((k, m // block_size), dtype=torch.float8_e8m0fnu)
    return q_data, scales
