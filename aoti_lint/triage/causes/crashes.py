"""How processes end: errors of the GPU, signals, memory and time."""

from __future__ import annotations

from aoti_lint.triage.cause import COMPILER, MACHINE, VALUES, Cause, Level

_SLOW_AND_EXACT = ("CUDA_LAUNCH_BLOCKING=1", "PYTORCH_NO_CUDA_MEMORY_CACHING=1")
_NAMES = ("AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER=3", "TORCHINDUCTOR_FORCE_DISABLE_CACHES=1")
_GPU = "run on torch 2.11 (H200)"

CAUSES: tuple[Cause, ...] = (
    Cause(
        name="kernel-failed-while-compiling",
        title="a Triton kernel failed while AOTInductor tried it, to choose its settings",
        patterns=(
            r"InductorError: (?:[\w.]*AcceleratorError|RuntimeError): (?:CUDA|HIP) error: (?!out of memory)",
            r"Failed to run autotuning code block: (?:Triton Error \[\w+\]|CUDA(?: driver)? error|HIP error)"
            r"(?!.*out of memory)",
        ),
        why="A compile for a GPU runs the kernels of the model one after the other on random numbers and zeros, and "
        "with guesses for sizes that the data decides. One of them does not survive that: an index that is computed "
        "from data, one that its own code gets wrong, or a size that no launch can have (invalid argument). The line "
        "that is shown is only where it was noticed.",
        fix="Give the kernel a mask, or a bound on its indices, so that it is safe for any numbers. aoti-lint rerun "
        "names the kernel, and the one that made the indices.",
        unseen=COMPILER,
        rerun=("CUDA_LAUNCH_BLOCKING=1",),
        symptom="illegal-memory-access",
        level=Level.EFFECT,
        source=_GPU,
    ),
    Cause(
        name="illegal-memory-access",
        title="a kernel on the GPU read or wrote outside of its tensors",
        patterns=(
            r"an illegal memory access was encountered",
            r"CUDA error: misaligned address",
            r"CUDA error: operation not supported on global/shared address space",
            r"Memory access fault by GPU",
        ),
        why="An index out of range, a result that is smaller than its fake promised, an input on the CPU, or one with "
        "other sizes than compiled. The line that is shown is only where it was noticed.",
        fix="Check the inputs first, then let the kernels run one by one: the guilty one has a before_launch line "
        "and no "
        "after_launch.",
        rules=("AOTI404", "AOTI301", "AOTI102"),
        rerun=("AOTI_RUNTIME_CHECK_INPUTS=1", *_SLOW_AND_EXACT, *_NAMES),
        symptom="illegal-memory-access",
        level=Level.EFFECT,
        source=_GPU,
    ),
    Cause(
        name="device-assert",
        title="an assertion in a kernel on the GPU failed",
        patterns=(r"(?:CUDA|HIP) error: device-side assert triggered", r"Assertion `.*` failed"),
        why="Most often an index that is out of range. The line that is shown is only where it was noticed.",
        fix="Run with CUDA_LAUNCH_BLOCKING=1 and read the first Assertion line.",
        unseen=VALUES,
        rerun=(*_SLOW_AND_EXACT, *_NAMES),
        symptom="illegal-memory-access",
        level=Level.EFFECT,
        source=_GPU,
    ),
    Cause(
        name="cuda-launch-failure",
        title="a kernel on the GPU crashed",
        patterns=(r"CUDA error: unspecified launch failure", r"CUDA error: an illegal instruction was encountered"),
        why="It read or wrote outside of its memory, or is for another GPU.",
        fix="Let the kernels run one by one: the guilty one has a before_launch line and no after_launch.",
        unseen=VALUES,
        rerun=(*_SLOW_AND_EXACT, *_NAMES),
        symptom="illegal-memory-access",
        level=Level.EFFECT,
        source=_GPU,
    ),
    Cause(
        name="out-of-memory",
        title="there was not enough memory",
        patterns=(
            r"OutOfMemoryError: (?!out of resource)",
            r"out of memory\. Tried to allocate",
            r"(?:CUDA|HIP)(?: driver)? error: out of memory",
            r"Triton Error \[CUDA\]: out of memory",
            r"can't allocate memory: you tried to allocate",
            r"std::bad_alloc",
        ),
        why="The inputs, the weights and what the kernels need at once do not fit.",
        fix="Use smaller batches; look for a second copy of the model in the process.",
        unseen=MACHINE,
    ),
    Cause(
        name="killed",
        title="the process was killed from outside",
        patterns=(
            r"^(?:.*line \d+: +\d+ |zsh: )?[Kk]illed(?:: 9)?(?:\s\s.*)?$",
            r"\bOOMKilled\b",
            r"exit(?:ed with)? (?:code|status) (?:-9|137)\b",
        ),
        why="Most often the system had no memory left; compiling starts many processes.",
        fix="Give it more memory, or compile with TORCHINDUCTOR_COMPILE_THREADS=1.",
        unseen=MACHINE,
        level=Level.EFFECT,
    ),
    Cause(
        name="segmentation-fault",
        title="the process crashed (SIGSEGV)",
        patterns=(
            r"[Ss]egmentation fault(?:[.!]?$|\s\s|:? \(?(?:\d|core dumped))",
            r"\bSIGSEGV\b",
            r"exit(?:ed with)? (?:code|status) (?:-11|139)\b",
        ),
        why="In a package: weights that were never loaded (package_constants_in_so=False without load_constants), "
        "inputs with other sizes than compiled, a device that does not fit, or memory that a custom operator broke.",
        fix="Run again with the input check; `aoti-lint inspect model.pt2` says whether the weights are inside.",
        rules=("AOTI613", "AOTI301", "AOTI404", "AOTI101"),
        rerun=("AOTI_RUNTIME_CHECK_INPUTS=1", "PYTHONFAULTHANDLER=1", "PYTHONUNBUFFERED=1"),
        symptom="segfault",
        level=Level.WALL,
    ),
    Cause(
        name="aborted",
        title="the process ended itself (SIGABRT)",
        patterns=(
            r"terminate called after throwing an instance of '([^']+)'",
            r"\bAborted\b(?: \(core dumped\))?$",
            r"exit(?:ed with)? (?:code|status) (?:-6|134)\b",
        ),
        why="A C++ exception that nobody caught, or broken memory; lines before this one say more.",
        fix="Run again with TORCH_SHOW_CPP_STACKTRACES=1 and PYTHONUNBUFFERED=1.",
        unseen="It says how the process ended; the lines above it say why.",
        rerun=("TORCH_SHOW_CPP_STACKTRACES=1", "PYTHONUNBUFFERED=1"),
        symptom="segfault",
        level=Level.WALL,
    ),
)
