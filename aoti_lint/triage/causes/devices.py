"""Tensors, weights and packages on devices that do not fit."""

from __future__ import annotations

from aoti_lint.triage.cause import GPU, Cause, Level

_CHECK = ("AOTI_RUNTIME_CHECK_INPUTS=1",)
_GPU = "run on torch 2.11 (H200)"

CAUSES: tuple[Cause, ...] = (
    Cause(
        name="compiled-for-another-device-type",
        title="the model was compiled for one type of device and is loaded on another",
        patterns=(
            r"Mixed-device constants are only supported when the secondary device is CPU",
            r"specified pointer resides on host memory and is not registered with any CUDA device",
            r"has no attribute 'AOTIModelContainerRunner(Cuda|Xpu|Mps)'",
            r"CUDAGuardImpl initialized with non-CUDA DeviceType",
            r"Unsupported device key found: \w+",
        ),
        why="The weights live on the device of the compile, and the generated code runs there only.",
        fix="Compile and load on the same type of device: aoti_load_package reads the type from the package, "
        "aot_load(path, device) has to be told the same one.",
        rules=("AOTI101",),
        rerun=_CHECK,
        symptom="device-mismatch",
        source=f"{_GPU}; pytorch#173982, pytorch#166841, torchchat#840",
    ),
    Cause(
        name="unsupported-device-text",
        title="aot_load was given a text that names no device",
        patterns=(r"RuntimeError: Unsupported device (?!type\b)\w+",),
        why="It takes cpu, cuda, cuda:N, xpu and mps.",
        fix='Write "cuda" for a GPU of NVIDIA or AMD.',
        rules=("AOTI213",),
        symptom="load-error",
    ),
    Cause(
        name="input-on-other-device",
        title="the package meets a tensor that is on another device than it was compiled for",
        patterns=(
            r"unmatched device type, expected: \d+\((\w+)\), but got: \d+",
            r"Expected out tensor to have device (\S+), but got (\S+) instead",
            r"Specified device (\S+) does not match device of data (\S+)",
            r"Expected all tensors to be on the same device, but got \w+ is on",
        ),
        why="An input, or its own weights when it is loaded for another card than it was compiled on. A package checks "
        "no devices by default: an operation inside meets the foreign tensor, or a kernel reads an address of the "
        "other memory.",
        fix="Move the input before the call, and keep what .to() gives: x = x.to(device). A package for cuda:1 needs "
        "device_index=1 when it is loaded.",
        rules=("AOTI102", "AOTI107"),
        rerun=_CHECK,
        symptom="device-mismatch",
        source=f"run on torch 2.13 (CPU); {_GPU}",
    ),
    Cause(
        name="devices-mixed-in-forward",
        title="an operation of the model takes tensors on two devices",
        patterns=(
            r"Expected all tensors to be on the same device, but found at least two devices",
            r"found two different devices \S+, \S+",
        ),
        why="A tensor made in forward without device=, a plain tensor attribute that .to() and .cuda() skip, an "
        "example "
        "on another device than the model, or a model that was moved after its export. What is on meta has no data: "
        "weights that were never loaded, or a stand-in.",
        fix="Make it where the input is (device=x.device), register it as a buffer, or move model and example before "
        "export. A finished program is moved by torch.export.passes.move_to_device_pass.",
        rules=("AOTI103", "AOTI105", "AOTI106"),
        symptom="device-mismatch",
        source=f"run on torch 2.13 (CPU); {_GPU}",
    ),
    Cause(
        name="index-for-cpu-package",
        title="a package for the CPU was loaded with a device index",
        patterns=(r"Incorrect device passed to aoti_runner_\w+",),
        why='Its runner takes "cpu" only.',
        fix="Leave device_index out.",
        rules=("AOTI104",),
        symptom="load-error",
    ),
    Cause(
        name="no-gpu",
        title="the process sees no GPU, and the model needs one",
        patterns=(
            r"\b0 active drivers \(.*\)\. There should only be one",
            r"no CUDA-capable device is detected",
            r"CUDA driver version is insufficient for CUDA runtime version",
            r"Found no NVIDIA driver on your system",
            r"Torch not compiled with (?:CUDA|XPU|HIP) enabled",
            r"No (?:CUDA|HIP) GPUs are available|No XPU devices are available",
            r"Cannot access accelerator device when none is available",
            r"Cannot load AOTInductor package for device '\w+' because \w+ is not available in this process",
        ),
        why="No driver, a container that was started without its GPUs, CUDA_VISIBLE_DEVICES that hides them, or a "
        "torch "
        "built for the CPU.",
        fix="Look at torch.cuda.device_count() in the same process. Without a GPU, compile for the CPU.",
        rules=("AOTI101", "AOTI406"),
        symptom="device-mismatch",
        source=f"run on torch 2.13 (CPU); {_GPU}; pytorch#145730, pytorch#157869",
    ),
    Cause(
        name="cuda-after-fork",
        title="CUDA is used in a forked process whose parent has used it already",
        patterns=(r"Cannot re-initialize CUDA in forked subprocess",),
        why="A fork copies the parent's CUDA state, and the driver does not work with a copy. Any call counts, also "
        "torch.cuda.is_available() in some releases.",
        fix='Start processes with "spawn" (torch.multiprocessing.set_start_method; vLLM: '
        "VLLM_WORKER_MULTIPROC_METHOD=spawn), or use CUDA first in the child.",
        unseen="How processes are started is often decided elsewhere, in a data loader or a server, and not followed.",
        source="vllm#28965, pytorch#145170",
    ),
    Cause(
        name="no-such-gpu",
        title="the process has no GPU of that index",
        patterns=(r"CUDA error: invalid device ordinal", r"Attempting to deserialize object on CUDA device \d+ but"),
        why="CUDA_VISIBLE_DEVICES renumbers what it lets through from 0, and the index counts those.",
        fix="Use an index below torch.cuda.device_count().",
        rules=("AOTI107",),
        symptom="load-error",
        source=_GPU,
    ),
    Cause(
        name="gpu-too-old",
        title="the GPU is too old for Triton",
        patterns=(r"too old to be supported by the triton GPU compiler",),
        why="Triton compiles for NVIDIA GPUs from 7.0 (Volta) on.",
        fix="Run without torch.compile there, compile for the CPU, or use a newer GPU.",
        unseen=GPU,
        symptom="compile-error",
        source="torch 2.13, _inductor/exc.py:151",
    ),
    Cause(
        name="several-gpus",
        title="the model that AOTInductor compiles is on several GPUs",
        patterns=(r"AOTInductor only supports running on one CUDA device",),
        why="A package runs on one GPU.",
        fix="Move model and example to one GPU before the export, or compile its parts as packages of their own.",
        rules=("AOTI603",),
        symptom="compile-error",
        source="torch 2.13, _inductor/codegen/wrapper.py:588",
    ),
    Cause(
        name="built-for-another-gpu",
        title="the kernels of the package were compiled for another GPU architecture",
        patterns=(
            r"no kernel image is available for execution on the device",
            r"device kernel image is invalid",
            r"CUDA driver error: invalid device function",
        ),
        why="AOTInductor compiles for the GPU it runs on.",
        fix="Compile on the architecture that serves, or with aot_inductor.emit_multi_arch_kernel (torch 2.8 and "
        "later).",
        rules=("AOTI610",),
        symptom="load-error",
        source="pytorch#153697, pytorch#160303",
    ),
    Cause(
        name="no-float8-on-this-gpu",
        title="this GPU has no float8 of the kind that a kernel uses",
        patterns=(r"type fp8e\w+ not supported in this architecture",),
        why="fp8e4nv is torch.float8_e4m3fn: NVIDIA has it from Ada and Hopper on (8.9). The message names the kinds "
        "that this GPU has.",
        fix="Use a GPU that has it, or other weights: torch.float8_e5m2, int8, bfloat16.",
        unseen=GPU,
        symptom="compile-error",
        source="vllm#17764; Triton",
    ),
    Cause(
        name="kernel-file-missing",
        title="a compiled kernel (.cubin) is not where the model looks for it",
        patterns=(r"CUDA driver error: file not found",),
        why="A .so of aot_compile keeps the paths of its kernels in the cache folder of the compile; the folder was "
        "cleared, or the .so was moved alone. A package has them inside, and its loader passes the folder on.",
        fix="Use aoti_compile_and_package and aoti_load_package, or compile with "
        '{"aot_inductor.embed_kernel_binary": True} (where the release has it).',
        rules=("AOTI201",),
        symptom="load-error",
        source="pytorch#120194, pytorch#152067",
    ),
    Cause(
        name="built-for-another-cpu",
        title="the package was compiled for a CPU with other instructions",
        patterns=(
            r"\bIllegal instruction\b|\bSIGILL\b|exit(?:ed with)? (?:code|status) (?:-4|132)\b",
            r"Device information mismatch for AOTI_CPU_ISA",
        ),
        why="The kernels use what the building machine has (AVX512, AMX).",
        fix="Build with TORCHINDUCTOR_CPP_MARCH and cpp.simdlen=256 for the oldest machine that serves.",
        rules=("AOTI610",),
        symptom="segfault",
        source="pytorch#191713",
    ),
    Cause(
        name="built-on-another-machine",
        title="the package notes another machine than the one it is loaded on",
        patterns=(r"Device information mismatch for AOTI_\w+",),
        why="torch compares what the package was built on with what it is loaded on, and warns.",
        fix="If the run fails, build on the machine that serves; `aoti-lint inspect` shows what the package notes.",
        rules=("AOTI610",),
        level=Level.NOTE,
        source="pytorch#191713",
    ),
)
