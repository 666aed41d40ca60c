# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Copyright contributors to the vLLM project

import torch

from vllm.utils.deep_gemm import (
    fp8_einsum,
    is_deep_gemm_supported,
)
from vllm.utils.torch_utils import direct_register_custom_op


def _deepgemm_mxfp8_bmm_fake(
    x: torch.Tensor,
    x_scale: torch.Tensor,
    weight: torch.Tensor,
    weight_scale: torch.Tensor,
    recipe: list[int],
) -> torch.Tensor:
    return torch.empty(
        (x.shape[0], weight.shape[0], weight.shape[1]),
        device=x.device,
        dtype=torch.bfloat16,
    )


def _deepgemm_mxfp8_bmm(
    x: torch.Tensor,
    x_scale: torch.Tensor,
    weight: torch.Tensor,
    weight_scale: torch.Tensor,
    recipe: list[int],
) -> torch.Tensor:
    output = torch.empty(
        (x.shape[0], weight.shape[0], weight.shape[1]),
        device=x.device,
        dtype=torch.bfloat16,
    )
    fp8_einsum(
        "bhr,hdr->bhd",
        (x, x_scale),
        (weight, weight_scale),
        output,
        recipe=tuple(recipe),
    )
    return output


direct_register_custom_op(
    "deepgemm_mxfp8_bmm", _deepgemm_mxfp8_bmm, fake_impl=_deepgemm_mxfp8_bmm_fake
)
