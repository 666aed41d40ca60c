# Copyright (c) Meta Platforms, Inc. and affiliates.
# All rights reserved.
#
# This source code is licensed under the BSD 3-Clause license found in the
# LICENSE file in the root directory of this source tree.


from typing import List, Optional, Tuple

import torch
from torch.library import custom_op


@custom_op("float8_sparse::fp8_sparse_mm", mutates_args=())
def fp8_sparse_mm(
    dense: torch.Tensor,
    packed: torch.Tensor,
    bias: Optional[torch.Tensor],
    alpha: torch.Tensor,
    out_features: int,
    min_size: int,
    alg_id: int = 0,
) -> torch.Tensor:
    batch, k = dense.shape
    to_pad = (-batch) % min_size
    if to_pad:
        dense = torch.nn.functional.pad(dense, (0, 0, 0, to_pad))
    result = torch._cslt_sparse_mm(
        packed,
        dense.t(),
        bias=bias,
        alpha=alpha,
        out_dtype=torch.float32,
        alg_id=alg_id,
        transpose_result=True,
    )
    if to_pad:
        result = result.narrow(0, 0, batch)
    return result


@fp8_sparse_mm.register_fake
def _fp8_sparse_mm_fake(
    dense: torch.Tensor,
    packed: torch.Tensor,
    bias: Optional[torch.Tensor],
    alpha: torch.Tensor,
    out_features: int,
    min_size: int,
    alg_id: int = 0,
) -> torch.Tensor:
    batch = dense.shape[0]
    return torch.empty(
        batch,
        out_features,
        dtype=torch.float32,
        device=dense.device,
    )
