"""Functions, classes and modules that the debugging guides name."""

from __future__ import annotations

from aoti_lint.torch_api.guide.row import Correction, Kind, Phase, Row
from aoti_lint.torch_api.versions import SUPPORTED, VersionSet

_SINCE_2_6 = VersionSet.since("2.6")


def _function(
    name: str,
    does: str,
    source: str,
    *corrections: Correction,
    phases: tuple[Phase, ...],
    versions: VersionSet = SUPPORTED,
    values: dict[str, str] | None = None,
    see: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
) -> Row:
    return Row(name, Kind.API, does, source, versions, None, phases, values or {}, "", corrections, see, aliases)


ROWS: tuple[Row, ...] = (
    _function(
        "torch.export.export",
        "Captures a model as an `ExportedProgram`, for the devices, dtypes and sizes of the example inputs; only what "
        "`dynamic_shapes` names may change.",
        "2.13.0 export/__init__.py:59",
        phases=(Phase.EXPORT,),
        values={
            "dynamic_shapes": "for each input, the dimensions that may change; an input that never changes is None"
        },
        see=("torch.export.Dim",),
    ),
    _function(
        "torch.export.Dim",
        "A named dimension that may change, with its range.",
        "2.13.0 export/dynamic_shapes.py:109",
        Correction(
            '`Dim("batch", min=1)` makes a batch of 1 possible everywhere.',
            "The package works with it, but AOTI_RUNTIME_CHECK_INPUTS refuses a batch of 1, and an example input of "
            "size 1 makes the dimension constant, which is an error at export.",
            "run on torch 2.13 (CPU)",
        ),
        phases=(Phase.EXPORT,),
        values={"min": "the smallest size", "max": "the largest size; a larger one is noticed only with the check"},
        see=("torch._inductor.config.aot_inductor.check_lowerbound",),
    ),
    _function(
        "torch._inductor.aoti_compile_and_package",
        "Compiles an `ExportedProgram` into a `.pt2` package, and gives its path.",
        "2.13.0 _inductor/__init__.py:57",
        Correction(
            "It is the current call for every torch in use.",
            "It exists since torch 2.6. Give the path as `package_path=`: by position it is ignored.",
            "2.13.0 _inductor/__init__.py:123; run on torch 2.13 (CPU)",
        ),
        phases=(Phase.COMPILE,),
        versions=_SINCE_2_6,
        see=("torch._inductor.aoti_load_package",),
    ),
    _function(
        "torch._inductor.aoti_load_package",
        "Loads a `.pt2` package, on the type of device it was compiled for.",
        "2.13.0 _inductor/__init__.py:241",
        Correction(
            "It always takes the right device by itself.",
            "The type, but not the index: a package compiled on cuda:1 lands on cuda:0. Give `device_index=` (torch "
            "2.8 on).",
            "run on torch 2.11 (two GPUs)",
        ),
        phases=(Phase.LOAD,),
        versions=_SINCE_2_6,
        see=("torch._inductor.aoti_compile_and_package",),
    ),
    _function(
        "torch._inductor.aot_compile",
        "Compiles a graph module into a `.so`, and gives its path.",
        "2.13.0 _inductor/__init__.py:274",
        Correction(
            "It takes a model.",
            "It takes the graph module of an exported program, `ep.module()`. A model fails with `'M' object has no "
            "attribute 'graph'`, an exported program with an AssertionError.",
            "run on torch 2.13 (CPU)",
        ),
        phases=(Phase.COMPILE,),
        see=("torch._inductor.aoti_compile_and_package",),
    ),
    _function(
        "torch._export.aot_compile",
        "Exports a model and compiles it into a `.so`. Deprecated since torch 2.6.",
        "2.13.0 _export/__init__.py:80",
        phases=(Phase.COMPILE,),
        see=("torch._inductor.aoti_compile_and_package",),
    ),
    _function(
        "torch._export.aot_load",
        "Loads a `.so` of `aot_compile` on a device. Deprecated since torch 2.6.",
        "2.13.0 _export/__init__.py:157",
        Correction(
            "With the wrong device it ends in a segfault, an error or a wrong output.",
            "A model compiled for a GPU and loaded for the CPU raises while loading; one compiled for the CPU loads "
            "for a GPU, and raises at the call.",
            "run on torch 2.11 (GPU)",
        ),
        phases=(Phase.LOAD,),
        values={"device": "`cpu`, `cuda`, `cuda:N`, `xpu` or `mps`; the type it was compiled for"},
        see=("torch._inductor.aoti_load_package",),
    ),
    _function(
        "torch.compile",
        "Compiles a function or model at its first call, in the same process. Nothing is packaged.",
        "2.13.0 __init__.py:2580",
        phases=(Phase.TORCH_COMPILE,),
        values={"mode": "a named group of settings", "options": "settings of Inductor; not together with `mode`"},
    ),
    _function(
        "torch._dynamo.repro.aoti.run_repro",
        "What a minifier script of AOTInductor calls at its end.",
        "2.13.0 _dynamo/repro/aoti.py:481",
        phases=(Phase.COMPILE,),
        versions=_SINCE_2_6,
        values={
            "command=minify": "cut the program down and write `repro.py`",
            "command=run": "export, compile, load and run it as it is",
        },
        see=("minifier_launcher.py",),
        aliases=("run_repro",),
    ),
    _function(
        "AOTInductorModelBase",
        "The C++ class in every compiled model that holds its constants and calls its kernels. Seen in stack traces.",
        "2.13.0 include/torch/csrc/inductor/aoti_runtime/model_base.h:489",
        Correction(
            "A crash while it loads constants means that compile and load device differ.",
            "On torch 2.11 that case raises, with `Mixed-device constants are only supported when the secondary device "
            "is CPU`.",
            "run on torch 2.11 (GPU)",
        ),
        phases=(Phase.LOAD, Phase.RUN),
        see=("torch._export.aot_load",),
    ),
    _function(
        "torch.load",
        "Reads a tensor that the debug printer saved. It reads no package.",
        "2.13.0 serialization.py:1315",
        phases=(Phase.RUN,),
        values={"weights_only": "True (the default since torch 2.6) is enough for saved tensors"},
        see=("<before|after>_launch_<kernel>_<arg>_<device>.pt",),
    ),
    _function(
        "torch.testing.assert_close",
        "Compares the results of eager and compiled code, with tolerances for the dtype.",
        "2.13.0 testing/_comparison.py:1357",
        phases=(Phase.RUN, Phase.TORCH_COMPILE),
    ),
    _function(
        "torch.profiler.profile",
        "Records what runs, with times.",
        "2.13.0 profiler/profiler.py:773",
        phases=(Phase.RUN, Phase.TORCH_COMPILE),
        values={"activities": "what to record, a list of `torch.profiler.ProfilerActivity`"},
        see=("torch.profiler.ProfilerActivity",),
        aliases=("torch.profiler",),
    ),
    _function(
        "torch.profiler.ProfilerActivity",
        "What the profiler records: CPU, CUDA and so on.",
        "2.13.0 profiler/profiler.py",
        Correction(
            "`[ProfilerActivity.CUDA]` can be given in any build.",
            "In a build without CUDA nothing is left to record: `AssertionError: No activities specified for the "
            "profiler`.",
            "2.13.0 autograd/profiler.py:355; run on torch 2.13 (CPU)",
        ),
        phases=(Phase.RUN, Phase.TORCH_COMPILE),
    ),
    _function(
        "torch.profiler.profile.key_averages",
        "Adds up what the profiler recorded by name; `.table(...)` prints it.",
        "2.13.0 autograd/profiler_util.py",
        Correction(
            "Sort the table by `cuda_time_total`.",
            "It is still read, but the name is `device_time_total` now.",
            "2.13.0 autograd/profiler_util.py:944; run on torch 2.13 (CPU)",
        ),
        phases=(Phase.RUN, Phase.TORCH_COMPILE),
        values={"sort_by": "the column to sort by, such as `device_time_total`"},
        aliases=("key_averages", "table"),
    ),
    _function(
        "torch._inductor.config",
        "The module with Inductor's settings. A name it does not have raises an AttributeError; a value of the wrong "
        "type is taken without a word.",
        "2.13.0 _inductor/config.py; run on torch 2.13 (CPU)",
        phases=(Phase.COMPILE, Phase.TORCH_COMPILE),
        see=("torch/_inductor/config.py",),
    ),
    _function(
        "torch._dynamo.config",
        "The module with dynamo's settings.",
        "2.13.0 _dynamo/config.py",
        phases=(Phase.EXPORT, Phase.COMPILE, Phase.TORCH_COMPILE),
    ),
    _function(
        "torch._logging.set_logs",
        "Does in a script what TORCH_LOGS does, at any time: `set_logs(dynamic=logging.DEBUG, output_code=True)`.",
        "2.13.0 _logging/_internal.py:211",
        phases=(Phase.EXPORT, Phase.COMPILE, Phase.TORCH_COMPILE),
        see=("TORCH_LOGS",),
    ),
    _function(
        "torch.nn.Module.eval",
        "Puts a model into evaluation mode. Call it before the export: the mode is built into the program.",
        "run on torch 2.13 (CPU)",
        phases=(Phase.EXPORT,),
        aliases=("eval",),
    ),
    _function(
        "torch.nn.Module.cuda",
        "Moves a model or tensor to a GPU. Model and example inputs must be moved before the export.",
        "run on torch 2.11 (GPU)",
        phases=(Phase.EXPORT,),
        aliases=("cuda",),
    ),
    _function(
        "torch.Tensor.to",
        "Gives a tensor on another device. Inputs go where the package was compiled for.",
        "run on torch 2.11 (GPU)",
        phases=(Phase.RUN,),
        aliases=("to",),
    ),
    _function(
        "torch.randn",
        "Makes an example input. Its device, dtype and sizes become those of the package.",
        "run on torch 2.13 (CPU)",
        phases=(Phase.EXPORT,),
    ),
    _function(
        "triton.__version__",
        "The version of Triton, which compiles the kernels for a GPU. Each torch needs its own.",
        "no part of torch",
        phases=(Phase.COMPILE,),
    ),
)
