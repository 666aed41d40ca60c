import torch

from b12x.preparation.types import plan_from_handle, require_prepared


@torch.library.custom_op("b12x::bf16_gemv_small_n", mutates_args=())
def bf16_gemv_small_n(
    x: torch.Tensor,
    weight: torch.Tensor,
    plan_handle: int,
    bias: torch.Tensor | None = None,
    output_dtype: torch.dtype | None = None,
) -> torch.Tensor:
    state = require_prepared(plan_from_handle(plan_handle), "gemm.bf16_gemv", x.device)
    if output_dtype is not None and output_dtype != getattr(
        torch, state.query.output_dtype
    ):
        raise ValueError("output_dtype differs from preparation")
    return state.run(x, weight, bias=bias)


@bf16_gemv_small_n.register_fake
def _bf16_gemv_small_n_fake(
    x: torch.Tensor,
    weight: torch.Tensor,
    plan_handle: int,
    bias: torch.Tensor | None = None,
    output_dtype: torch.dtype | None = None,
) -> torch.Tensor:
    return x.new_empty(
        (x.shape[0], weight.shape[0]),
        dtype=x.dtype if output_dtype is None else output_dtype,
    )


@torch.library.custom_op("b12x::bf16_gemv_small_n_out", mutates_args=("out",))
def bf16_gemv_small_n_out(
    x: torch.Tensor,
    weight: torch.Tensor,
    out: torch.Tensor,
    plan_handle: int,
    bias: torch.Tensor | None = None,
) -> None:
    require_prepared(plan_from_handle(plan_handle), "gemm.bf16_gemv", x.device).run(
        x, weight, out=out, bias=bias
    )


@bf16_gemv_small_n_out.register_fake
def _bf16_gemv_small_n_out_fake(
    x: torch.Tensor,
    weight: torch.Tensor,
    out: torch.Tensor,
    plan_handle: int,
    bias: torch.Tensor | None = None,
) -> None:
    return None
