# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Copyright contributors to the vLLM project


from _left_out import Sm100BF16x3RouterGemm, _TILE_CONFIG_OVERRIDES, _splitk_reduce_kernel
import torch

from vllm.triton_utils import tl, triton
from vllm.utils import math_utils
from vllm.utils.torch_utils import direct_register_custom_op


def _splitk_reduce_config(split_k: int) -> tuple[int, int, int]:
    block_s = triton.next_power_of_2(split_k)
    if block_s >= 64:
        return 1, 32, block_s
    if block_s >= 8:
        return 1, 256, block_s
    return min(16, 32 // block_s), 32, block_s


def splitk_reduce_triton(partials: torch.Tensor, out: torch.Tensor):
    split_k, N, M = partials.shape
    split_stride = partials.stride(0)
    BN, BM, block_s = _splitk_reduce_config(split_k)
    grid = (triton.cdiv(N, BN), triton.cdiv(M, BM))
    _splitk_reduce_kernel[grid](
        partials,
        out,
        N,
        M,
        split_stride,
        split_k,
        BN=BN,
        BM=BM,
        BS=block_s,
        USE_PDL=True,
        num_warps=4,
        launch_pdl=True,
    )


def _pick_tile_config(N: int, K: int, M: int, num_sms: int) -> tuple[int, int]:
    """Return (BN, split_k): tuned table mid-range, generic rule otherwise."""
    k_tiles = math_utils.cdiv(K, 64)

    if 32 < N <= 512:
        token_bucket = triton.next_power_of_2(N)
        overrides = _TILE_CONFIG_OVERRIDES.get((K, M))
        if overrides is not None and token_bucket in overrides:
            BN, split_k = overrides[token_bucket]
            return BN, min(split_k, k_tiles)

    # next power of 2 within 8 and 128
    BN = triton.next_power_of_2(N)
    BN = min(max(BN, 8), 128)

    grid_m = math_utils.cdiv(M, 128)
    grid_n = math_utils.cdiv(N, BN)
    base_ctas = grid_m * grid_n
    split_k = min(k_tiles, max(1, num_sms // base_ctas))
    return BN, split_k


def _bf16x3_router_gemm(X: torch.Tensor, W: torch.Tensor) -> torch.Tensor:
    """Return ``X @ W.T`` using the SM100 BF16x3 router GEMM kernel."""
    N, K = X.shape
    M, _ = W.shape
    if N == 0:
        return X.new_empty((N, M), dtype=torch.float32)
    num_sms = torch.cuda.get_device_properties(X.device).multi_processor_count

    BN, split_k = _pick_tile_config(N, K, M, num_sms)

    partials = X.new_empty(split_k, N, M, dtype=torch.float32)
    Sm100BF16x3RouterGemm.compile(K, BN)(X, W, partials, split_k)

    if split_k == 1:
        return partials.squeeze(0)

    out = X.new_empty(N, M, dtype=torch.float32)
    splitk_reduce_triton(partials, out)
    return out


def _bf16x3_router_gemm_fake(
    X: torch.Tensor,
    W: torch.Tensor,
) -> torch.Tensor:
    return X.new_empty((X.shape[0], W.shape[0]), dtype=torch.float32)


direct_register_custom_op(
    op_name="bf16x3_router_gemm",
    op_func=_bf16x3_router_gemm,
    fake_impl=_bf16x3_router_gemm_fake,
)
