from _left_out import _bf16_gemm_dispatch_impl
from typing import TYPE_CHECKING, Callable, List, Optional


import torch

from sglang.srt.utils.custom_op import register_custom_op


def _bf16_gemm_dispatch_fake(
    x: torch.Tensor, weight: torch.Tensor, bias: Optional[torch.Tensor]
) -> torch.Tensor:
    return x.new_empty((*x.shape[:-1], weight.shape[0]))


@register_custom_op(fake_impl=_bf16_gemm_dispatch_fake)
def bf16_gemm_dispatch(
    x: torch.Tensor, weight: torch.Tensor, bias: Optional[torch.Tensor]
) -> torch.Tensor:
    return _bf16_gemm_dispatch_impl(x, weight, bias)
