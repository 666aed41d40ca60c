#!/usr/bin/env python3
# Copyright (c) Meta Platforms, Inc. and affiliates.
# All rights reserved.
#
# This source code is licensed under the BSD-style license found in the
# LICENSE file in the root directory of this source tree.

# pyre-strict

from typing import Any, cast, List, Optional, Tuple, TypeVar, Union

import torch
import torch.distributed._functional_collectives
from torch import Tensor


@torch.library.custom_op("torchrec::reduce_scatter_tensor", mutates_args=())
def reduce_scatter_tensor(
    input: Tensor,
    reduceOp: str,
    group_size: int,
    group_name: str,
    gradient_division: bool,
) -> Tensor:
    out = torch.ops._c10d_functional.reduce_scatter_tensor(
        input,
        reduceOp,
        group_size,
        group_name,
    )
    return torch.ops._c10d_functional.wait_tensor(out)


@torch.library.register_fake("torchrec::reduce_scatter_tensor")
def reduce_scatter_tensor_fake(
    input: Tensor,
    reduceOp: str,
    group_size: int,
    group_name: str,
    gradient_division: bool,
) -> Tensor:
    return torch.ops._c10d_functional.reduce_scatter_tensor(
        input,
        reduceOp,
        group_size,
        group_name,
    )


def reduce_scatter_tensor_setup_context(ctx, inputs, output) -> None:
    _, _, group_size, group_name, gradient_division = inputs
    ctx.group_size = group_size
    ctx.group_name = group_name
    ctx.gradient_division = gradient_division


def reduce_scatter_tensor_backward(ctx, grad):
    # TODO(ivankobzarev): Support codecs(quantization) on backward
    out = torch.ops._c10d_functional.all_gather_into_tensor(
        grad,
        ctx.group_size,
        ctx.group_name,
    )
    grad = torch.ops._c10d_functional.wait_tensor(out)
    if ctx.gradient_division:
        grad.div_(ctx.group_size)

    return grad, None, None, None, None


torch.library.register_autograd(
    "torchrec::reduce_scatter_tensor",
    reduce_scatter_tensor_backward,
    setup_context=reduce_scatter_tensor_setup_context,
)


@torch.library.custom_op("torchrec::all_gather_into_tensor", mutates_args=())
def all_gather_into_tensor(
    shard: Tensor,
    gather_dim: int,
    group_size: int,
    group_name: str,
    gradient_division: bool,
) -> Tensor:
    out = torch.ops._c10d_functional.all_gather_into_tensor(
        shard, group_size, group_name
    )
    return torch.ops._c10d_functional.wait_tensor(out)


@torch.library.register_fake("torchrec::all_gather_into_tensor")
def all_gather_into_tensor_fake(
    shard: Tensor,
    gather_dim: int,
    group_size: int,
    group_name: str,
    gradient_division: bool,
) -> Tensor:
    return torch.ops._c10d_functional.all_gather_into_tensor(
        shard, group_size, group_name
    )


def all_gather_into_tensor_setup_context(ctx, inputs, output) -> None:
    _, gather_dim, group_size, group_name, gradient_division = inputs
    ctx.group_size = group_size
    ctx.group_name = group_name
    ctx.gradient_division = gradient_division


def all_gather_into_tensor_backward(ctx, grad):
    # TODO(ivankobzarev): Support codecs(quantization) on backward
    out = torch.ops._c10d_functional.reduce_scatter_tensor(
        grad,
        "sum",
        ctx.group_size,
        ctx.group_name,
    )
    grad = torch.ops._c10d_functional.wait_tensor(out)
    if ctx.gradient_division:
        grad.div_(ctx.group_size)

    return grad, None, None, None, None


torch.library.register_autograd(
    "torchrec::all_gather_into_tensor",
    all_gather_into_tensor_backward,
    setup_context=all_gather_into_tensor_setup_context,
)


@torch.library.custom_op("torchrec::_split_1d_cat_2d", mutates_args=())
def _split_1d_cat_2d_impl(t: torch.Tensor, dim0: int, dim1s: List[int]) -> torch.Tensor:
    torch._check_is_size(dim0)
    [torch._check_is_size(dim1) for dim1 in dim1s]
    splits: List[torch.Tensor] = t.split([dim0 * dim1 for dim1 in dim1s])
    return torch.cat(
        [s.reshape(dim0, dim1) for s, dim1 in zip(splits, dim1s)],
        dim=1,
    )


@torch.library.register_fake("torchrec::_split_1d_cat_2d")
def _split_1d_cat_2d_impl_abstract(
    t: torch.Tensor, dim0: int, dim1s: List[int]
) -> torch.Tensor:
    return t.new_empty([dim0, sum(dim1s)])


@torch.library.custom_op("torchrec::_split_1d_cat_2d_backward_impl", mutates_args=())
def _split_1d_cat_2d_backward_impl(
    grad: torch.Tensor, dim1s: List[int]
) -> torch.Tensor:
    splits = grad.split(dim1s, dim=1)
    return torch.cat([s.reshape(-1) for s in splits], dim=0)


@torch.library.register_fake("torchrec::_split_1d_cat_2d_backward_impl")
def _split_1d_cat_2d_backward_impl_fake(
    grad: torch.Tensor, dim1s: List[int]
) -> torch.Tensor:
    return grad.new_empty([grad.numel()])


def _split_1d_cat_2d_backward(ctx, grad):
    ret = torch.ops.torchrec._split_1d_cat_2d_backward_impl(grad, ctx.dim1s)
    return ret, None, None


def _split_1d_cat_2d_setup_context(ctx, inputs, output):
    (x, dim0, dim1s) = inputs
    ctx.dim1s = dim1s


torch.library.register_autograd(
    "torchrec::_split_1d_cat_2d",
    _split_1d_cat_2d_backward,
    setup_context=_split_1d_cat_2d_setup_context,
)
