"""The stages about a compiled package: its inputs, its kernels one by one, the values in them, its custom operators."""

from __future__ import annotations

import os
from typing import Final

from aoti_lint.rerun.inside import INSIDE
from aoti_lint.rerun.plan.case import Case, tool
from aoti_lint.rerun.plan.plan import FOLDER, KERNEL, PACKAGE, PROGRAM, Stage, Step

CHECK: Final = "AOTI_RUNTIME_CHECK_INPUTS"
PRINTER: Final = "AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"
FILTER: Final = "AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT"
NAN_ASSERTS: Final = "TORCHINDUCTOR_NAN_ASSERTS"
EXACT: Final = {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1", "CUDA_LAUNCH_BLOCKING": "1"}
"""An allocation of its own for each tensor, and no launch before the one before has ended."""
MALLOC_CHECKS: Final = "libc_malloc_debug.so.0"
"""What does the work of MALLOC_CHECK_ from glibc 2.34 on."""
FENCE: Final = f"{FOLDER}/fence.so"
FENCED: Final = {"LD_PRELOAD": FENCE}
FENCE_SOURCE: Final = os.path.join(INSIDE, "fence.c")
CRASHES: Final = ("illegal-memory-access", "segfault")
NO_BUILD: Final = "as nothing says which script compiles the package: name it with --build"
NO_RUN: Final = "as the script only compiles: name the one that runs the package, and this one with --build"


def sanity(case: Case) -> Stage | None:
    """The input check of the package."""
    if not case.runs_package:
        return None
    variables = {CHECK: "1", "TORCH_SHOW_CPP_STACKTRACES": "1"}
    core = CHECK
    if not case.has(CHECK):
        # Up to torch 2.6 the checks are compiled in, with this variable only (2.6.0 codegen/cpp_wrapper_cpu.py:441).
        core = "AOT_INDUCTOR_DEBUG_COMPILE"
        variables = {core: "1", "TORCH_SHOW_CPP_STACKTRACES": "1"}
    alarm = case.config(aot_inductor__check_lowerbound=False) if case.false_alarm and case.builds_package else {}
    steps = case.steps(variables, core=core, config=alarm)
    if not steps:
        case.leave_out("sanity", NO_RUN if case.phase == "build" else NO_BUILD)
    return case.stage(
        "sanity",
        "Do the inputs fit the package?",
        "A package does not look at its inputs. One of another device, dtype, size or stride than it was compiled for "
        "gives wrong numbers, or a kernel that reads beyond it.",
        "`Error: input_handles[N]: unmatched …` names the input (they are counted from 0) and what it should be. "
        "`expected it to be >= 2` for a `Dim(min=0)` or `Dim(min=1)` is a false alarm: the check knows no smaller bound"
        + (
            ", so this run is compiled without the lower bound."
            if alarm
            else ". From torch 2.10 on `aot_inductor.check_lowerbound=False` turns it off."
        )
        + " `expected size 2==8, stride …`, which blames a fake: two inputs that share a `Dim` differ in it."
        " Nothing of the kind: the inputs fit, go on.",
        steps,
    )


def deterministic(case: Case) -> Stage | None:
    """The same failure at the same place."""
    if not case.on_gpu:
        return None
    return case.stage(
        "deterministic",
        "Does it fail at the same place every time?",
        "The allocator of torch rounds tensors up and reuses their memory, so that a kernel may write beyond its "
        "tensor unseen; and kernels run while Python goes on, so that an error shows up later.",
        "The place of the error is now the launch that caused it. No error any more: the fault depends on the order of "
        "kernels (a stream that is not waited for) or on memory that is reused.",
        case.steps({**EXACT, "TORCH_SHOW_CPP_STACKTRACES": "1"}),
        needs=("cuda",),
    )


def kernels(case: Case) -> Stage | None:
    """The names of the kernels as they run."""
    if not (case.builds_package and case.runs_package):
        _no_build(case, "kernels")
        return None
    fenced = case.chosen.symptom in CRASHES and not case.on_gpu and case.linux
    steps = case.steps({PRINTER: "3", **_exact(case), **(FENCED if fenced else {}), "INDUCTOR_PROVENANCE": "1"},
                       core=PRINTER)  # fmt: skip
    return case.stage(
        "kernels",
        "Which kernel runs when it fails?",
        "Level 3 of the debug printer prints the name of each kernel before and after its launch."
        + (
            " Each tensor ends at a page that nobody may touch: what reads or writes beyond it dies there, and not at "
            "a later `free`."
            if fenced
            else ""
        ),
        "The culprit is the kernel with a `[ before_launch: … ]` and no `[ after_launch: … ]`. Custom operators print "
        "nothing: if the last line is an `after_launch`, it is the operator that the wrapper calls next.",
        (*fence(), *steps) if fenced and steps else steps,
    )


def fence() -> tuple[Step, ...]:
    """Compiles what `FENCED` preloads. Without a compiler the program runs as it does without it."""
    return (tool("cc", "-shared", "-fPIC", "-O1", "-pthread", "-o", FENCE, FENCE_SOURCE, "-ldl", needs=("cc",)),)


def values(case: Case) -> Stage | None:
    """What is in the arguments of kernels."""
    if not _prints(case):
        _no_build(case, "values")
        return None
    # Only packages print the names of kernels by which to ask.
    crash = case.chosen.symptom in CRASHES and case.builds_package and case.runs_package
    variables = {PRINTER: "2", **_exact(case), "INDUCTOR_PROVENANCE": "1"}
    if crash:
        variables[FILTER] = KERNEL
    reads = (
        "Bad inputs (an index out of range, NaN, a size that is not the one you expect) were made by an earlier "
        "kernel: ask for that one next, until the inputs are right and the outputs are not. "
        if crash
        else "The first kernel whose inputs are right in `before_launch` and whose output is not in `after_launch` is "
        "the culprit. "
    )
    return case.stage(
        "values",
        "What does it get, and what does it make of it?",
        "Level 2 of the debug printer prints the values of arguments before and after a kernel"
        + (", of those that the filter names." if crash else ", of all of them."),
        reads + "Outputs have no meaning before the launch: nothing has been written yet. The filter takes whole names "
        "and says nothing if none fits.",
        case.steps(variables, core=PRINTER),
        repeats=crash,
    )


def tensors(case: Case) -> Stage | None:
    """The arguments in files."""
    if not _prints(case):
        _no_build(case, "tensors")
        return None
    steps = case.steps({PRINTER: "1", **_exact(case)}, core=PRINTER)
    return case.stage(
        "tensors",
        "What exactly was in the tensors?",
        "Level 1 of the debug printer saves every tensor argument of every kernel, to look at or to run a kernel on "
        "alone. It takes as much space as all of them together.",
        "`aoti-lint tensors` says which kernel made the first bad value. The files lie in `tmp/` of the folder the "
        "program runs in, as `aoti_torch<before|after>_launch_…pt` (of torch.compile in `tmp/jit_inductor/`, as "
        "`<before|after>_launch_…pt`); they are moved to the folder of this stage.",
        (*steps, tool("aoti-lint", "tensors", FOLDER)) if steps else (),
    )


def fakes(case: Case) -> Stage | None:
    """Custom operators against what their fakes promise."""
    work = case.work
    crash = case.chosen.symptom in CRASHES
    if not (case.runs_package and (work.calls_ops or not work.known or (crash and not case.on_gpu))):
        return None
    steps: tuple[Step, ...] = ()
    if not case.on_gpu and crash:
        steps = case.steps(_heap_checks(case))
    probed = tuple(tool("aoti-lint", "probe", path) for path in work.ops)
    return case.stage(
        "fakes",
        "Do custom operators keep to what their fakes promise?",
        "The compiled code takes the sizes of results from the fake function of an operator. If its kernel gives "
        "others, memory beyond a result is read or written, and a later `free` or another kernel dies of it.",
        "`aoti-lint probe` names the operator, its line and the sizes. "
        + (
            "With the checks of malloc, `free(): invalid pointer` and the like come nearer to the cause, and memory "
            "that was never written is full of 0x5a instead of zeros."
            if steps
            else ""
        ),
        (*probed, *steps),
    )


def compare(case: Case) -> Stage | None:
    """The package against the program it was made from."""
    if not case.builds_package:
        if case.phase == "run":
            case.leave_out("compare", NO_BUILD)
        return None
    level = "AOTINDUCTOR_REPRO_LEVEL"
    keep = {"DUMP_AOTI_MINIFIER": "1", level: "3", "TORCH_COMPILE_DEBUG_DIR": FOLDER}
    steps = case.steps(keep, core=level, only_build=True)
    if not steps:
        case.leave_out(
            "compare", "as torch before 2.7 does not keep the exported program (save it for aoti-lint verify)"
        )
        return None
    ops = [word for path in case.work.ops for word in ("--ops", path)]
    return case.stage(
        "compare",
        "Does the package give what the exported program gives?",
        "What was wrong before the compile (training mode, a constant in place of an input) is wrong in both; what the "
        "compiler or the input makes wrong is wrong in the package alone.",
        "`aoti-lint verify` runs both on inputs inside the contract and names where they differ. No difference: look "
        "at the export, and at inputs outside the contract. The program is kept by the minifier, which writes it down "
        "before it compiles.",
        (*steps, tool("aoti-lint", "verify", PACKAGE, "--program", PROGRAM, *ops)),
    )


def nan_asserts(case: Case) -> Stage | None:
    """NaN asserts, alone and last."""
    if not case.on_gpu or not (case.builds_package or case.traces):
        return None
    return case.stage(
        "nan-asserts",
        "Which kernel makes the first NaN?",
        "Checks for NaN and infinity become part of the code. They are alone and last because they also stop at "
        "memory that nothing has written yet and at masks of -inf, where nothing is wrong.",
        'The run ends at `aoti_torch_check_inf_and_nan("bufN", …)`. Believe it only if the values of that buffer in '
        "the stage `values` are bad after a kernel wrote them.",
        case.steps({NAN_ASSERTS: "1"}, core=NAN_ASSERTS),
        needs=("cuda",),
    )


def _prints(case: Case) -> bool:
    """Whether the debug printer prints values: in packages, and on a GPU also in the code of torch.compile."""
    return (case.builds_package and case.runs_package) or (case.traces and case.on_gpu)


def _exact(case: Case) -> dict[str, str]:
    return EXACT if case.on_gpu else {}


def _no_build(case: Case, name: str) -> None:
    if case.phase == "run":
        case.leave_out(name, NO_BUILD)
    elif case.phase == "build":
        case.leave_out(name, NO_RUN)
    elif case.traces:
        case.leave_out(name, "as code of torch.compile prints nothing of the kind")


def _heap_checks(case: Case) -> dict[str, str]:
    """What makes glibc look at its heap, and fill memory that is given out or freed."""
    checks = {"MALLOC_PERTURB_": "165", "MALLOC_CHECK_": "3"}
    if case.preload:
        checks["LD_PRELOAD"] = MALLOC_CHECKS
    return checks
