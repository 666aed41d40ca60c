"""Environment variables that C++ or the CUDA driver reads: the part no script can read out of torch's Python code.

Each entry names its source: `release file:line` with paths below `torch/`, a file of the pytorch repository, the
strings of a library of the wheel (which show that a release has the variable, not what it does), or a manual.
"""

from __future__ import annotations

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.torch_api.versions import SUPPORTED, VersionSet

Understood = tuple[VersionSet, str, tuple[str, ...]]
"""The minors, and how their code understands the text: `how` and `words` as in `understanding`."""


@dataclass(frozen=True, slots=True)
class NativeVariable:
    """`read` says when: setting the variable later than that changes nothing."""

    understood: tuple[Understood, ...]
    read: str
    source: str

    @property
    def versions(self) -> VersionSet:
        """The minors that read the variable."""
        versions = VersionSet()
        for some, _, _ in self.understood:
            versions |= some
        return versions


def _all(how: str, *words: str) -> tuple[Understood, ...]:
    return ((SUPPORTED, how, words),)


def _since(first: str, how: str, *words: str) -> tuple[Understood, ...]:
    return ((VersionSet.since(first), how, words),)


_CHECK_ENV = "check_env: 2.13.0 include/c10/util/env.h:20-26 (other texts than 0 and 1 are ignored with a warning)"
_FIRST_USE = "once in a process, where it is first needed"
_CUDA_START = "when the process starts to use CUDA"
_LIBRARY_LOAD = "once in a process, when the library starts its threads"
_NCCL_START = "when NCCL starts in the process"

NATIVE: dict[str, NativeVariable] = {
    # Packages of AOTInductor, where they run
    "AOTI_RUNTIME_CHECK_INPUTS": NativeVariable(
        (
            (VersionSet(["2.7"]), "truthy", ()),
            (VersionSet.since("2.8"), "differs at the start", ("0",)),
        ),
        "once for each loaded package, at its first call; nothing reads it when the package is compiled",
        "2.7.1 _inductor/codegen/cpp_wrapper_cpu.py:409 (only an empty text is off, 0 is on), 2.8.0 :480, 2.15.0 :1019",
    ),
    "AOTI_CUDA_COPY_CHUNK_SIZE": NativeVariable(
        _since("2.13", "number"),
        "once for each loaded package, when its weights are first copied",
        "2.13.0 include/torch/csrc/inductor/aoti_runtime/model_base.h:444; in no file of 2.12.1",
    ),
    "AOTI_CUDA_COPY_SLEEP_US": NativeVariable(
        _since("2.13", "number"),
        "once for each loaded package, when its weights are first copied",
        "2.13.0 include/torch/csrc/inductor/aoti_runtime/model_base.h:445; in no file of 2.12.1",
    ),
    # Memory of CUDA
    "PYTORCH_NO_CUDA_MEMORY_CACHING": NativeVariable(
        ((SUPPORTED - VersionSet.since("2.11"), "text", ()), (VersionSet.since("2.11"), "switch", ())),
        "once in a process, at the first allocation on CUDA",
        "run on 2.11.0+cu130: 1 turns caching off, 0 leaves it on, other texts are ignored with a warning; older "
        "releases, where a public copy of c10/cuda/CUDACachingAllocator.cpp asks only whether it is set, were not run",
    ),
    "PYTORCH_CUDA_ALLOC_CONF": NativeVariable(
        _all("text"),
        "once in a process, when CUDA memory is first allocated",
        "2.5.1 include/c10/cuda/CUDAAllocatorConfig.h:75, 2.13.0 :136",
    ),
    "PYTORCH_ALLOC_CONF": NativeVariable(
        _since("2.9", "text"),
        "once in a process, when memory of an accelerator is first allocated",
        "2.9.1 include/c10/core/AllocatorConfig.h:149, 2.13.0 include/c10/cuda/CUDAAllocatorConfig.h:146 "
        "(when PYTORCH_CUDA_ALLOC_CONF is not set); in no file of 2.8.0",
    ),
    # CUDA
    "CUDA_LAUNCH_BLOCKING": NativeVariable(
        _all("flag"),
        _CUDA_START,
        "CUDA C++ programming guide, CUDA environment variables; for torch's own messages other texts than 0 and 1 are "
        "ignored with a warning (pytorch c10/cuda/CUDAMiscFunctions.cpp); not run",
    ),
    "CUDA_VISIBLE_DEVICES": NativeVariable(
        _all("text"), _CUDA_START, "CUDA C++ programming guide, CUDA environment variables"
    ),
    "CUDA_MODULE_LOADING": NativeVariable(
        _all("text"), _CUDA_START, "CUDA C++ programming guide, CUDA environment variables"
    ),
    "CUBLAS_WORKSPACE_CONFIG": NativeVariable(
        _all("text"),
        "when the first handle of cuBLAS is made",
        "cuBLAS manual, results reproducibility; 2.13.0 _inductor/fx_passes/numeric_utils.py:22 sets it",
    ),
    "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE": NativeVariable(
        _all("switch"), _FIRST_USE, f"2.13.0 include/ATen/Context.h:497; {_CHECK_ENV}"
    ),
    "TORCH_LINALG_PREFER_CUSOLVER": NativeVariable(
        _all("switch"), _FIRST_USE, f"2.13.0 include/ATen/Context.h:513; {_CHECK_ENV}"
    ),
    "TORCH_BLAS_PREFER_CUBLASLT": NativeVariable(
        _all("switch"), _FIRST_USE, f"2.13.0 include/ATen/Context.h:518; {_CHECK_ENV}"
    ),
    "TORCH_CUDNN_V8_API_DISABLED": NativeVariable(
        _all("switch"), _FIRST_USE, f"2.13.0 include/ATen/native/ConvUtils.h:98; {_CHECK_ENV}"
    ),
    "TORCH_CUDNN_V8_API_DEBUG": NativeVariable(
        _all("switch"), _FIRST_USE, f"2.13.0 include/ATen/native/ConvUtils.h:99; {_CHECK_ENV}"
    ),
    # Errors and logs of C++
    "TORCH_SHOW_CPP_STACKTRACES": NativeVariable(
        _all("switch"),
        "once in a process, at the first error raised in C++",
        f"pytorch torch/csrc/utils/cpp_stacktraces.cpp; strings of libtorch_cpu in 2.4.1 to 2.15.0; {_CHECK_ENV}",
    ),
    "TORCH_DISABLE_ADDR2LINE": NativeVariable(
        _all("switch"),
        "once in a process, at the first stack trace of C++",
        f"pytorch torch/csrc/utils/cpp_stacktraces.cpp; strings of libtorch_cpu in 2.4.1 to 2.15.0; {_CHECK_ENV}",
    ),
    "TORCH_SYMBOLIZE_MODE": NativeVariable(
        _all("words", "addr2line", "dladdr", "fast"),
        "once in a process, at the first stack trace of C++",
        "pytorch torch/csrc/utils/cpp_stacktraces.cpp (any other text raises); strings of libtorch_cpu",
    ),
    "TORCH_CPP_LOG_LEVEL": NativeVariable(
        _all("words", "0", "1", "2", "3", "ERROR", "FATAL", "INFO", "WARNING"),
        "when the library of torch is loaded, by `import torch`",
        "strings of libc10 in 2.4.1 to 2.15.0, with the message for a text that is none of these",
    ),
    "PYTORCH_JIT_LOG_LEVEL": NativeVariable(
        _all("text"), _FIRST_USE, "2.4.1 and 2.13.0 include/torch/csrc/jit/jit_log.h"
    ),
    "TORCH_SHOW_DISPATCH_TRACE": NativeVariable(
        _all("switch"), _FIRST_USE, "strings of libtorch_cpu of 2.13.0, beside the message that 0 and 1 are valid"
    ),
    "TORCH_DISTRIBUTED_DEBUG": NativeVariable(
        _all("words", "DETAIL", "INFO", "OFF"),
        "when torch.distributed is first used, and at the first error raised in C++ (DETAIL shows its stack trace)",
        "2.13.0 include/torch/csrc/distributed/c10d/debug.h; pytorch torch/csrc/utils/cpp_stacktraces.cpp",
    ),
    "TORCH_CUSTOM_TERMINATE": NativeVariable(
        _all("switch"),
        "when the library of torch is loaded, by `import torch`",
        f"2.13.0 include/c10/util/AbortHandler.h:76; {_CHECK_ENV}",
    ),
    # The CPU
    "ATEN_CPU_CAPABILITY": NativeVariable(
        _all("text"),
        "once in a process, at the first operator on CPU",
        "pytorch aten/src/ATen/native/DispatchStub.cpp (names of instruction sets; others are ignored with a warning)",
    ),
    "OMP_NUM_THREADS": NativeVariable(_all("text"), _LIBRARY_LOAD, "strings of libtorch_cpu of 2.13.0; OpenMP 6.13"),
    "MKL_NUM_THREADS": NativeVariable(_all("text"), _LIBRARY_LOAD, "strings of libtorch_cpu of 2.13.0 (MKL inside)"),
    "MKL_DYNAMIC": NativeVariable(_all("text"), _LIBRARY_LOAD, "strings of libtorch_cpu of 2.13.0 (MKL inside)"),
    "MKL_VERBOSE": NativeVariable(_all("text"), _LIBRARY_LOAD, "strings of libtorch_cpu of 2.13.0 (MKL inside)"),
    # Profiler
    "KINETO_LOG_LEVEL": NativeVariable(_all("text"), _FIRST_USE, "strings of libtorch_cpu of 2.13.0"),
    "KINETO_CONFIG": NativeVariable(_all("text"), _FIRST_USE, "strings of libtorch_cpu of 2.13.0"),
    # Several processes
    "NCCL_DEBUG": NativeVariable(_all("text"), _NCCL_START, "NCCL manual, environment variables"),
    "NCCL_SOCKET_IFNAME": NativeVariable(_all("text"), _NCCL_START, "NCCL manual, environment variables"),
    "NCCL_IB_TIMEOUT": NativeVariable(_all("text"), _NCCL_START, "NCCL manual, environment variables"),
    "GLOO_SOCKET_IFNAME": NativeVariable(_all("text"), _FIRST_USE, "strings of libtorch_cpu of 2.13.0"),
}
"""Variable -> what is known of it."""
