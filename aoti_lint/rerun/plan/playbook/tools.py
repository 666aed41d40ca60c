"""The stages that need another program, or cut the model down."""

from __future__ import annotations

import os
from typing import Final

from aoti_lint.rerun.inside import INSIDE
from aoti_lint.rerun.plan.case import Case, tool
from aoti_lint.rerun.plan.commands import split
from aoti_lint.rerun.plan.plan import FOLDER, LAUNCHER, Stage
from aoti_lint.rerun.plan.playbook.package import CRASHES, EXACT, FENCED, fence

MINIFIER: Final = "DUMP_AOTI_MINIFIER"
LEVEL: Final = "AOTINDUCTOR_REPRO_LEVEL"
_SLOW: Final = "Which kernels take the time?"
PROFILED: Final = os.path.join(INSIDE, "profiled.py")


def sanitizer(case: Case) -> Stage | None:
    """compute-sanitizer: the access itself."""
    if not case.on_gpu:
        return None
    return case.stage(
        "sanitizer",
        "Which access is out of bounds?",
        "compute-sanitizer looks at every access of every kernel, also of those that hit memory by luck. It is slow.",
        "`Invalid __global__ write of size …` comes with the kernel, the thread and how far beyond which allocation. "
        "Errors of cuBLAS and the like at start-up that the program handles are no fault.",
        case.steps(
            {"PYTORCH_NO_CUDA_MEMORY_CACHING": EXACT["PYTORCH_NO_CUDA_MEMORY_CACHING"]},
            before=("compute-sanitizer", "--target-processes", "all"),
        ),
        needs=("cuda", "compute-sanitizer"),
    )


def debugger(case: Case) -> Stage | None:
    """gdb: the C++ stack of a crash."""
    if case.target.program is None:
        case.leave_out("debugger", "as gdb needs a program: run it as `python -m …`")
        return None
    if not case.runs_package and not case.traces:
        return None
    symbols = "AOT_INDUCTOR_DEBUG_SYMBOLS" if case.has("AOT_INDUCTOR_DEBUG_SYMBOLS") else "AOT_INDUCTOR_DEBUG_COMPILE"
    # A package that does not load is looked at as it is.
    as_is = case.chosen.symptom == "load-error" and case.rebuilds
    variables = {symbols: "1"} if case.builds_package and not as_is else {}
    fenced = case.chosen.symptom in CRASHES and not case.on_gpu and case.linux
    steps = case.steps(
        {**variables, **(FENCED if fenced else {})},
        before=("gdb", "-q", "-batch", "-ex", "run", "-ex", "bt 40", "--args"),
    )
    return case.stage(
        "debugger",
        "Where in C++ does it die?",
        "gdb stops at the signal and prints the stack"
        + (
            "; the package is compiled with symbols, so that its frames have lines of the generated code."
            if variables
            else "."
        ),
        "Look for the first frame that is of the package (`wrapper.cpp`, `cpp_fused_…`) or of your own library. A "
        "frame of `free` or `malloc` means that memory was broken earlier: see the stage `fakes`. `No stack.`: it did "
        "not crash this time.",
        (*fence(), *steps) if fenced and steps else steps,
        needs=("gdb",),
    )


def minifier(case: Case) -> Stage | None:
    """A small program that still fails."""
    if not case.builds_package:
        return None
    variables = {MINIFIER: "1", "TORCH_COMPILE_DEBUG_DIR": FOLDER}
    symptom = case.chosen.symptom
    if case.has(LEVEL) and symptom in (*CRASHES, "wrong-result", "nan"):
        variables[LEVEL] = "3" if symptom in CRASHES else "4"
    steps = case.steps(variables, core=MINIFIER, only_build=True)
    if not steps:
        case.leave_out("minifier", "as torch before 2.6 has none for packages")
        return None
    python = case.target.interpreter
    return case.stage(
        "minifier",
        "What is the smallest program that fails?",
        "The minifier of torch compiles the program, runs it on the example inputs and, if that fails, leaves out more "
        "and more of it. "
        + {"3": "Level 3 writes the program down before that, as a crash leaves nothing behind.",
           "4": "Level 4 looks at the numbers."}.get(variables.get(LEVEL, ""), "It sees exceptions only."),
        "`minifier/minifier_launcher.py` in the folder of this stage: `run` says whether the program fails alone, on "
        "its example inputs; `minify` writes `repro.py` beside it. `Input graph did not fail the tester`: it does not, "
        "so the fault is in the inputs of your own call."
        + (" It does not know operators of yours: import what registers them at the top of the launcher."
           if case.work.calls_ops else ""),
        (*steps, tool(python, LAUNCHER, "run", inside=True), tool(python, LAUNCHER, "minify", inside=True)),
    )  # fmt: skip


def profile(case: Case) -> Stage | None:
    """Where the time goes."""
    variables = {"TORCHINDUCTOR_UNIQUE_KERNEL_NAMES": "1"}
    if not case.on_gpu:
        variables["TORCHINDUCTOR_CPP_ENABLE_KERNEL_PROFILE"] = "1"
    target = case.target
    if target.kind == "python" and target.program is not None and target.scripts:
        before, (python, *rest) = target.command[: target.program], target.command[target.program :]
        options, kind, words = split((python, *rest))
        command = (*before, python, *options, PROFILED, FOLDER, *filter(None, [kind]), *words)
        return case.stage(
            "profile",
            _SLOW,
            "The program runs under the profiler of torch, with a name of its own for each kernel.",
            "The table is sorted by the time spent in each kernel itself; `trace.json` opens in chrome://tracing and "
            "Perfetto. Much time in `aten::copy_` or `cudaMemcpy` is tensors that go to and fro; many small kernels "
            "in a row are what was not fused.",
            case.steps(variables, command=command),
        )
    if case.on_gpu:
        return case.stage(
            "profile",
            _SLOW,
            "nsys notes each kernel of the program, each with a name of its own.",
            "The last tables say how much time each kernel took, and how much the copies: much of that is tensors "
            "that go to and fro. `nsys-ui` opens the file.",
            case.steps(variables, before=("nsys", "profile", "--stats=true", "-o", f"{FOLDER}/nsys")),
            needs=("cuda", "nsys"),
        )
    data = f"{FOLDER}/perf.data"
    steps = case.steps(variables, before=("perf", "record", "-g", "-o", data))
    table = tool("perf", "report", "--stdio", "--no-children", "-g", "none", "--percent-limit", "1", "-i", data)
    return case.stage(
        "profile",
        _SLOW,
        "perf looks many times a second at what runs.",
        "The table says which function takes how much of the time: `cpp_fused_…` are the kernels of the package.",
        (*steps, table) if steps else (),
        needs=("perf",),
    )
