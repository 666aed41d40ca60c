from _left_out import _State
import torch
from b12x.preparation import Plan
from b12x.preparation.types import plan_from_handle, require_prepared


def bind(plan: Plan, **kwargs):
    state = require_prepared(plan, "attention.mla_compress")
    if not isinstance(state, _State):
        raise TypeError("plan does not own MLA compression")
    return state.bind(plan=plan, **kwargs)


@torch.library.custom_op(
    "b12x::mla_compress_ratio1",
    mutates_args=("out", "emitted", "emitted_slots"),
)
def _run_ratio1(
    plan_handle: int,
    values: torch.Tensor,
    weight: torch.Tensor,
    query_start_loc: torch.Tensor,
    positions: torch.Tensor,
    state_ids: torch.Tensor,
    destination_slots: torch.Tensor,
    live_counts: torch.Tensor,
    out: torch.Tensor,
    emitted: torch.Tensor,
    emitted_slots: torch.Tensor,
) -> None:
    binding = bind(
        plan_from_handle(plan_handle),
        values=values,
        weight=weight,
        query_start_loc=query_start_loc,
        positions=positions,
        state_ids=state_ids,
        destination_slots=destination_slots,
        live_counts=live_counts,
        out=out,
        emitted=emitted,
        emitted_slots=emitted_slots,
    )
    binding._state.run(binding)


@torch.library.register_fake("b12x::mla_compress_ratio1")
def _run_ratio1_fake(
    plan_handle: int,
    values: torch.Tensor,
    weight: torch.Tensor,
    query_start_loc: torch.Tensor,
    positions: torch.Tensor,
    state_ids: torch.Tensor,
    destination_slots: torch.Tensor,
    live_counts: torch.Tensor,
    out: torch.Tensor,
    emitted: torch.Tensor,
    emitted_slots: torch.Tensor,
) -> None:
    return None
