from _left_out import _run_wo_b_quant_kernel, empty_mxfp8_rows_bases
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class MXFP8Rows:

    values: torch.Tensor
    scale_rows: torch.Tensor
    scale_mma: torch.Tensor
    values_tiled: torch.Tensor | None = None


def mxfp8_rows_from_bases(
    values_base: torch.Tensor,
    scale_rows_base: torch.Tensor,
    scale_physical_base: torch.Tensor,
    m: int,
    k: int,
    *,
    num_groups: int,
) -> MXFP8Rows:
    """Rebuild the dense-GEMM MXFP8Rows views over contiguous bases (pure views)."""
    if num_groups == 1:
        values = values_base
    else:
        values = values_base.as_strided((m, k, num_groups), (k, 1, m * k))
    scale_rows = scale_rows_base.view(torch.float8_e8m0fnu)
    scale_mma = scale_physical_base.view(torch.float8_e8m0fnu).permute(3, 4, 1, 5, 2, 0)
    return MXFP8Rows(values=values, scale_rows=scale_rows, scale_mma=scale_mma)


@torch.library.custom_op(
    "b12x::quantize_wo_b_input_mxfp8_alloc",
    mutates_args=(),
)
def _quantize_wo_b_input_mxfp8_alloc_op(
    source_trg: torch.Tensor,
    tokens: int,
    rank: int,
    groups: int,
    width: int,
    initialize_scales: bool,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    # Functional (allocate + return) quantizer; materializes + writes the MXFP8
    # output views INSIDE the op, returns the contiguous bases (see WO-A _alloc).
    values_base, scale_rows_base, scale_physical_base = empty_mxfp8_rows_bases(
        tokens,
        width,
        num_groups=1,
        device=source_trg.device,
        initialize_scales=initialize_scales,
    )
    out = mxfp8_rows_from_bases(
        values_base, scale_rows_base, scale_physical_base, tokens, width, num_groups=1
    )
    _run_wo_b_quant_kernel(
        source_trg,
        out.values,
        out.scale_rows,
        out.scale_mma,
        tokens,
        rank,
        groups,
        width,
    )
    return values_base, scale_rows_base, scale_physical_base


@_quantize_wo_b_input_mxfp8_alloc_op.register_fake
def _quantize_wo_b_input_mxfp8_alloc_fake(
    source_trg: torch.Tensor,
    tokens: int,
    rank: int,
    groups: int,
    width: int,
    initialize_scales: bool,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return empty_mxfp8_rows_bases(
        tokens,
        width,
        num_groups=1,
        device=source_trg.device,
        initialize_scales=initialize_scales,
    )


@torch.library.custom_op(
    "b12x::quantize_wo_b_input_mxfp8_launch",
    mutates_args=("out_values", "out_scale_rows", "out_scale_mma"),
)
def _quantize_wo_b_input_mxfp8_launch_op(
    source_trg: torch.Tensor,
    out_values: torch.Tensor,
    out_scale_rows: torch.Tensor,
    out_scale_mma: torch.Tensor,
    tokens: int,
    rank: int,
    groups: int,
    width: int,
) -> None:
    # Mutating variant for the eager `out`-provided path (see WO-A _launch).
    _run_wo_b_quant_kernel(
        source_trg,
        out_values,
        out_scale_rows,
        out_scale_mma,
        tokens,
        rank,
        groups,
        width,
    )


@_quantize_wo_b_input_mxfp8_launch_op.register_fake
def _quantize_wo_b_input_mxfp8_launch_fake(
    source_trg: torch.Tensor,
    out_values: torch.Tensor,
    out_scale_rows: torch.Tensor,
    out_scale_mma: torch.Tensor,
    tokens: int,
    rank: int,
    groups: int,
    width: int,
) -> None:
    return None
