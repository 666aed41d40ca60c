# Copyright (c) Facebook, Inc. and its affiliates. All rights reserved.
#
# This source code is licensed under the BSD license found in the
# LICENSE file in the root directory of this source tree.

from _left_out import _prepare_reduce_kernel_params
from typing import (
    Any,
    cast,
    Dict,
    Iterable,
    List,
    Optional,
    Sequence,
    Tuple,
    Type,
    TYPE_CHECKING,
    Union,
)

import torch


@torch.library.custom_op(
    "xformers::fmha_merge_attentions_varargs",
    mutates_args=(),
    device_types=["cuda"],
)
def merge_attentions_varargs(
    attn_split: Sequence[torch.Tensor],
    lse_split: Sequence[torch.Tensor],
    write_lse: bool,
    output_dtype: Optional[torch.dtype],
    B: int,
    M: int,
    G: int,
    H: int,
    Kq: int,
) -> List[torch.Tensor]:
    import triton

    from xformers.triton.vararg_kernel import unroll_varargs

    from ._triton.splitk_kernels import _splitK_reduce_varargs

    attn_out = torch.empty(
        (B, M, G, H, Kq),
        device=attn_split[0].device,
        dtype=output_dtype or attn_split[0].dtype,
    )
    if write_lse:
        lse_out = torch.empty(
            (B, G, H, M),
            device=attn_split[0].device,
            dtype=lse_split[0].dtype,
        )
    else:
        lse_out = None
    kernel_args, grid = _prepare_reduce_kernel_params(
        attn_out, lse_out, attn_split, lse_split
    )
    reduce_kernel = unroll_varargs(_splitK_reduce_varargs, N=len(attn_split))
    head_dim = attn_out.shape[-1]
    reduce_kernel[grid](
        *attn_split,
        *lse_split,
        Out=attn_out,
        LSE=lse_out,
        **kernel_args,
        head_dim=head_dim,
        head_dim_pow_2=triton.next_power_of_2(head_dim),
        WRITE_LSE=lse_out is not None,
    )
    if write_lse:
        assert lse_out is not None
        return [attn_out, lse_out]
    return [attn_out]


@torch.library.register_fake("xformers::fmha_merge_attentions_varargs")
def merge_attentions_varargs_fake(
    attn_split: Sequence[torch.Tensor],
    lse_split: Sequence[torch.Tensor],
    write_lse: bool,
    output_dtype: Optional[torch.dtype],
    B: int,
    M: int,
    G: int,
    H: int,
    Kq: int,
) -> List[torch.Tensor]:
    attn_out = torch.empty(
        (B, M, G, H, Kq),
        device=attn_split[0].device,
        dtype=output_dtype or attn_split[0].dtype,
    )
    if write_lse:
        lse_out = torch.empty(
            (B, G, H, M),
            device=attn_split[0].device,
            dtype=lse_split[0].dtype,
        )
        return [attn_out, lse_out]
    return [attn_out]


@torch.library.custom_op(
    "xformers::merge_attentions_varargs_backward",
    mutates_args=(),
    device_types=["cuda"],
)
def merge_attentions_varargs_backward(
    attn_split: List[torch.Tensor],
    lse_split: List[torch.Tensor],
    attn_out: torch.Tensor,
    lse_out: torch.Tensor,
    grad_attn: torch.Tensor,
    grad_lse: torch.Tensor,
) -> Tuple[List[torch.Tensor], List[torch.Tensor]]:
    from xformers.triton.vararg_kernel import unroll_varargs

    from ._triton.splitk_kernels import _splitK_reduce_varargs_backward

    dattn_splitk = [torch.empty_like(x) for x in attn_split]
    dlse_splitk = [torch.empty_like(x) for x in lse_split]

    kernel_args, grid = _prepare_reduce_kernel_params(
        attn_out, lse_out, attn_split, lse_split, grad_attn, grad_lse
    )

    reduce_kernel_backward = unroll_varargs(
        _splitK_reduce_varargs_backward, N=len(attn_split)
    )
    reduce_kernel_backward[grid](
        *attn_split,
        *lse_split,
        *dattn_splitk,
        *dlse_splitk,
        Out=attn_out,
        LSE=lse_out,
        DOut=grad_attn,
        DLSE=grad_lse,
        **kernel_args,
        BLOCK_SIZE=attn_out.shape[-1],
    )

    return dattn_splitk, dlse_splitk


@torch.library.register_fake("xformers::merge_attentions_varargs_backward")
def merge_attentions_varargs_backward_fake(
    attn_split: List[torch.Tensor],
    lse_split: List[torch.Tensor],
    attn_out: torch.Tensor,
    lse_out: torch.Tensor,
    grad_attn: torch.Tensor,
    grad_lse: torch.Tensor,
) -> Tuple[List[torch.Tensor], List[torch.Tensor]]:
    dattn_splitk = [torch.empty_like(x) for x in attn_split]
    dlse_splitk = [torch.empty_like(x) for x in lse_split]
    return dattn_splitk, dlse_splitk
