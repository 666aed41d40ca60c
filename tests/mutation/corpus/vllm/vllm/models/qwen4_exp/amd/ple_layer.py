# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Copyright contributors to the vLLM project


import torch

from vllm.utils.torch_utils import direct_register_custom_op

from ..common.ops.ple import ple_conv, ple_gate, ple_ngram_ids


def _ple_gate_fake(
    key: torch.Tensor,
    value: torch.Tensor,
    hidden: torch.Tensor,
    norm_key_w: torch.Tensor,
    norm_query_w: torch.Tensor,
    norm_conv_w: torch.Tensor,
    eps: float,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the gate output shapes for AMD graph tracing."""
    return torch.empty_like(hidden), torch.empty_like(hidden)


direct_register_custom_op(
    op_name="qwen4_exp_ple_gate",
    op_func=ple_gate,
    mutates_args=[],
    fake_impl=_ple_gate_fake,
)
