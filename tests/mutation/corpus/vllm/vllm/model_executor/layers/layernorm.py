# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Copyright contributors to the vLLM project

import torch

from vllm.utils.torch_utils import direct_register_custom_op


def _fla_rms_norm_gated(
    x: torch.Tensor,
    z: torch.Tensor | None,
    weight: torch.Tensor,
    eps: float,
    group_size: int | None,
    norm_before_gate: bool,
    activation: str,
) -> torch.Tensor:
    from vllm.third_party.flash_linear_attention.ops.layernorm_guard import (
        rmsnorm_fn,
    )

    return rmsnorm_fn(
        x,
        weight,
        None,
        z=z,
        eps=eps,
        group_size=group_size,
        norm_before_gate=norm_before_gate,
        activation=activation,
    )


def _fla_rms_norm_gated_fake(
    x: torch.Tensor,
    z: torch.Tensor | None,
    weight: torch.Tensor,
    eps: float,
    group_size: int | None,
    norm_before_gate: bool,
    activation: str,
) -> torch.Tensor:
    return x.new_empty(x.shape)


direct_register_custom_op(
    op_name="fla_rms_norm_gated",
    op_func=_fla_rms_norm_gated,
    fake_impl=_fla_rms_norm_gated_fake,
)
