"""Operators with a kernel for CUDA alone: wrong fakes, a kernel that breaks the GPU, and right ones around it."""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch.library import custom_op


@triton.jit
def far_kernel(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at + 1_000_000_000_000))


@custom_op("on_gpu::right", mutates_args=(), device_types="cuda")
def right(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@right.register_fake
def _(x):
    return torch.empty_like(x)


@custom_op("on_gpu::after", mutates_args=(), device_types="cuda")
def after(x: torch.Tensor) -> torch.Tensor:
    return x.sum(-1)


@after.register_fake
def _(x):
    return x.new_empty(x.shape[:-1])


@custom_op("on_gpu::kept", mutates_args=(), device_types="cuda")
def kept(x: torch.Tensor) -> torch.Tensor:
    return x[:4].clone()


@kept.register_fake
def _(x):
    return torch.empty_like(x)


@custom_op("on_gpu::halved", mutates_args=(), device_types="cuda")
def halved(x: torch.Tensor) -> torch.Tensor:
    return x.half()


@halved.register_fake
def _(x):
    return torch.empty_like(x)


@custom_op("on_gpu::hosted", mutates_args=(), device_types="cuda")
def hosted(x: torch.Tensor) -> torch.Tensor:
    return x.sin()


@hosted.register_fake
def _(x):
    return torch.empty(x.shape, dtype=x.dtype)


@custom_op("on_gpu::columns", mutates_args=(), device_types="cuda")
def columns(x: torch.Tensor) -> torch.Tensor:
    return x.transpose(-1, -2).clone(memory_format=torch.contiguous_format).transpose(-1, -2)


@columns.register_fake
def _(x):
    return torch.empty_like(x)


@custom_op("on_gpu::beyond", mutates_args=(), device_types="cuda")
def beyond(x: torch.Tensor) -> torch.Tensor:
    out = torch.empty_like(x)
    far_kernel[(1,)](x, out, BLOCK=16)
    return out


@beyond.register_fake
def _(x):
    return torch.empty_like(x)
