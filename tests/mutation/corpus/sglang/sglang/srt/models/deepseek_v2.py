# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Copyright contributors to the vLLM project
# Copyright 2023-2024 SGLang Team
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
# ==============================================================================

# Adapted from:
# https://github.com/vllm-project/vllm/blob/fb6af8bc086328ca6659e72d11ffd4309ce4de22/vllm/model_executor/models/deepseek_v2.py


from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    List,
    NamedTuple,
    Optional,
    Tuple,
    Union,
)

import torch

from sglang.srt.model_executor.runner_backend_utils.tc_piecewise_cuda_graph import (
    get_tc_piecewise_forward_context,
    is_in_tc_piecewise_cuda_graph,
)
from sglang.srt.runtime_context import (
    LoRABatchLayout,
    attention_backends,
    get_device,
    get_exec,
    get_forward,
    get_lora,
    get_model,
    get_parallel,
    get_platform,
    get_spec,
)
from sglang.srt.utils.custom_op import register_custom_op


def _fake_dsv4_dual_stream_outputs(
    hidden_states, layer_id, mlp_reduce_scatter, shared_replicated
):
    return torch.empty_like(hidden_states), (
        torch.empty_like(hidden_states)
        if shared_replicated
        else hidden_states.new_empty((0,))
    )


@register_custom_op(fake_impl=_fake_dsv4_dual_stream_outputs)
def dsv4_flashinfer_moe_dual_stream_outputs(
    hidden_states: torch.Tensor,
    layer_id: int,
    mlp_reduce_scatter: bool,
    shared_replicated: bool,
) -> Tuple[torch.Tensor, torch.Tensor]:
    return _run_dsv4_dual_stream_outputs(
        hidden_states, layer_id, mlp_reduce_scatter, shared_replicated
    )


def _run_dsv4_dual_stream_outputs(
    hidden_states: torch.Tensor,
    layer_id: int,
    mlp_reduce_scatter: bool,
    shared_replicated: bool,
) -> Tuple[torch.Tensor, torch.Tensor]:
    forward_context = get_tc_piecewise_forward_context()
    assert forward_context is not None and forward_context.moe_fusions is not None
    moe = forward_context.moe_fusions[layer_id]
    assert moe is not None
    with get_forward().scoped(
        mlp_reduce_scatter=mlp_reduce_scatter,
        flashinfer_trtllm_bypass=True,
        lora_batch_layout=LoRABatchLayout.TP_GLOBAL,
        defer_moe_finalize=False,
    ):
        pieces = moe.forward_normal_dual_stream(hidden_states, leave_output_sum=True)
        assert pieces.shared_is_replicated == shared_replicated
        merged = pieces.get_merged()
        return merged, pieces.shared if shared_replicated else merged.new_empty((0,))
