from _left_out import _sparse_mla_split_decode_merge_flat_launch
import torch


@torch.library.custom_op(
    "b12x::sparse_mla_sm120_split_decode_merge",
    mutates_args=("output",),
)
def _sparse_mla_split_decode_merge_op(
    tmp_output: torch.Tensor,
    tmp_lse: torch.Tensor,
    num_chunks_ptr: torch.Tensor,
    output: torch.Tensor,
    attn_sink: torch.Tensor,
    contract_tmp_output: torch.Tensor,
    contract_tmp_lse: torch.Tensor,
    contract_output: torch.Tensor,
    static_num_chunks: int,
    has_attn_sink: bool,
) -> None:
    _sparse_mla_split_decode_merge_flat_launch(
        tmp_output,
        tmp_lse,
        num_chunks_ptr,
        output,
        attn_sink,
        contract_tmp_output,
        contract_tmp_lse,
        contract_output,
        static_num_chunks,
        has_attn_sink,
    )


@_sparse_mla_split_decode_merge_op.register_fake
def _sparse_mla_split_decode_merge_fake(
    tmp_output: torch.Tensor,
    tmp_lse: torch.Tensor,
    num_chunks_ptr: torch.Tensor,
    output: torch.Tensor,
    attn_sink: torch.Tensor,
    contract_tmp_output: torch.Tensor,
    contract_tmp_lse: torch.Tensor,
    contract_output: torch.Tensor,
    static_num_chunks: int,
    has_attn_sink: bool,
) -> None:
    return None
