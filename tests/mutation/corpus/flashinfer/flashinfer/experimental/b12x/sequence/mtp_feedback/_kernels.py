import torch

from b12x.preparation.types import plan_from_handle, require_prepared


@torch.library.custom_op(
    "b12x::mtp_feedback",
    mutates_args=("scratch", "output"),
)
def _mtp_feedback_op(
    token_embedding: torch.Tensor,
    multi_state: torch.Tensor,
    token_norm_weight: torch.Tensor,
    state_norm_weight: torch.Tensor,
    embedding_fc_weight: torch.Tensor,
    hidden_fc_weight: torch.Tensor,
    scratch: torch.Tensor,
    output: torch.Tensor,
    eps: float,
    plan_handle: int,
) -> None:
    state = require_prepared(
        plan_from_handle(plan_handle), "sequence.mtp_feedback", token_embedding.device
    )
    state.run_tensors(
        token_embedding,
        multi_state,
        token_norm_weight,
        state_norm_weight,
        embedding_fc_weight,
        hidden_fc_weight,
        scratch,
        output,
        eps=eps,
    )


@_mtp_feedback_op.register_fake
def _mtp_feedback_fake(
    token_embedding: torch.Tensor,
    multi_state: torch.Tensor,
    token_norm_weight: torch.Tensor,
    state_norm_weight: torch.Tensor,
    embedding_fc_weight: torch.Tensor,
    hidden_fc_weight: torch.Tensor,
    scratch: torch.Tensor,
    output: torch.Tensor,
    eps: float,
    plan_handle: int,
) -> None:
    del token_embedding, multi_state, token_norm_weight, state_norm_weight
    del embedding_fc_weight, hidden_fc_weight, scratch, output, eps, plan_handle
