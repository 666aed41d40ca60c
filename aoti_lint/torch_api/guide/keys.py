"""Settings of `torch._inductor.config` and `torch._dynamo.config` that the debugging guides name.

A setting is read while compiling; a change after the compile does nothing to what is compiled.
"""

from __future__ import annotations

from aoti_lint.torch_api.guide.row import Correction, Kind, Moment, Phase, Row
from aoti_lint.torch_api.versions import SUPPORTED, VersionSet

_INDUCTOR = "torch._inductor.config."
_BOTH = (Phase.COMPILE, Phase.TORCH_COMPILE)


def _key(
    name: str,
    does: str,
    source: str,
    values: dict[str, str],
    *corrections: Correction,
    versions: VersionSet = SUPPORTED,
    phases: tuple[Phase, ...] = _BOTH,
    output: str = "",
    see: tuple[str, ...] = (),
) -> Row:
    return Row(
        _INDUCTOR + name, Kind.KEY, does, source, versions, Moment.COMPILE, phases, values, output, corrections, see
    )


def _same_as(
    variable: str, key: str, does: str, source: str, values: dict[str, str], versions: VersionSet = SUPPORTED
) -> Row:
    """A setting whose row says little, because that of its variable says all."""
    return _key(key, does, source, values, versions=versions, see=(variable,))


ROWS: tuple[Row, ...] = (
    _key(
        "debug",
        "Adds debug messages of Inductor in two places, of no use in reading the generated code.",
        "2.13.0 _inductor/config.py:90",
        {"True": "on", "False": "off (default)"},
        Correction(
            "It prints the generated code, or writes `output_code.py` and the graphs.",
            "It does neither. `TORCH_LOGS=output_code` prints the code; `trace.enabled` (or TORCH_COMPILE_DEBUG=1) "
            "writes the files.",
            "2.13.0 _inductor/debug.py:495, 2.13.0 _inductor/ir.py:5611; run on torch 2.13 (CPU): no file, no line",
        ),
        see=("torch._inductor.config.trace.enabled", "output_code"),
    ),
    _key(
        "verbose_progress",
        "Adds the name of the kernel to the progress bar of compiling.",
        "2.13.0 _inductor/config.py:96",
        {"True": "on", "False": "off (default)"},
        Correction(
            "It logs the progress of the compile.",
            "Alone it does nothing: the bar is shown only with `disable_progress = False` and with tqdm installed.",
            "2.13.0 _inductor/async_compile.py:837, 2.13.0 _inductor/async_compile.py:845",
        ),
        see=("torch._inductor.config.disable_progress",),
    ),
    _key(
        "disable_progress",
        "Hides the progress bar of compiling.",
        "2.13.0 _inductor/config.py:93",
        {"True": "hidden (default)", "False": "shown, if tqdm is installed"},
    ),
    _key(
        "pattern_matcher",
        "Replaces known groups of operations by faster ones. Turn it off to see whether a replacement is at fault.",
        "2.13.0 _inductor/config.py:290",
        {"True": "on (default)", "False": "off"},
    ),
    _key(
        "max_autotune",
        "Times several kernels for each matrix product and the like, and takes the fastest. Makes compiling slow.",
        "2.13.0 _inductor/config.py:514",
        {"True": "on", "False": "off (default)"},
        Correction(
            "Setting it to False takes a feature away.",
            'It is off unless something turns it on, such as `mode="max-autotune"`.',
            "2.13.0 _inductor/config.py:514",
        ),
        see=("torch._inductor.config.max_autotune_gemm",),
    ),
    _key(
        "max_autotune_gemm",
        "Does what `max_autotune` does, for matrix products alone.",
        "2.13.0 _inductor/config.py:520",
        {"True": "on", "False": "off (default)"},
        Correction(
            "Both are needed.",
            "`max_autotune` includes it.",
            "2.13.0 _inductor/choices.py:281",
        ),
        see=("torch._inductor.config.max_autotune",),
    ),
    _key(
        "autotune_local_cache",
        "Keeps the results of timing Triton kernels on disk, below TORCHINDUCTOR_CACHE_DIR.",
        "2.13.0 _inductor/config.py:139",
        {"True": "on (default)", "False": "off"},
        Correction(
            "It has to be turned on.",
            "It is on by default.",
            "2.13.0 _inductor/config.py:139",
        ),
    ),
    _key(
        "autotune_remote_cache",
        "Shares the results of timing Triton kernels through a cache server.",
        "2.13.0 _inductor/config.py:151",
        {"True": "on", "False": "off", "None": "torch decides: off outside Meta (default)"},
    ),
    _key(
        "triton.cudagraphs",
        "Records the kernels of a compiled function as a CUDA graph and replays it.",
        "2.13.0 _inductor/config.py:1810",
        {"True": "on", "False": "off (default)"},
        Correction(
            "False falls back to code without Triton.",
            "It has nothing to do with which kernels are generated, and it is off by default.",
            "2.13.0 _inductor/config.py:1810",
        ),
        Correction(
            "It is a setting for compiled models in general.",
            "AOTInductor switches it off while it compiles.",
            "2.13.0 _inductor/compile_fx.py:2246",
        ),
        phases=(Phase.TORCH_COMPILE,),
        see=("TORCHINDUCTOR_CUDAGRAPHS",),
    ),
    _key(
        "triton.debug_sync_kernel",
        "Puts a synchronization after each generated kernel, so that an error shows at its kernel. It becomes part of "
        "the compiled code.",
        "2.13.0 _inductor/config.py:1888",
        {"True": "on", "False": "off (default)"},
        see=("CUDA_LAUNCH_BLOCKING",),
    ),
    _key(
        "triton.debug_sync_graph",
        "Puts a synchronization before and after each compiled graph.",
        "2.13.0 _inductor/config.py:1885",
        {"True": "on", "False": "off (default)"},
        see=("CUDA_LAUNCH_BLOCKING",),
    ),
    _key(
        "triton.unique_kernel_names",
        "Gives each Triton kernel a name of its own, such as `triton_poi_fused_add_0`.",
        "2.13.0 _inductor/config.py:1961",
        {"True": "on (default)", "False": "all are called `triton_`"},
        Correction(
            "It has to be turned on for profiling.",
            "It is on by default.",
            "2.13.0 _inductor/config.py:1962",
        ),
    ),
    _key(
        "cpp_wrapper",
        "Generates the function that calls the kernels in C++ instead of Python. AOTInductor always does.",
        "2.13.0 _inductor/config.py:196",
        {"True": "on", "False": "off (default)"},
        Correction(
            "It forces the C++ backend.",
            "Kernels for the CPU are C++ in any case, kernels for a GPU stay Triton; the wrapper around them changes.",
            "2.13.0 _inductor/config.py:194; run on torch 2.13 (CPU)",
        ),
        phases=(Phase.TORCH_COMPILE,),
    ),
    _key(
        "cpp.simdlen",
        "The width in bits of the vector instructions in generated CPU kernels.",
        "2.13.0 _inductor/config.py:1687",
        {
            "None": "what the processor has, or ATEN_CPU_CAPABILITY (default)",
            "1": "no vector code at all, as any width the processor does not have",
            "<bits>": "256 or 512 for AVX2 and AVX512",
        },
    ),
    _key(
        "cpp.threads",
        "The number of threads that CPU kernels are compiled for.",
        "2.13.0 _inductor/config.py:1673",
        {
            "-1": "`torch.get_num_threads()` of the compiling process (default)",
            "<number>": "that many, whatever the running process has",
        },
        Correction(
            "-1 finds the number of threads by itself.",
            "It finds it while compiling. Unless that is the number of CPUs of the machine, it is built into the "
            "kernels and no longer follows the running process; `cpp.dynamic_threads` keeps it open.",
            "2.13.0 _inductor/codegen/cpp.py:5839",
        ),
    ),
    _key(
        "trace.enabled",
        "Writes the graphs, the IR and the generated code of every compile into a folder.",
        "2.13.0 _inductor/config.py:2724",
        {"True": "on", "False": "off (default)"},
        output="`<cwd>/torch_compile_debug/run_<time>-pid_<pid>/torchinductor/`",
        see=("TORCH_COMPILE_DEBUG", "torch_compile_debug/"),
    ),
    _same_as(
        "TORCHINDUCTOR_FREEZING",
        "freezing",
        "Makes the weights constants of the compiled code. Only without gradients.",
        "2.13.0 _inductor/config.py:1561",
        {"True": "on", "False": "off (default)"},
    ),
    _same_as(
        "TORCHINDUCTOR_NAN_ASSERTS",
        "nan_asserts",
        "Compiles checks for NaN and infinity into the model.",
        "2.13.0 _inductor/config.py:233",
        {"True": "on", "False": "off (default)", '"0"': "on: a text is true"},
    ),
    _same_as(
        "DUMP_AOTI_MINIFIER",
        "aot_inductor.dump_aoti_minifier",
        "Writes a script that makes a small case of a failing `aoti_compile_and_package`.",
        "2.13.0 _inductor/config.py:2278",
        {"True": "on", "False": "off (default)"},
        versions=VersionSet.since("2.6"),
    ),
    _same_as(
        "AOTINDUCTOR_REPRO_LEVEL",
        "aot_inductor.repro_level",
        "Says when the AOTInductor minifier writes its script; counts only with `dump_aoti_minifier`.",
        "2.13.0 _inductor/config.py:2285",
        {"2": "the default; see the variable for the others"},
        versions=VersionSet.since("2.7"),
    ),
    _same_as(
        "AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER",
        "aot_inductor.debug_intermediate_value_printer",
        "Compiles printing or saving of kernel arguments into the model.",
        "2.13.0 _inductor/config.py:2227",
        {'"0" to "3"': "texts, as for the variable", "2": "a number: the compile fails with a ValueError"},
        versions=VersionSet.since("2.5"),
    ),
    _same_as(
        "AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT",
        "aot_inductor.filtered_kernel_names",
        "Names the kernels that mode 2 of the debug printer prints.",
        "2.13.0 _inductor/config.py:2232",
        {"<names>": "one text with commas; a list fails: `'list' object has no attribute 'lower'`"},
        versions=VersionSet.since("2.5"),
    ),
    _key(
        "aot_inductor.check_lowerbound",
        "Whether AOTI_RUNTIME_CHECK_INPUTS compares sizes with the lower end of their range.",
        "2.13.0 _inductor/config.py:2275",
        {"True": "it does (default), and refuses a size of 1 that `Dim(min=1)` allows", "False": "it does not"},
        versions=VersionSet.since("2.10"),
        phases=(Phase.COMPILE,),
        see=("AOTI_RUNTIME_CHECK_INPUTS",),
    ),
    _key(
        "aot_inductor.check_upperbound",
        "Whether AOTI_RUNTIME_CHECK_INPUTS compares sizes with the upper end of their range.",
        "in 2.15.0, not in 2.14.1",
        {"True": "it does", "False": "it does not"},
        versions=VersionSet.since("2.15"),
        phases=(Phase.COMPILE,),
        see=("AOTI_RUNTIME_CHECK_INPUTS",),
    ),
    Row(
        "torch._dynamo.config.debug_dir_root",
        Kind.KEY,
        "Where the folders of debug files and minifiers are made.",
        "2.13.0 _dynamo/config.py:655",
        moment=Moment.COMPILE,
        phases=(Phase.EXPORT, Phase.COMPILE, Phase.TORCH_COMPILE),
        values={"<folder>": "the folder; by default `torch_compile_debug` in the working folder"},
        see=("TORCH_COMPILE_DEBUG_DIR",),
    ),
)
