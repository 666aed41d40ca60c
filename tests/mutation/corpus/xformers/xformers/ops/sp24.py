# Copyright (c) Facebook, Inc. and its affiliates. All rights reserved.
#
# This source code is licensed under the BSD license found in the
# LICENSE file in the root directory of this source tree.

from _left_out import _cusplt_find_alg
from typing import Any, Callable, cast, Dict, List, Optional, Tuple, TypeVar

import torch

from .common import BaseOperator, get_operator, get_xformers_operator, register_operator


def _get_cusparselt_torch_version() -> Tuple[int, int, int]:
    if not torch.backends.cusparselt.is_available():
        return (0, 0, 0)
    version: Optional[int] = torch.backends.cusparselt.version()
    if version is None:
        return (0, 0, 0)
    return ((version // 10000) % 100, (version // 100) % 100, version % 100)


_cusplt_version = _get_cusparselt_torch_version()
_cusplt_version_str = ".".join(str(v) for v in _cusplt_version)


@register_operator
class Sp24GemmCusplt(BaseOperator):
    OPERATOR = get_operator("aten", "_cslt_sparse_mm")
    OPERATOR_CATEGORY = "sp24"
    NAME = f"_cslt_sparse_mm@{_cusplt_version_str}"


@torch.library.custom_op("xformers::_cusplt_mm", mutates_args=(), device_types=["cuda"])
def _cusplt_mm(
    shape: List[int],
    packed: torch.Tensor,
    B: torch.Tensor,
    bias: Optional[torch.Tensor],
    transpose_result: bool,
) -> torch.Tensor:
    alg_id = _cusplt_find_alg(
        shape, packed, B, bias=bias, transpose_result=transpose_result
    )
    return Sp24GemmCusplt.OPERATOR(
        packed, B, bias=bias, transpose_result=transpose_result, alg_id=alg_id
    )


@torch.library.register_fake("xformers::_cusplt_mm")
def _cusplt_mm_meta(
    shape: List[int],
    packed: torch.Tensor,
    B: torch.Tensor,
    bias: Optional[torch.Tensor],
    transpose_result: bool,
) -> torch.Tensor:
    M, K = shape
    N = B.shape[1]
    if transpose_result:
        return torch.empty([N, M], dtype=B.dtype, device=B.device)
    return torch.empty([M, N], dtype=B.dtype, device=B.device)
