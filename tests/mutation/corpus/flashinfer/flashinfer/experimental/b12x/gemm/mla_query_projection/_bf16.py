from typing import Optional

import torch

from b12x.preparation.types import plan_from_handle, require_prepared


@torch.library.custom_op("b12x::mla_query_projection_bf16", mutates_args=("out",))
def _op(
    q_nope: torch.Tensor,
    weight: torch.Tensor,
    q_pe: torch.Tensor,
    q_scale: Optional[torch.Tensor],
    out: torch.Tensor,
    plan_handle: int,
) -> None:
    state = require_prepared(
        plan_from_handle(plan_handle), "gemm.mla_query_projection", q_nope.device
    )
    state.run(q_nope, weight, q_pe, out, q_scale=q_scale)


@_op.register_fake
def _fake(
    q_nope: torch.Tensor,
    weight: torch.Tensor,
    q_pe: torch.Tensor,
    q_scale: Optional[torch.Tensor],
    out: torch.Tensor,
    plan_handle: int,
) -> None:
    del q_nope, weight, q_pe, q_scale, out, plan_handle
