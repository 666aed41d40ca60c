"""Names for TORCH_LOGS, modes of the debug printer, modes and backends of torch.compile, tools."""

from __future__ import annotations

from aoti_lint.torch_api.guide.row import Correction, Kind, Moment, Phase, Row
from aoti_lint.torch_api.versions import VersionSet

_ALL = (Phase.EXPORT, Phase.COMPILE, Phase.TORCH_COMPILE)
_BOTH = (Phase.COMPILE, Phase.TORCH_COMPILE)


def _log(name: str, does: str, *corrections: Correction, phases: tuple[Phase, ...] = _BOTH) -> Row:
    return Row(
        name,
        Kind.LOG,
        does,
        "2.13.0 _logging/_registrations.py",
        moment=Moment.IMPORT_TORCH,
        phases=phases,
        output="stderr",
        corrections=corrections,
        see=("TORCH_LOGS",),
    )


def _printer(name: str, value: str, does: str, *corrections: Correction, versions: VersionSet | None = None) -> Row:
    return Row(
        name,
        Kind.PRINTER_MODE,
        f"Mode {value} of the debug printer: {does}",
        "2.13.0 _inductor/codegen/debug_utils.py:49",
        VersionSet.since("2.5") if versions is None else versions,
        Moment.COMPILE,
        _BOTH,
        corrections=corrections,
        see=("AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER",),
    )


def _mode(name: str, does: str, versions: VersionSet | None = None) -> Row:
    source = "2.13.0 _inductor/__init__.py:353"
    return Row(
        name,
        Kind.MODE,
        does,
        source,
        VersionSet.since("2.4") if versions is None else versions,
        Moment.COMPILE,
        (Phase.TORCH_COMPILE,),
        see=("torch.compile",),
    )


ROWS: tuple[Row, ...] = (
    _log("inductor", "The steps of Inductor; `+inductor` adds the debug messages of all its modules."),
    _log("output_code", "The generated code of wrapper and kernels, with the paths of the files it was written to."),
    _log("fusion", "Each decision about fusing kernels, and why others were not fused; more than `schedule`."),
    _log("schedule", "The work of the scheduler that orders and fuses kernels."),
    _log(
        "dynamic",
        "How sizes became symbols, guards on them, and what made one constant.",
        phases=(Phase.EXPORT, Phase.TORCH_COMPILE),
    ),
    _log("guards", "The guards of torch.compile: what must hold for the compiled code to be used again."),
    _printer(
        "SAVE_ONLY",
        "1",
        "saves tensors to files.",
        Correction(
            "The files are in a temporary folder.",
            "They are in `tmp/` of the folder the model runs in.",
            "run on torch 2.13 (CPU) and 2.11 (GPU)",
        ),
    ),
    _printer("PRINT_ONLY", "2", "prints the values of tensors."),
    _printer("PRINT_KERNEL_NAMES_ONLY", "3", "prints the names of kernels."),
    _printer(
        "PRINT_KERNEL_NAME_ONLY",
        "3",
        "a misspelling of PRINT_KERNEL_NAMES_ONLY.",
        Correction(
            "Mode 3 is called PRINT_KERNEL_NAME_ONLY.",
            "In torch it is PRINT_KERNEL_NAMES_ONLY. Only the number counts: the variable takes no names.",
            "2.13.0 _inductor/codegen/debug_utils.py:59",
        ),
        versions=VersionSet(),
    ),
    _mode("default", "The mode when none is given."),
    _mode("reduce-overhead", "Turns CUDA graphs on. Not for AOTInductor."),
    _mode("max-autotune", "Turns on autotuning, coordinate descent tuning and CUDA graphs. Not for AOTInductor."),
    _mode("max-autotune-no-cudagraphs", "Turns on autotuning and coordinate descent tuning."),
    _mode("lite", "Compiles with few optimizations.", VersionSet.since("2.10")),
    Row(
        "backend inductor",
        Kind.MODE,
        "The default backend of torch.compile, and the compiler behind AOTInductor: Triton for a GPU, C++ for a CPU.",
        "2.13.0 _dynamo/backends/inductor.py:21",
        moment=Moment.COMPILE,
        phases=_BOTH,
        see=("torch.compile",),
    ),
    Row(
        "tlparse",
        Kind.TOOL,
        "Makes web pages from a log of TORCH_TRACE: graphs, guards, generated code, failures. `pip install tlparse`.",
        "run with tlparse 0.4.3",
        phases=_ALL,
        values={
            "<file>": "the log to read",
            "-o": "the folder to write, `tl_out` without it; it must not exist yet, or add `--overwrite`",
            "--no-browser": "does not open the page",
        },
        output="`<folder>/index.html`",
        corrections=(
            Correction(
                "It takes the folder given to TORCH_TRACE.",
                "It takes one log file: `tlparse FOLDER/dedicated_log_torch_trace_*.log -o report`. For a folder it "
                "ends with `is not a file`.",
                "run with tlparse 0.4.3 on a trace of torch 2.13",
            ),
        ),
        see=("TORCH_TRACE",),
        aliases=("tlparse -o",),
    ),
    Row(
        "python",
        Kind.TOOL,
        "Runs the script. With `-u` or PYTHONUNBUFFERED=1 the output of the debug printer survives a crash in a pipe.",
        "run on torch 2.13 (CPU)",
        phases=(Phase.EXPORT, Phase.COMPILE, Phase.LOAD, Phase.RUN),
    ),
    Row(
        "buck",
        Kind.TOOL,
        "The build tool inside Meta. Outside it the variables work with any command.",
        "no part of torch",
        phases=(Phase.COMPILE, Phase.RUN),
    ),
)
