# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: Copyright contributors to the vLLM project

import functools
import importlib
import importlib.metadata
import importlib.util
import os
import shutil
from collections.abc import Callable
from typing import Any, NoReturn

import torch

import vllm.envs as envs
from vllm.logger import init_logger
from vllm.platforms import current_platform
from vllm.utils.math_utils import cdiv

logger = init_logger(__name__)


def flashinfer_bf16_mm(
    a: torch.Tensor,
    b: torch.Tensor,
    bias: torch.Tensor | None,
    pdl: bool,
    backend: str,
) -> torch.Tensor:
    from flashinfer import mm_bf16

    return mm_bf16(
        a,
        b,
        bias=bias,
        pdl=pdl,
        out_dtype=torch.bfloat16,
        backend=backend,
    )


_DEFAULT_CUDA_HOME = "/usr/local/cuda"


def _flashinfer_nvcc_path() -> str | None:
    cuda_home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH")
    if not cuda_home:
        nvcc = shutil.which("nvcc")
        cuda_home = (
            os.path.dirname(os.path.dirname(nvcc)) if nvcc else _DEFAULT_CUDA_HOME
        )
    return shutil.which(os.path.join(cuda_home, "bin", "nvcc"))


@functools.cache
def has_flashinfer_cubin() -> bool:
    """Return `True` if flashinfer-cubin package is available."""
    if envs.VLLM_HAS_FLASHINFER_CUBIN:
        return True
    if importlib.util.find_spec("flashinfer_cubin") is not None:
        return True
    logger.debug_once("flashinfer-cubin package was not found")
    return False


@functools.cache
def has_flashinfer() -> bool:
    """Return `True` if flashinfer-python package is available."""
    # Use find_spec to check if the module exists without importing it
    # This avoids potential CUDA initialization side effects
    if importlib.util.find_spec("flashinfer") is None:
        logger.debug_once("FlashInfer unavailable since package was not found")
        return False
    # FlashInfer's JIT runs nvcc and `ninja` (from PATH).
    if not has_flashinfer_cubin() and (
        _flashinfer_nvcc_path() is None or shutil.which("ninja") is None
    ):
        logger.warning_once(
            "FlashInfer kernels are disabled: flashinfer-cubin is not installed "
            "and nvcc (CUDA_HOME, CUDA_PATH, PATH or /usr/local/cuda) or ninja "
            "(PATH) is missing. Set CUDA_HOME to a CUDA toolkit and put ninja on "
            "PATH, or run `vllm download-kernels`."
        )
        return False
    return True


@functools.cache
def has_flashinfer_bf16_gemm() -> bool:
    """Return whether FlashInfer exposes the BF16 dense GEMM API."""
    if not has_flashinfer():
        return False
    mod = _get_submodule("flashinfer")
    return mod is not None and callable(getattr(mod, "mm_bf16", None))


@functools.cache
def is_flashinfer_bf16_gemm_supported(
    backend: str,
    compute_capability: int | None = None,
) -> bool:
    """Return whether an exact FlashInfer BF16 backend is available."""
    if not current_platform.is_cuda() or not has_flashinfer_bf16_gemm():
        return False

    mod = _get_submodule("flashinfer")
    mm_bf16 = getattr(mod, "mm_bf16", None) if mod is not None else None
    backend_supported = getattr(mm_bf16, "is_backend_supported", None)
    if not callable(backend_supported):
        return False

    if compute_capability is None:
        device_capability = current_platform.get_device_capability()
        if device_capability is None:
            return False
        compute_capability = device_capability.to_int()

    try:
        return bool(backend_supported(backend, compute_capability))
    except (AttributeError, ImportError, RuntimeError, TypeError, ValueError):
        return False


@functools.cache
def is_flashinfer_cutedsl_bf16_gemm_supported() -> bool:
    """Return whether the CuTeDSL BF16 dense GEMM backend is available."""
    if not is_flashinfer_bf16_gemm_supported("cute-dsl"):
        return False
    try:
        from flashinfer.cute_dsl.utils import is_cute_dsl_available
        from flashinfer.utils import is_sm100a_supported
    except (ImportError, ModuleNotFoundError):
        return False
    try:
        return is_cute_dsl_available() and is_sm100a_supported(torch.device("cuda"))
    except (RuntimeError, TypeError, ValueError):
        return False


def _missing(*_: Any, **__: Any) -> NoReturn:
    """Placeholder for unavailable FlashInfer backend."""
    raise RuntimeError(
        "FlashInfer backend is not available. Please install the package "
        "to enable FlashInfer kernels: "
        "https://github.com/flashinfer-ai/flashinfer"
    )


def _get_submodule(module_name: str) -> Any | None:
    """Safely import a submodule and return it, or None if not available."""
    try:
        return importlib.import_module(module_name)
    except (ImportError, ModuleNotFoundError):
        return None


def _lazy_import_wrapper(
    module_name: str, attr_name: str, fallback_fn: Callable[..., Any] = _missing
):
    """Create a lazy import wrapper for a specific function."""

    @functools.cache
    def _get_impl():
        if not has_flashinfer():
            return None
        mod = _get_submodule(module_name)
        return getattr(mod, attr_name, None) if mod else None

    def wrapper(*args, **kwargs):
        impl = _get_impl()
        if impl is None:
            return fallback_fn(*args, **kwargs)
        return impl(*args, **kwargs)

    return wrapper


if has_flashinfer():


    @torch.library.custom_op(
        "vllm::flashinfer_mm_bf16_fp4",
        mutates_args=[],
        device_types="cuda",
    )
    def flashinfer_mm_bf16_fp4(
        A: torch.Tensor,
        B: torch.Tensor,
        B_scale: torch.Tensor,
        global_scale: torch.Tensor,
    ) -> torch.Tensor:
        from flashinfer.gemm import mm_bf16_fp4

        return mm_bf16_fp4(
            A,
            B,
            B_scale,
            global_scale,
            backend="cute-dsl",
        )

    @torch.library.register_fake(
        "vllm::flashinfer_mm_bf16_fp4",
    )
    def flashinfer_mm_bf16_fp4_fake(
        A: torch.Tensor,
        B: torch.Tensor,
        B_scale: torch.Tensor,
        global_scale: torch.Tensor,
    ) -> torch.Tensor:
        output_size = B.shape[0] if B.dtype == torch.uint8 else B.shape[1] // 2
        return torch.empty(A.shape[0], output_size, dtype=A.dtype, device=A.device)

    @torch.library.custom_op(
        "vllm::flashinfer_mxfp4_quantize",
        mutates_args=[],
        device_types="cuda",
    )
    def flashinfer_mxfp4_quantize(
        a: torch.Tensor,
        backend: str,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        from flashinfer import mxfp4_quantize as _mxfp4_quantize

        return _mxfp4_quantize(a, backend=backend)

    @torch.library.register_fake("vllm::flashinfer_mxfp4_quantize")
    def flashinfer_mxfp4_quantize_fake(
        a: torch.Tensor,
        backend: str,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        m, k = a.shape
        sf_vec_size = 32
        padded_m = cdiv(m, 128) * 128
        sf_cols = cdiv(k // sf_vec_size, 4) * 4
        return (
            torch.empty(m, k // 2, dtype=torch.uint8, device=a.device),
            torch.empty(padded_m, sf_cols, dtype=torch.uint8, device=a.device),
        )

    @torch.library.custom_op(
        "vllm::bmm_fp8",
        mutates_args=[],
        device_types="cuda",
    )
    def bmm_fp8(
        A: torch.Tensor,
        B: torch.Tensor,
        A_scale: torch.Tensor,
        B_scale: torch.Tensor,
        dtype: torch.dtype,
        backend: str,
    ) -> torch.Tensor:
        from flashinfer import bmm_fp8 as bmm_fp8_

        return bmm_fp8_(A, B, A_scale, B_scale, dtype, None, backend)

    @torch.library.register_fake(
        "vllm::bmm_fp8",
    )
    def bmm_fp8_fake(
        A: torch.Tensor,
        B: torch.Tensor,
        A_scale: torch.Tensor,
        B_scale: torch.Tensor,
        dtype: torch.dtype,
        backend: str,
    ) -> torch.Tensor:
        return torch.empty(
            A.shape[0], A.shape[1], B.shape[2], dtype=dtype, device=A.device
        )

    @torch.library.custom_op(
        "vllm::flashinfer_nvfp4_quantize",
        mutates_args=[],
        device_types="cuda",
    )
    def flashinfer_nvfp4_quantize(
        a: torch.Tensor, a_global_sf: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        from flashinfer import SfLayout
        from flashinfer import nvfp4_quantize as nvfp4_quantize_

        return nvfp4_quantize_(
            a, a_global_sf, sfLayout=SfLayout.layout_8x4, do_shuffle=False
        )

    @torch.library.register_fake(
        "vllm::flashinfer_nvfp4_quantize",
    )
    def flashinfer_nvfp4_quantize_fake(
        a: torch.Tensor, a_global_sf: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        m, n = a.shape

        round_up = lambda x, y: (x + y - 1) // y * y

        rounded_m = round_up(m, 8)
        scale_n = n // 16
        rounded_n = round_up(scale_n, 4)

        return torch.empty(m, n // 2, dtype=torch.uint8, device=a.device), torch.empty(
            rounded_m, rounded_n, dtype=torch.uint8, device=a.device
        )

    @torch.library.custom_op(
        "vllm::flashinfer_mxfp8_quantize_8x4",
        mutates_args=[],
        device_types="cuda",
    )
    def flashinfer_mxfp8_quantize_8x4(
        a: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        from flashinfer import SfLayout
        from flashinfer import mxfp8_quantize as mxfp8_quantize_

        return mxfp8_quantize_(
            a,
            backend="cuda",
            sf_swizzle_layout=SfLayout.layout_8x4,
        )

    @torch.library.register_fake(
        "vllm::flashinfer_mxfp8_quantize_8x4",
    )
    def flashinfer_mxfp8_quantize_8x4_fake(
        a: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        m, k = a.shape
        scale_size = cdiv(m, 8) * 8 * cdiv(k // 32, 4) * 4
        return (
            torch.empty(m, k, dtype=torch.float8_e4m3fn, device=a.device),
            torch.empty(scale_size, dtype=torch.uint8, device=a.device),
        )


flashinfer_fp8_blockscale_gemm = _lazy_import_wrapper(
    "flashinfer.gemm", "fp8_blockscale_gemm_sm90"
)
