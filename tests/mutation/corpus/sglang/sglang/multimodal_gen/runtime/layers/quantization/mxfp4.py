import torch

from sglang.srt.utils import is_gfx95_supported, is_hip
from sglang.srt.utils.common import direct_register_custom_op

_is_hip = is_hip()

if _is_hip:
    try:
        from aiter.ops.gemm_op_a4w4 import gemm_a4w4
        from aiter.utility.fp4_utils import dynamic_mxfp4_quant
    except ImportError as e:
        dynamic_mxfp4_quant = None
        gemm_a4w4 = None


if _is_hip and gemm_a4w4 is not None and dynamic_mxfp4_quant is not None:

    def _mxfp4_quant_gemm(
        x: torch.Tensor,
        weight: torch.Tensor,
        weight_scale: torch.Tensor,
    ) -> torch.Tensor:
        x_fp4, x_scale = dynamic_mxfp4_quant(x, shuffle=True)
        return gemm_a4w4(x_fp4, weight, x_scale, weight_scale)

    def _mxfp4_quant_gemm_fake(
        x: torch.Tensor,
        weight: torch.Tensor,
        weight_scale: torch.Tensor,
    ) -> torch.Tensor:
        # weight is [output_size_per_partition, ...]; gemm output is [M, N].
        return torch.empty(
            (x.shape[0], weight.shape[0]), dtype=x.dtype, device=x.device
        )

    direct_register_custom_op(
        op_name="mxfp4_diffusion_quant_gemm",
        op_func=_mxfp4_quant_gemm,
        mutates_args=[],
        fake_impl=_mxfp4_quant_gemm_fake,
    )
