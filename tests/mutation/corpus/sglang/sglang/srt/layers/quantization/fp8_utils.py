from typing import TYPE_CHECKING, Callable, List, Optional, Tuple, Union

import torch

from sglang.srt.runtime_context import (
    get_exec,
    get_platform,
)
from sglang.srt.utils import (
    ceil_align,
    ceil_div,
    get_bool_env_var,
    get_cuda_version,
    get_device_capability,
    get_device_sm,
    get_hip_version,
    is_cuda,
    is_flashinfer_available,
    is_gfx95_supported,
    is_gfx942_supported,
    is_gfx1250_supported,
    is_hip,
    is_musa,
    is_xpu,
    offloader,
)
from sglang.srt.utils.custom_op import register_custom_op


_is_cuda = is_cuda()


if _is_cuda:
    from sglang.srt.utils.patch_torch import register_fake_if_exists

    @register_fake_if_exists("sgl_kernel::fp8_scaled_mm")
    def _fp8_scaled_mm_abstract(mat_a, mat_b, scales_a, scales_b, out_dtype, bias=None):
        # mat_a: [M, K], mat_b: [K, N] or [N, K] depending on callsite layout; output is [M, N].
        M = mat_a.shape[-2]
        N = mat_b.shape[-1]
        return mat_a.new_empty((M, N), dtype=out_dtype)


def _fake_flashinfer_mxfp8_quantize(
    input: torch.Tensor,
    _is_sf_swizzled_layout: bool = True,
    alignment: int = 32,
    backend: str = "cute-dsl",
) -> Tuple[torch.Tensor, torch.Tensor]:
    m = input.numel() // input.shape[-1]
    k_aligned = ((input.shape[-1] + alignment - 1) // alignment) * alignment
    q_input = input.new_empty((m, k_aligned), dtype=torch.float8_e4m3fn)
    sf_columns = k_aligned // 32
    if _is_sf_swizzled_layout:
        padded_rows = ((m + 127) // 128) * 128
        padded_sf_columns = ((sf_columns + 3) // 4) * 4
        scale_size = padded_rows * padded_sf_columns
    else:
        scale_size = m * sf_columns
    scale = input.new_empty((scale_size,), dtype=torch.uint8)
    return q_input, scale


if get_platform().is_blackwell and is_flashinfer_available():
    from flashinfer import SfLayout
    from flashinfer import mxfp8_quantize as _raw_flashinfer_mxfp8_quantize


    @register_custom_op(
        op_name="flashinfer_mxfp8_quantize",
        mutates_args=[],
        fake_impl=_fake_flashinfer_mxfp8_quantize,
    )
    def flashinfer_mxfp8_quantize(
        input: torch.Tensor,
        is_sf_swizzled_layout: bool = True,
        alignment: int = 32,
        backend: str = "cute-dsl",
    ) -> Tuple[torch.Tensor, torch.Tensor]:
        return _raw_flashinfer_mxfp8_quantize(
            input,
            is_sf_swizzled_layout=is_sf_swizzled_layout,
            alignment=alignment,
            backend=backend,
            sf_swizzle_layout=(
                SfLayout.layout_128x4
                if is_sf_swizzled_layout
                else SfLayout.layout_linear
            ),
        )
