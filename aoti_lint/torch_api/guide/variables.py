"""Environment variables that the debugging guides name."""

from __future__ import annotations

from aoti_lint.torch_api.guide.row import Correction, Kind, Moment, Phase, Row
from aoti_lint.torch_api.versions import VersionSet

ON_IS_1 = {"1": "on", "<anything else>": 'off: also "true", "yes" and "on", without a word'}
"""The values of a variable that is compared with "1"."""
_BOTH = (Phase.COMPILE, Phase.TORCH_COMPILE)

ROWS: tuple[Row, ...] = (
    Row(
        "AOTI_RUNTIME_CHECK_INPUTS",
        Kind.VARIABLE,
        "Makes a compiled model compare its inputs with what it was compiled for (device, dtype, sizes, strides, "
        "ranges) and raise when they differ. Without it a wrong input may give wrong numbers or a crash.",
        "2.13.0 _inductor/codegen/cpp_wrapper_cpu.py:823, 2.7.1 _inductor/codegen/cpp_wrapper_cpu.py:410",
        VersionSet.since("2.7"),
        Moment.FIRST_CALL,
        (Phase.RUN,),
        {
            "1": "on",
            "0": "off, as every text that begins with 0; torch 2.7 takes it for on, so unset it instead",
            "": "on; off in torch 2.7",
            "<anything else>": 'on: also "false" and "off"',
        },
        "`Error: input_handles[0]: unmatched ...` on stderr, then a RuntimeError from the call.",
        (
            Correction(
                "It takes effect at compile time, and checks what was compiled with it.",
                "The checks are in every compiled model; the variable is read where the model runs. Set only for the "
                "compile it does nothing; a package compiled without it checks as soon as the serving process has it.",
                "2.13.0 _inductor/codegen/cpp_wrapper_cpu.py:823; run on torch 2.13 (CPU) and 2.11 (GPU)",
            ),
            Correction(
                "It checks the guards of the export.",
                "It checks tensors only. A Python number that differs from the exported one is ignored, and before "
                "torch 2.13 two sizes that share a `Dim` are not compared. Torch 2.7 does not look at the device "
                "either.",
                "run on torch 2.13 (CPU)",
            ),
            Correction(
                "A wrong device reads `expected: 0(cpu), but got: 1(cuda)`.",
                "It reads `unmatched device type, expected: 00(cpu), but got: 14` on CPU, and `expected: 11(cuda), but "
                "got: 0` on a GPU: the number of the expected device comes twice, the other side has no name.",
                "run on torch 2.13 (CPU) and 2.11 (GPU)",
            ),
            Correction(
                "It can be used with `Dim(min=1)` as it is.",
                "A batch of 1 is then refused (`expected it to be >= 2`), although the range allows it. From torch "
                "2.10 on compile with `aot_inductor.check_lowerbound=False`.",
                "run on torch 2.13 (CPU)",
            ),
        ),
        see=("torch._inductor.config.aot_inductor.check_lowerbound",),
    ),
    Row(
        "TORCHINDUCTOR_NAN_ASSERTS",
        Kind.VARIABLE,
        "Compiles checks for NaN and infinity into the model: of its inputs, and on a GPU of the arguments of each "
        "Triton kernel after it ran.",
        "2.13.0 _inductor/config.py:233",
        moment=Moment.IMPORT_INDUCTOR,
        phases=_BOTH,
        values=ON_IS_1,
        output="`At least one NaN in ...` or `At least one INF in ...` and a RuntimeError; with torch.compile a bare "
        "AssertionError.",
        corrections=(
            Correction(
                "It checks before and after each kernel.",
                "Only Triton kernels are checked, and only after they ran. On CPU the inputs alone are checked (with "
                "torch.compile also the outputs), and a NaN that a kernel makes is not caught.",
                "2.13.0 _inductor/codegen/simd.py:3129; run on torch 2.13 (CPU)",
            ),
            Correction(
                "It checks for NaN.",
                "Infinity fails as well, so a mask filled with -inf stops the run.",
                "2.13.0 _inductor/codegen/triton.py:6727; run on torch 2.13 (CPU)",
            ),
        ),
        see=("TORCHINDUCTOR_RUNTIME_TRITON_NAN_ASSERTS",),
    ),
    Row(
        "PYTORCH_NO_CUDA_MEMORY_CACHING",
        Kind.VARIABLE,
        "Gives every tensor an allocation of its own, so that a kernel that writes beyond its tensor is more likely to "
        "hit memory that is not there, at the same place in every run.",
        "run on torch 2.11 (GPU)",
        moment=Moment.FIRST_ALLOCATION,
        phases=(Phase.RUN,),
        values={
            "1": "no caching; torch.cuda.memory_reserved() stays 0",
            "0": "caching as usual on torch 2.11; older code asked only whether the variable is set, so unset it "
            "instead",
            "<anything else>": "torch 2.11 warns `Ignoring invalid value for boolean flag` and goes on caching",
        },
        see=("CUDA_LAUNCH_BLOCKING",),
    ),
    Row(
        "CUDA_LAUNCH_BLOCKING",
        Kind.VARIABLE,
        "Makes the CUDA driver wait for each kernel, so that an error is reported at the launch that caused it.",
        "run on torch 2.11 (GPU)",
        moment=Moment.CUDA_START,
        phases=(Phase.RUN,),
        values={
            "1": "every launch waits",
            "0": "nothing waits",
            "true": "nothing waits",
            "": "nothing waits",
        },
        see=("PYTORCH_NO_CUDA_MEMORY_CACHING",),
    ),
    Row(
        "AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER",
        Kind.VARIABLE,
        "Compiles printing or saving of kernel arguments into the model; the output comes when the model runs.",
        "2.13.0 _inductor/config.py:2228",
        VersionSet.since("2.5"),
        Moment.IMPORT_INDUCTOR,
        _BOTH,
        {
            "0": "off",
            "1": "save every tensor argument to a `.pt` file (SAVE_ONLY)",
            "2": "print the values and statistics of every tensor argument (PRINT_ONLY)",
            "3": "print the name of each kernel before and after its launch (PRINT_KERNEL_NAMES_ONLY)",
            "N": "stands for one of the numbers above",
            "<anything else>": "the compile fails: `... is not a valid IntermediateValueDebuggingLevel`, also for the "
            "empty text",
        },
        "stdout of the process that runs the model, through C: run it with PYTHONUNBUFFERED=1, or the last lines "
        "before a crash are lost in a pipe. With torch.compile on a GPU: 1 saves below `<cwd>/tmp/jit_inductor/`, 2 "
        "prints, 3 prints nothing; with torch.compile on CPU nothing at all is printed.",
        (
            Correction(
                "The last kernel that is printed is the one to look at.",
                "It is, if its `after_launch` line is missing. Custom ops print nothing: a crash inside one comes "
                "after the `after_launch` of the kernel before it.",
                "run on torch 2.13 (CPU) and 2.11 (GPU)",
            ),
            Correction(
                "It works for torch.compile too.",
                "In torch.compile without `cpp_wrapper` it prints nothing on CPU; on a GPU mode 3 prints nothing.",
                "2.13.0 _inductor/codegen/debug_utils.py:243; run on torch 2.13 (CPU) and 2.11 (GPU)",
            ),
        ),
        ("AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT", "<before|after>_launch_<kernel>_<arg>_<device>.pt"),
    ),
    Row(
        "AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT",
        Kind.VARIABLE,
        "Names the kernels whose arguments mode 2 of the debug printer prints; without it all are printed.",
        "2.13.0 _inductor/config.py:2233",
        VersionSet.since("2.5"),
        Moment.IMPORT_INDUCTOR,
        _BOTH,
        {
            "<names>": "whole kernel names, separated by commas, upper and lower case alike; no patterns, no message "
            "when none matches; the inputs of the model are printed in any case",
            "": "no kernel at all is printed (the empty text is a list with one empty name)",
        },
        corrections=(
            Correction(
                "With mode 1 only the tensors of these kernels are saved.",
                "The filter counts in mode 2 alone; modes 1 and 3 ignore it.",
                "2.13.0 _inductor/codegen/debug_utils.py:261; run on torch 2.13 (CPU)",
            ),
            Correction(
                "Names look like `triton_...` and `aoti_torch_cuda_...`.",
                "On CPU they are `cpp_fused_..._N` and `aoti_torch_cpu_...`. Take them from a run in mode 3.",
                "run on torch 2.13 (CPU)",
            ),
        ),
        see=("AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER",),
    ),
    Row(
        "DUMP_AOTI_MINIFIER",
        Kind.VARIABLE,
        "When `aoti_compile_and_package` fails, writes a script that cuts the program down to a small one that still "
        "fails. To see failures it also loads the package and runs it once on the example inputs.",
        "2.13.0 _inductor/config.py:2278",
        VersionSet.since("2.6"),
        Moment.IMPORT_INDUCTOR,
        (Phase.COMPILE,),
        ON_IS_1,
        "`<debug_dir_root>/run_<time>-pid_<pid>/minifier/minifier_launcher.py`, and a log line with the path; when "
        "nothing fails, nothing.",
        (
            Correction(
                "It makes a small case of an illegal memory access or a crash.",
                "What ends the process is not caught, and neither is a failure of your own later call. For a crash set "
                "also `AOTINDUCTOR_REPRO_LEVEL=3` (torch 2.7 on), which writes the script before it compiles.",
                "2.13.0 _inductor/debug.py:1411; run on torch 2.13 (CPU) and 2.11 (GPU)",
            ),
        ),
        ("AOTINDUCTOR_REPRO_LEVEL", "minifier_launcher.py"),
    ),
    Row(
        "TORCHDYNAMO_REPRO_AFTER",
        Kind.VARIABLE,
        "Says after which stage a failing torch.compile is cut down to a small case. With `aot` it also acts on a "
        "failing AOTInductor compile.",
        "2.13.0 _dynamo/config.py:329",
        moment=Moment.IMPORT_DYNAMO,
        phases=_BOTH,
        values={
            "dynamo": "the graph that dynamo captured",
            "aot": "the graph that Inductor is given",
            "inductor": "no such stage: every compile fails",
            "<anything else>": "every compile fails, also for the empty text",
        },
        output="`<debug_dir_root>/run_<time>-pid_<pid>/minifier/minifier_launcher.py`",
        corrections=(
            Correction(
                "`inductor` minifies after Inductor.",
                "There are only `dynamo` and `aot`. With `inductor` every compile ends in `repro_after must be "
                "'dynamo', 'aot', or None`.",
                "2.13.0 _dynamo/repro/after_aot.py:309; run on torch 2.13 (CPU)",
            ),
            Correction(
                "It finds wrong results.",
                "It acts when the compile or the run fails; for wrong numbers set `TORCHDYNAMO_REPRO_LEVEL=4` as well.",
                "2.13.0 _dynamo/config.py:335",
            ),
        ),
        see=("TORCHDYNAMO_REPRO_LEVEL",),
        aliases=("torch._dynamo.config.repro_after",),
    ),
    Row(
        "TORCHINDUCTOR_TRITON_CUDAGRAPHS",
        Kind.VARIABLE,
        "Does nothing: no torch reads it. The variable for CUDA graphs is TORCHINDUCTOR_CUDAGRAPHS.",
        "in none of 2.4.1 to 2.15.0",
        VersionSet(),
        Moment.NEVER,
        (Phase.TORCH_COMPILE,),
        {"<any>": "no effect"},
        corrections=(
            Correction(
                "0 turns CUDA graphs off.",
                "No torch reads it, and CUDA graphs are off unless something turns them on.",
                "2.13.0 _inductor/config.py:1810; run on torch 2.11 (GPU): `triton.cudagraphs` stays False with `=1`",
            ),
        ),
        see=("TORCHINDUCTOR_CUDAGRAPHS",),
    ),
    Row(
        "TORCHINDUCTOR_FREEZING",
        Kind.VARIABLE,
        "Makes the weights constants of the compiled code, so that they can be folded. Only without gradients.",
        "2.13.0 _inductor/config.py:1561",
        moment=Moment.IMPORT_INDUCTOR,
        phases=_BOTH,
        values=ON_IS_1,
        corrections=(
            Correction(
                "0 turns a feature off.",
                "It is off by default, so `=0` changes nothing.",
                "2.13.0 _inductor/config.py:1561",
            ),
        ),
    ),
    Row(
        "TORCH_COMPILE_DEBUG",
        Kind.VARIABLE,
        "Writes the graphs, the IR and the generated code of every compile into a folder, also for AOTInductor.",
        "2.13.0 _inductor/config.py:2724",
        moment=Moment.IMPORT_INDUCTOR,
        phases=(Phase.EXPORT, Phase.COMPILE, Phase.TORCH_COMPILE),
        values={
            "1": "on",
            "0": "off",
            "<anything else>": 'from torch 2.9 on the import of Inductor raises a ValueError for "true" and for the '
            "empty text; another number leaves it off",
        },
        output="`<cwd>/torch_compile_debug/run_<time>-pid_<pid>/`, and, when it is set before torch is "
        "imported, `torch_compile_debug/tlparse/*.log`",
        corrections=(
            Correction(
                "The folder holds `fx_graph_readable.py`, `fx_graph_runnable.py` and `output_code.py`.",
                "For AOTInductor and with `cpp_wrapper` the code is `output_code.cpp`. `fx_graph_transformed.py`, "
                "`ir_pre_fusion.txt` and `ir_post_fusion.txt` lie beside it.",
                "run on torch 2.13 (CPU)",
            ),
        ),
        see=("TORCH_COMPILE_DEBUG_DIR", "torch._inductor.config.trace.enabled", "torch_compile_debug/"),
    ),
    Row(
        "TORCH_LOGS",
        Kind.VARIABLE,
        "Says which parts of torch log, and how much: a comma-separated list of log names, `+name` for debug messages "
        "and `-name` for errors only.",
        "2.13.0 _logging/_internal.py:899",
        moment=Moment.IMPORT_TORCH,
        phases=(Phase.EXPORT, Phase.COMPILE, Phase.TORCH_COMPILE),
        values={
            "<names>": "names of logs, of artifacts, or of modules such as `torch._inductor.scheduler`; blanks are "
            "removed; `+` does nothing for an artifact such as `output_code`",
            "help": "`import torch` fails with the list of all names; `+help` gives a longer one",
            "": "`import torch` fails: `'dict' object has no attribute 'get_log_level_pairs'` (run on 2.13); unset it",
            "<unknown name>": "`import torch` fails with a ValueError and the list of names",
        },
        output="stderr; a file as well with TORCH_LOGS_OUT",
        corrections=(
            Correction(
                "It is a variable of the run.",
                "It is read when torch is imported, and what it shows is made while exporting and compiling. A process "
                "that only loads a package has next to nothing to log.",
                "2.13.0 _logging/_internal.py:1139; run on torch 2.13 (CPU)",
            ),
        ),
        see=("TORCH_LOGS_OUT", "torch._logging.set_logs", "output_code"),
    ),
    Row(
        "TORCH_TRACE",
        Kind.VARIABLE,
        "Writes a structured log of every export and compile into a folder, for `tlparse`.",
        "2.13.0 _logging/_internal.py:1165",
        moment=Moment.IMPORT_TORCH,
        phases=(Phase.EXPORT, Phase.COMPILE, Phase.TORCH_COMPILE),
        values={"<folder>": "where the log goes; it is made when missing"},
        output="`<folder>/dedicated_log_torch_trace_<random>.log`, one for each process",
        see=("tlparse",),
    ),
    Row(
        "TORCH_SHOW_CPP_STACKTRACES",
        Kind.VARIABLE,
        "Adds the C++ frames to the text of errors that torch raises.",
        "run on torch 2.13 (CPU)",
        moment=Moment.IMPORT_TORCH,
        phases=(Phase.RUN,),
        values={"1": "on", "<anything else>": 'off; torch warns once that "true" and the empty text are ignored'},
        output="the text of the exception",
        corrections=(
            Correction(
                "It is needed to see where a compiled model failed.",
                "Errors from a compiled model carry their C++ frames without it.",
                "run on torch 2.13 (CPU)",
            ),
        ),
    ),
)
