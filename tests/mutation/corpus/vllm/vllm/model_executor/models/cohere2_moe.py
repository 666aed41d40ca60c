# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Copyright contributors to the vLLM project


from _left_out import Cohere2MoeDecoderLayer
import torch

from vllm.forward_context import get_forward_context
from vllm.utils.torch_utils import (
    LayerNameType,
    _encode_layer_name,
    _resolve_layer_name,
    direct_register_custom_op,
)


def _dual_stream_layer(layer_name: LayerNameType) -> "Cohere2MoeDecoderLayer":
    layer = get_forward_context().no_compile_layers[_resolve_layer_name(layer_name)]
    assert isinstance(layer, Cohere2MoeDecoderLayer)
    return layer


def _cohere2_mlp_fork(
    hidden_states: torch.Tensor, layer_name: LayerNameType
) -> torch.Tensor:
    return _dual_stream_layer(layer_name)._fork_mlp(hidden_states)


def _cohere2_mlp_fork_fake(
    hidden_states: torch.Tensor, layer_name: LayerNameType
) -> torch.Tensor:
    return torch.empty_like(hidden_states)


def _cohere2_mlp_join(
    attn_output: torch.Tensor, mlp_output: torch.Tensor, layer_name: LayerNameType
) -> torch.Tensor:
    return _dual_stream_layer(layer_name)._join_mlp(attn_output, mlp_output)


def _cohere2_mlp_join_fake(
    attn_output: torch.Tensor, mlp_output: torch.Tensor, layer_name: LayerNameType
) -> torch.Tensor:
    return torch.empty_like(attn_output)


direct_register_custom_op(
    op_name="cohere2_mlp_fork",
    op_func=_cohere2_mlp_fork,
    fake_impl=_cohere2_mlp_fork_fake,
    tags=(torch.Tag.needs_fixed_stride_order,),
)
direct_register_custom_op(
    op_name="cohere2_mlp_join",
    op_func=_cohere2_mlp_join,
    fake_impl=_cohere2_mlp_join_fake,
    tags=(torch.Tag.needs_fixed_stride_order,),
)
