import torch

from b12x.preparation.types import plan_from_handle, require_prepared


def _result_metadata(a, b, output_dtype):
    from b12x._lib.dense_gemm import _empty_dense_gemm_output

    return _empty_dense_gemm_output(
        a.shape[0], b.shape[0], a.shape[2], dtype=output_dtype, device=a.device
    )


@torch.library.custom_op("b12x::dense_prepared_functional", mutates_args=())
def _functional(
    a: torch.Tensor,
    sfa: torch.Tensor,
    b: torch.Tensor,
    sfb: torch.Tensor,
    alpha: torch.Tensor | None,
    output_dtype: torch.dtype,
    stream: int | None,
    plan_handle: int,
) -> torch.Tensor:
    state = require_prepared(plan_from_handle(plan_handle), "gemm.mm", a.device)
    return state.run(a, sfa, b, sfb, alpha, None, None, output_dtype, stream)


@_functional.register_fake
def _functional_fake(
    a: torch.Tensor,
    sfa: torch.Tensor,
    b: torch.Tensor,
    sfb: torch.Tensor,
    alpha: torch.Tensor | None,
    output_dtype: torch.dtype,
    stream: int | None,
    plan_handle: int,
) -> torch.Tensor:
    return _result_metadata(a, b, output_dtype)


@torch.library.custom_op(
    "b12x::dense_prepared_functional_workspace", mutates_args=("workspace",)
)
def _functional_workspace(
    a: torch.Tensor,
    sfa: torch.Tensor,
    b: torch.Tensor,
    sfb: torch.Tensor,
    alpha: torch.Tensor | None,
    workspace: torch.Tensor,
    output_dtype: torch.dtype,
    stream: int | None,
    plan_handle: int,
) -> torch.Tensor:
    state = require_prepared(plan_from_handle(plan_handle), "gemm.mm", a.device)
    return state.run(a, sfa, b, sfb, alpha, None, workspace, output_dtype, stream)


@_functional_workspace.register_fake
def _functional_workspace_fake(
    a: torch.Tensor,
    sfa: torch.Tensor,
    b: torch.Tensor,
    sfb: torch.Tensor,
    alpha: torch.Tensor | None,
    workspace: torch.Tensor,
    output_dtype: torch.dtype,
    stream: int | None,
    plan_handle: int,
) -> torch.Tensor:
    return _result_metadata(a, b, output_dtype)


@torch.library.custom_op("b12x::dense_prepared_out", mutates_args=("out",))
def _out(
    a: torch.Tensor,
    sfa: torch.Tensor,
    b: torch.Tensor,
    sfb: torch.Tensor,
    alpha: torch.Tensor | None,
    out: torch.Tensor,
    output_dtype: torch.dtype,
    stream: int | None,
    plan_handle: int,
) -> None:
    state = require_prepared(plan_from_handle(plan_handle), "gemm.mm", a.device)
    state.run(a, sfa, b, sfb, alpha, out, None, output_dtype, stream)


@_out.register_fake
def _out_fake(
    a: torch.Tensor,
    sfa: torch.Tensor,
    b: torch.Tensor,
    sfb: torch.Tensor,
    alpha: torch.Tensor | None,
    out: torch.Tensor,
    output_dtype: torch.dtype,
    stream: int | None,
    plan_handle: int,
) -> None:
    del a, sfa, b, sfb, alpha, out, output_dtype, stream, plan_handle


@torch.library.custom_op(
    "b12x::dense_prepared_out_workspace", mutates_args=("out", "workspace")
)
def _out_workspace(
    a: torch.Tensor,
    sfa: torch.Tensor,
    b: torch.Tensor,
    sfb: torch.Tensor,
    alpha: torch.Tensor | None,
    out: torch.Tensor,
    workspace: torch.Tensor,
    output_dtype: torch.dtype,
    stream: int | None,
    plan_handle: int,
) -> None:
    state = require_prepared(plan_from_handle(plan_handle), "gemm.mm", a.device)
    state.run(a, sfa, b, sfb, alpha, out, workspace, output_dtype, stream)


@_out_workspace.register_fake
def _out_workspace_fake(
    a: torch.Tensor,
    sfa: torch.Tensor,
    b: torch.Tensor,
    sfb: torch.Tensor,
    alpha: torch.Tensor | None,
    out: torch.Tensor,
    workspace: torch.Tensor,
    output_dtype: torch.dtype,
    stream: int | None,
    plan_handle: int,
) -> None:
    del a, sfa, b, sfb, alpha, out, workspace, output_dtype, stream, plan_handle
