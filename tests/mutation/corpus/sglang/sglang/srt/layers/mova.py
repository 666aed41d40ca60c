# Copyright 2023-2026 SGLang Team
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.


import torch
import torch.nn.functional as F

from sglang.srt.utils.custom_op import register_custom_op


def _prepare_mova_moe_config(config: dict) -> dict:
    """Copy a generic MoE config and remove options MoVA cannot consume."""

    config = dict(config)
    # The ordinary two-GEMM MoE runner handles USE_TMA separately and removes
    # it before launching the Triton kernel. MoVA reuses only the first GEMM
    # and does not construct TMA descriptors, so forwarding this tuning-only
    # key as a kernel constexpr would fail at launch.
    config.pop("USE_TMA", None)
    return config


def _fake_mova_routed_linear_cuda(
    hidden_states: torch.Tensor,
    expert_weights: torch.Tensor,
    routing_weights: torch.Tensor,
    selected_experts: torch.Tensor,
) -> torch.Tensor:
    return hidden_states.new_empty((hidden_states.shape[0], expert_weights.shape[1]))


@register_custom_op(
    op_name="mova_routed_linear_cuda",
    fake_impl=_fake_mova_routed_linear_cuda,
)
def _routed_linear_cuda_chunk(
    hidden_states: torch.Tensor,
    expert_weights: torch.Tensor,
    routing_weights: torch.Tensor,
    selected_experts: torch.Tensor,
) -> torch.Tensor:
    # Keep these imports local: CPU model inspection and mapping tests should
    # not initialize Triton or require the CUDA extension.
    import triton.language as tl

    from sglang.kernels.ops.moe.fused_moe_triton_kernels import invoke_fused_moe_kernel
    from sglang.srt.layers.moe.fused_moe_triton import (
        moe_align_block_size,
        try_get_optimal_moe_config,
    )

    num_tokens = hidden_states.shape[0]
    top_k = selected_experts.shape[1]
    num_experts, output_size, input_size = expert_weights.shape
    # ``try_get_optimal_moe_config`` uses the last dimension of its synthetic
    # second-GEMM shape as N. MoVA has no second GEMM, so describe the desired
    # routed projection output explicitly.
    config = _prepare_mova_moe_config(
        try_get_optimal_moe_config(
            expert_weights.shape,
            (num_experts, input_size, output_size),
            top_k,
            None,
            num_tokens,
        )
    )
    sorted_token_ids, expert_ids, num_tokens_post_padded = moe_align_block_size(
        selected_experts, config["BLOCK_SIZE_M"], num_experts
    )
    projected = torch.empty(
        (num_tokens * top_k, output_size),
        dtype=hidden_states.dtype,
        device=hidden_states.device,
    )
    compute_type = tl.bfloat16 if hidden_states.dtype == torch.bfloat16 else tl.float16
    invoke_fused_moe_kernel(
        hidden_states,
        expert_weights,
        None,
        projected,
        None,
        None,
        None,
        routing_weights,
        selected_experts,
        sorted_token_ids,
        expert_ids,
        num_tokens_post_padded,
        False,  # Routing weights are applied after SiLU.
        top_k,
        config,
        compute_type=compute_type,
        use_fp8_w8a8=False,
        use_int8_w8a8=False,
        use_int8_w8a16=False,
        use_int4_w4a16=False,
        per_channel_quant=False,
        filter_expert=False,
    )
    projected = F.silu(projected.view(num_tokens, top_k, output_size))
    return (projected * routing_weights.to(projected).unsqueeze(-1)).sum(dim=1)
