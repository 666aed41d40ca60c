from b12x.preparation.types import plan_from_handle, require_prepared


import torch


@torch.library.custom_op(
    "b12x::blockscaled_packed_mxfp8",
    mutates_args=(),
)
def _packed_mxfp8_op(
    source_2d: torch.Tensor,
    weight_values: torch.Tensor,
    weight_scale_mma: torch.Tensor,
    plan_handle: int,
    stream_int: int | None,
    expected_m: int | None = None,
) -> torch.Tensor:
    declaration = _fixed_plan(
        plan_handle,
        source_2d,
        weight_values,
        "mxfp8",
        source_2d.dtype,
        expected_m=expected_m,
    )
    state = require_prepared(declaration, "gemm.blockscaled.fixed", source_2d.device)
    return state.run_mxfp8(
        source_2d,
        weight_values,
        weight_scale_mma,
        out_dtype=source_2d.dtype,
        stream=stream_int,
    )


@_packed_mxfp8_op.register_fake
def _packed_mxfp8_fake(
    source_2d: torch.Tensor,
    weight_values: torch.Tensor,
    weight_scale_mma: torch.Tensor,
    plan_handle: int,
    stream_int: int | None,
    expected_m: int | None = None,
) -> torch.Tensor:
    del weight_scale_mma, plan_handle, stream_int
    return torch.empty(
        (source_2d.shape[0], weight_values.shape[0]),
        dtype=source_2d.dtype,
        device=source_2d.device,
    )


@torch.library.custom_op(
    "b12x::blockscaled_packed_mxfp8_prequantized",
    mutates_args=(),
    tags=(torch.Tag.needs_fixed_stride_order,),
)
def _packed_mxfp8_prequantized_op(
    source_values: torch.Tensor,
    source_scale_storage: torch.Tensor,
    weight_values: torch.Tensor,
    weight_scale_mma: torch.Tensor,
    plan_handle: int,
    out_dtype: torch.dtype,
    stream_int: int | None,
    expected_m: int | None = None,
) -> torch.Tensor:
    declaration = _fixed_plan(
        plan_handle,
        source_values,
        weight_values,
        "mxfp8",
        out_dtype,
        source_scale_storage,
        expected_m=expected_m,
    )
    state = require_prepared(
        declaration, "gemm.blockscaled.fixed", source_values.device
    )
    return state.run_mxfp8(
        source_values,
        weight_values,
        weight_scale_mma,
        source_scale=source_scale_storage,
        out_dtype=out_dtype,
        stream=stream_int,
    )


@_packed_mxfp8_prequantized_op.register_fake
def _packed_mxfp8_prequantized_fake(
    source_values: torch.Tensor,
    source_scale_storage: torch.Tensor,
    weight_values: torch.Tensor,
    weight_scale_mma: torch.Tensor,
    plan_handle: int,
    out_dtype: torch.dtype,
    stream_int: int | None,
    expected_m: int | None = None,
) -> torch.Tensor:
    del source_scale_storage, weight_scale_mma, plan_handle, stream_int
    return torch.empty(
        (source_values.shape[0], weight_values.shape[0]),
        dtype=out_dtype,
        device=source_values.device,
    )


def _fixed_plan(
    handle, source, weight, recipe, out_dtype, source_scale=None, *, expected_m=None
):
    if handle:
        return plan_from_handle(handle)
    from ._preparation import heuristic_plan
    from ._tuning import FixedBlockscaledQuery

    m, k = source.shape
    form = "none"
    if source_scale is not None:
        form = (
            "compact"
            if source_scale.ndim == 2 and source_scale.shape == (m, k // 32)
            else "mma"
            if source_scale.ndim == 6
            else "swizzled"
        )
    return heuristic_plan(
        FixedBlockscaledQuery(
            recipe=recipe,
            call_kind="packed",
            max_rows=m,
            in_features=k,
            padded_in_features=weight.shape[1],
            out_features=weight.shape[0],
            input_dtype=str(source.dtype).removeprefix("torch."),
            output_dtype=str(out_dtype).removeprefix("torch."),
            expected_m=expected_m,
            source_scale_form=form,
        ),
        source.device,
    )


@torch.library.custom_op(
    "b12x::blockscaled_packed_tensor_fp8",
    mutates_args=(),
)
def _packed_tensor_fp8_op(
    source_2d: torch.Tensor,
    weight_values: torch.Tensor,
    weight_scale_mma: torch.Tensor,
    weight_block_scale: torch.Tensor,
    output_scale: torch.Tensor,
    plan_handle: int,
    out_dtype: torch.dtype,
    stream_int: int | None,
    expected_m: int | None = None,
) -> torch.Tensor:
    declaration = _fixed_plan(
        plan_handle,
        source_2d,
        weight_values,
        "tensor_fp8",
        out_dtype,
        expected_m=expected_m,
    )
    state = require_prepared(declaration, "gemm.blockscaled.fixed", source_2d.device)
    return state.run_tensor_fp8(
        source_2d,
        weight_values,
        weight_scale_mma,
        weight_block_scale,
        output_scale,
        out_dtype=out_dtype,
        stream=stream_int,
    )


@_packed_tensor_fp8_op.register_fake
def _packed_tensor_fp8_fake(
    source_2d: torch.Tensor,
    weight_values: torch.Tensor,
    weight_scale_mma: torch.Tensor,
    weight_block_scale: torch.Tensor,
    output_scale: torch.Tensor,
    plan_handle: int,
    out_dtype: torch.dtype,
    stream_int: int | None,
    expected_m: int | None = None,
) -> torch.Tensor:
    del weight_scale_mma, weight_block_scale, output_scale, plan_handle, stream_int
    return torch.empty(
        (source_2d.shape[0], weight_values.shape[0]),
        dtype=out_dtype,
        device=source_2d.device,
    )
