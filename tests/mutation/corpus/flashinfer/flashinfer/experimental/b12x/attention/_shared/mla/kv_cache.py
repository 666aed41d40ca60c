from _left_out import _concat_and_cache_nvfp4_mla_fp8_rope_flat_launch, _glm_next_cache_writer_launch
from threading import RLock

import torch

from b12x._lib.compiler import (
    KernelCompileSpec,
    compile as compile_cute,
    run_compiled,
    tensor_compile_fact,
)


_GLM_NEXT_WRITER_LOCK = RLock()
_GLM_NEXT_WRITER_COMPILED: dict[tuple[int, int, torch.dtype], object] = {}


def _glm_next_cache_writer_signature(
    kv_c: torch.Tensor,
    kv_cache: torch.Tensor,
    slot_mapping: torch.Tensor,
) -> tuple[int, int, torch.dtype]:
    device_index = kv_c.device.index
    if device_index is None:
        device_index = torch.cuda.current_device()
    return int(device_index), int(kv_cache.shape[1]), slot_mapping.dtype


def _compile_glm_next_mla_cache_writer(
    kv_c: torch.Tensor,
    kv_cache: torch.Tensor,
    slot_mapping: torch.Tensor,
) -> object:
    signature = _glm_next_cache_writer_signature(kv_c, kv_cache, slot_mapping)
    with _GLM_NEXT_WRITER_LOCK:
        compiled = _GLM_NEXT_WRITER_COMPILED.get(signature)
    if compiled is None:
        kernel, args, spec = _glm_next_cache_writer_launch(kv_c, kv_cache, slot_mapping)
        compiled = compile_cute(kernel, *args, compile_spec=spec)
        with _GLM_NEXT_WRITER_LOCK:
            _GLM_NEXT_WRITER_COMPILED[signature] = compiled
    return compiled


def _concat_and_cache_glm_next_mla_flat_launch(
    kv_c: torch.Tensor,
    kv_cache: torch.Tensor,
    slot_mapping: torch.Tensor,
) -> None:
    if int(slot_mapping.shape[0]) == 0:
        return
    signature = _glm_next_cache_writer_signature(kv_c, kv_cache, slot_mapping)
    with _GLM_NEXT_WRITER_LOCK:
        compiled = _GLM_NEXT_WRITER_COMPILED.get(signature)
    if compiled is None:
        if torch.cuda.is_current_stream_capturing():
            raise RuntimeError(
                "GLM_NEXT cache-writer compile miss during CUDA graph capture; "
                "prepare its exact writer specialization before capture"
            )
        compiled = _compile_glm_next_mla_cache_writer(kv_c, kv_cache, slot_mapping)
    _, args, _ = _glm_next_cache_writer_launch(kv_c, kv_cache, slot_mapping)
    run_compiled(compiled, args)


@torch.library.custom_op(
    "b12x::concat_and_cache_glm_next_mla",
    mutates_args=("kv_cache",),
)
def _concat_and_cache_glm_next_mla_op(
    kv_c: torch.Tensor,
    kv_cache: torch.Tensor,
    slot_mapping: torch.Tensor,
) -> None:
    _concat_and_cache_glm_next_mla_flat_launch(kv_c, kv_cache, slot_mapping)


@_concat_and_cache_glm_next_mla_op.register_fake
def _concat_and_cache_glm_next_mla_fake(
    kv_c: torch.Tensor,
    kv_cache: torch.Tensor,
    slot_mapping: torch.Tensor,
) -> None:
    return None


@torch.library.custom_op(
    "b12x::concat_and_cache_nvfp4_mla_fp8_rope",
    mutates_args=("kv_cache",),
)
def _concat_and_cache_nvfp4_mla_fp8_rope_op(
    kv_c: torch.Tensor,
    k_pe: torch.Tensor,
    kv_cache: torch.Tensor,
    slot_mapping: torch.Tensor,
    per_token_scale: bool = False,
) -> None:
    _concat_and_cache_nvfp4_mla_fp8_rope_flat_launch(
        kv_c, k_pe, kv_cache, slot_mapping, per_token_scale
    )


@torch.library.custom_op(
    "b12x::concat_and_cache_glm_next_nvfp4_mla",
    mutates_args=("kv_cache",),
)
def _concat_and_cache_glm_next_nvfp4_mla_op(
    kv_c: torch.Tensor,
    kv_cache: torch.Tensor,
    slot_mapping: torch.Tensor,
) -> None:
    _concat_and_cache_nvfp4_mla_fp8_rope_flat_launch(
        kv_c,
        kv_c,
        kv_cache,
        slot_mapping,
        per_token_scale=True,
        has_rope=False,
    )


@_concat_and_cache_glm_next_nvfp4_mla_op.register_fake
def _concat_and_cache_glm_next_nvfp4_mla_fake(
    kv_c: torch.Tensor,
    kv_cache: torch.Tensor,
    slot_mapping: torch.Tensor,
) -> None:
    return None


@_concat_and_cache_nvfp4_mla_fp8_rope_op.register_fake
def _concat_and_cache_nvfp4_mla_fp8_rope_fake(
    kv_c: torch.Tensor,
    k_pe: torch.Tensor,
    kv_cache: torch.Tensor,
    slot_mapping: torch.Tensor,
    per_token_scale: bool = False,
) -> None:
    return None
