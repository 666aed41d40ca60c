# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Copyright contributors to the vLLM project


from _left_out import ShapeDynamicSkinnyGemm
from dataclasses import dataclass

import torch


@dataclass(frozen=True, slots=True)
class SkinnyGemmConfig:
    num_rows: int
    block_size: int
    outputs_per_block: int
    k_unroll: int = 1
    vector_width: int = 8
    static_k: int | None = None


def row_stride_ok(a: torch.Tensor, config: SkinnyGemmConfig) -> bool:
    vector_bytes = config.vector_width * a.element_size()
    return (
        a.stride(1) == 1
        and a.stride(0) % config.vector_width == 0
        and a.data_ptr() % vector_bytes == 0
    )


shape_dynamic_skinny_gemm = ShapeDynamicSkinnyGemm()
