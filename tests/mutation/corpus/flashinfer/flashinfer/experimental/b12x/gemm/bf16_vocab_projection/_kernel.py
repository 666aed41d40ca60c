import torch

from b12x.preparation.types import plan_from_handle, require_prepared


@torch.library.custom_op("b12x::bf16_vocab_projection", mutates_args=())
def bf16_vocab_projection(
    source: torch.Tensor,
    weight: torch.Tensor,
    plan_handle: int,
) -> torch.Tensor:
    """Execute an already prepared Torch or Triton projection backend."""
    state = require_prepared(
        plan_from_handle(plan_handle), "gemm.bf16_vocab_projection", source.device
    )
    return state.run(source, weight)


@bf16_vocab_projection.register_fake
def _bf16_vocab_projection_fake(
    source: torch.Tensor,
    weight: torch.Tensor,
    plan_handle: int,
) -> torch.Tensor:
    del plan_handle
    return source.new_empty((source.shape[0], weight.shape[0]))
