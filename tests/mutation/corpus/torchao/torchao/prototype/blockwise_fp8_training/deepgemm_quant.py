# Copyright (c) Meta Platforms, Inc. and affiliates.
# All rights reserved.
#
# This source code is licensed under the BSD 3-Clause license found in the
# LICENSE file in the root directory of this source tree.


from _left_out import _triton_fp8_blockwise_act_quant_k_grouped_deepgemm_with_group_sizes
from typing import Tuple

import torch

from torchao.float8.config import e4m3_dtype
from torchao.prototype.blockwise_fp8_training.deepgemm_metadata import (
    group_sizes_from_offsets as _group_sizes_from_offsets,
)


@torch.library.custom_op(
    "torchao::triton_fp8_blockwise_act_quant_k_grouped_deepgemm",
    mutates_args=(),
)
def triton_fp8_blockwise_act_quant_k_grouped_deepgemm(
    x: torch.Tensor,
    group_end_offsets: torch.Tensor,
    block_size: int = 128,
    dtype: torch.dtype = e4m3_dtype,
) -> Tuple[torch.Tensor, torch.Tensor]:
    group_sizes = _group_sizes_from_offsets(group_end_offsets)
    return _triton_fp8_blockwise_act_quant_k_grouped_deepgemm_with_group_sizes(
        x,
        group_end_offsets,
        group_sizes,
        block_size,
        dtype,
    )


@triton_fp8_blockwise_act_quant_k_grouped_deepgemm.register_fake
def _(
    x: torch.Tensor,
    group_end_offsets: torch.Tensor,
    block_size: int = 128,
    dtype: torch.dtype = e4m3_dtype,
) -> Tuple[torch.Tensor, torch.Tensor]:
    ctx = torch.library.get_ctx()
    max_valid_tokens = x.shape[0] if type(x.shape[0]) is int else None
    valid_tokens = (
        ctx.new_dynamic_size(min=0, max=max_valid_tokens)
        if max_valid_tokens is not None
        else ctx.new_dynamic_size(min=0)
    )
    torch._check(valid_tokens <= x.shape[0])
    torch._check(valid_tokens % block_size == 0)
    valid_blocks = valid_tokens // block_size
    return (
        torch.empty((valid_tokens * x.shape[1],), dtype=dtype, device=x.device),
        torch.empty(
            (x.shape[1], valid_blocks),
            dtype=torch.float32,
            device=x.device,
        ),
    )
