# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Copyright contributors to the vLLM project

import torch
import torch.nn.functional as F

from vllm.model_executor.layers.quantization.utils.mxfp4_utils import dequant_mxfp4
from vllm.utils.torch_utils import direct_register_custom_op


MAX_W4A8_BATCH_SIZE = 8


def _rdna3_mxfp4_w4a8_apply_impl(
    x_2d: torch.Tensor,
    weight: torch.Tensor,
    weight_scale: torch.Tensor,
    bias: torch.Tensor | None,
) -> torch.Tensor:
    import vllm._custom_ops as ops

    M = x_2d.shape[0]
    if 0 < M <= MAX_W4A8_BATCH_SIZE and x_2d.dtype in (torch.float16, torch.bfloat16):
        out = ops.mxfp4_w4a8_gemv_rdna3(x_2d, weight, weight_scale)
        if bias is not None:
            out.add_(bias)
        return out

    return F.linear(x_2d, dequant_mxfp4(weight, weight_scale, x_2d.dtype), bias)


def _rdna3_mxfp4_w4a8_apply_fake(
    x_2d: torch.Tensor,
    weight: torch.Tensor,
    weight_scale: torch.Tensor,
    bias: torch.Tensor | None,
) -> torch.Tensor:
    return torch.empty(
        (x_2d.shape[0], weight.shape[0]), dtype=x_2d.dtype, device=x_2d.device
    )


direct_register_custom_op(
    op_name="rdna3_mxfp4_w4a8_apply",
    op_func=_rdna3_mxfp4_w4a8_apply_impl,
    mutates_args=[],
    fake_impl=_rdna3_mxfp4_w4a8_apply_fake,
)
