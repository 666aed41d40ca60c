from _left_out import _b12x_mhc_post_impl, _b12x_mhc_post_pre_impl, _b12x_mhc_pre_impl, _run_collapse_impl
import torch

from b12x.preparation.types import Plan, plan_from_handle, require_prepared

MHC_MULT = 4


def _prepared_state(plan, *, output_mode):
    state = require_prepared(plan, "norm.mhc")
    if state.query.output_mode != output_mode:
        raise ValueError("MHC output form differs from prepared invocation")
    return state


def _functional_output_metadata(residual):
    tokens, hidden = residual.shape[0], residual.shape[-1]
    return (
        torch.empty(
            (tokens, MHC_MULT, hidden), dtype=residual.dtype, device=residual.device
        ),
        torch.empty((tokens, MHC_MULT), dtype=torch.float32, device=residual.device),
        torch.empty(
            (tokens, MHC_MULT, MHC_MULT), dtype=torch.float32, device=residual.device
        ),
        torch.empty((tokens, hidden), dtype=residual.dtype, device=residual.device),
    )


@torch.library.custom_op("b12x::mhc_pre_planned_functional", mutates_args=())
def _mhc_pre_planned_functional_op(
    residual: torch.Tensor,
    fn: torch.Tensor,
    hc_scale: torch.Tensor,
    hc_base: torch.Tensor,
    norm_weight: torch.Tensor | None,
    rms_eps: float,
    hc_eps: float,
    sinkhorn_iters: int,
    norm_eps: float,
    plan_handle: int,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return _b12x_mhc_pre_impl(
        residual,
        fn,
        hc_scale,
        hc_base,
        norm_weight=norm_weight,
        rms_eps=rms_eps,
        hc_eps=hc_eps,
        sinkhorn_iters=sinkhorn_iters,
        norm_eps=norm_eps,
        _state=_prepared_state(plan_from_handle(plan_handle), output_mode="functional"),
    )


@_mhc_pre_planned_functional_op.register_fake
def _mhc_pre_planned_functional_fake(
    residual: torch.Tensor,
    fn: torch.Tensor,
    hc_scale: torch.Tensor,
    hc_base: torch.Tensor,
    norm_weight: torch.Tensor | None,
    rms_eps: float,
    hc_eps: float,
    sinkhorn_iters: int,
    norm_eps: float,
    plan_handle: int,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return _functional_output_metadata(residual)


@torch.library.custom_op(
    "b12x::mhc_pre_lagged_planned_functional", mutates_args=("pre_out",)
)
def _mhc_pre_lagged_planned_functional_op(
    residual: torch.Tensor,
    fn: torch.Tensor,
    hc_scale: torch.Tensor,
    hc_base: torch.Tensor,
    pre_mix: torch.Tensor,
    pre_out: torch.Tensor,
    norm_weight: torch.Tensor | None,
    rms_eps: float,
    hc_eps: float,
    sinkhorn_iters: int,
    norm_eps: float,
    plan_handle: int,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return _b12x_mhc_pre_impl(
        residual,
        fn,
        hc_scale,
        hc_base,
        pre_mix=pre_mix,
        pre_out=pre_out,
        norm_weight=norm_weight,
        rms_eps=rms_eps,
        hc_eps=hc_eps,
        sinkhorn_iters=sinkhorn_iters,
        norm_eps=norm_eps,
        _state=_prepared_state(plan_from_handle(plan_handle), output_mode="functional"),
    )


@_mhc_pre_lagged_planned_functional_op.register_fake
def _mhc_pre_lagged_planned_functional_fake(
    residual: torch.Tensor,
    fn: torch.Tensor,
    hc_scale: torch.Tensor,
    hc_base: torch.Tensor,
    pre_mix: torch.Tensor,
    pre_out: torch.Tensor,
    norm_weight: torch.Tensor | None,
    rms_eps: float,
    hc_eps: float,
    sinkhorn_iters: int,
    norm_eps: float,
    plan_handle: int,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return _functional_output_metadata(residual)


@torch.library.custom_op("b12x::mhc_post_pre_planned_functional", mutates_args=())
def _mhc_post_pre_planned_functional_op(
    x: torch.Tensor,
    residual: torch.Tensor,
    prev_post: torch.Tensor,
    prev_comb: torch.Tensor,
    fn: torch.Tensor,
    hc_scale: torch.Tensor,
    hc_base: torch.Tensor,
    fn_bf16: torch.Tensor | None,
    norm_weight: torch.Tensor | None,
    rms_eps: float,
    hc_eps: float,
    sinkhorn_iters: int,
    norm_eps: float,
    plan_handle: int,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return _b12x_mhc_post_pre_impl(
        x,
        residual,
        prev_post,
        prev_comb,
        fn,
        hc_scale,
        hc_base,
        norm_weight=norm_weight,
        fn_bf16=fn_bf16,
        rms_eps=rms_eps,
        hc_eps=hc_eps,
        sinkhorn_iters=sinkhorn_iters,
        norm_eps=norm_eps,
        _state=_prepared_state(plan_from_handle(plan_handle), output_mode="functional"),
    )


@_mhc_post_pre_planned_functional_op.register_fake
def _mhc_post_pre_planned_functional_fake(
    x: torch.Tensor,
    residual: torch.Tensor,
    prev_post: torch.Tensor,
    prev_comb: torch.Tensor,
    fn: torch.Tensor,
    hc_scale: torch.Tensor,
    hc_base: torch.Tensor,
    fn_bf16: torch.Tensor | None,
    norm_weight: torch.Tensor | None,
    rms_eps: float,
    hc_eps: float,
    sinkhorn_iters: int,
    norm_eps: float,
    plan_handle: int,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    return _functional_output_metadata(residual)


@torch.library.custom_op("b12x::mhc_post_planned_functional", mutates_args=())
def _mhc_post_planned_functional_op(
    x: torch.Tensor,
    residual: torch.Tensor,
    prev_post: torch.Tensor,
    prev_comb: torch.Tensor,
    plan_handle: int,
) -> torch.Tensor:
    return _b12x_mhc_post_impl(
        x,
        residual,
        prev_post,
        prev_comb,
        _state=_prepared_state(plan_from_handle(plan_handle), output_mode="functional"),
    )


@_mhc_post_planned_functional_op.register_fake
def _mhc_post_planned_functional_fake(
    x: torch.Tensor,
    residual: torch.Tensor,
    prev_post: torch.Tensor,
    prev_comb: torch.Tensor,
    plan_handle: int,
) -> torch.Tensor:
    return torch.empty_like(residual)


@torch.library.custom_op("b12x::mhc_collapse", mutates_args=("out",))
def _mhc_collapse_op(
    state: torch.Tensor,
    pre_mix: torch.Tensor | None,
    out: torch.Tensor,
    plan_handle: int,
) -> None:
    _run_collapse_impl(
        state,
        pre_mix,
        out=out,
        _state=_prepared_state(plan_from_handle(plan_handle), output_mode="provided"),
    )


@_mhc_collapse_op.register_fake
def _mhc_collapse_fake(
    state: torch.Tensor,
    pre_mix: torch.Tensor | None,
    out: torch.Tensor,
    plan_handle: int,
) -> None:
    del state, pre_mix, out, plan_handle
