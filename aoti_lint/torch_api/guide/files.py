"""Files and folders that the debugging guides tell people to look at."""

from __future__ import annotations

from aoti_lint.torch_api.guide.row import Correction, Kind, Phase, Row

_BOTH = (Phase.COMPILE, Phase.TORCH_COMPILE)
_DEBUG = ("TORCH_COMPILE_DEBUG", "torch_compile_debug/")
_RUN_CPU = "run on torch 2.13 (CPU)"


def _file(
    name: str,
    does: str,
    source: str,
    *corrections: Correction,
    phases: tuple[Phase, ...] = _BOTH,
    output: str = "",
    see: tuple[str, ...] = (),
) -> Row:
    return Row(name, Kind.FILE, does, source, phases=phases, output=output, corrections=corrections, see=see)


ROWS: tuple[Row, ...] = (
    _file(
        "torch_compile_debug/",
        "The folder for debug files and minifiers, in the working folder of the compiling process.",
        "2.13.0 _dynamo/config.py:652",
        output="`run_<time>-pid_<pid>/torchinductor/model__<n>.<n>/` for each compile, `run_.../minifier/` for a "
        "minifier, `tlparse/` for the log of TORCH_COMPILE_DEBUG",
        see=("TORCH_COMPILE_DEBUG_DIR", "torch._dynamo.config.debug_dir_root"),
    ),
    _file(
        "fx_graph_readable.py",
        "The graph that Inductor was given, to read.",
        "2.13.0 _inductor/debug.py:608",
        see=_DEBUG,
    ),
    _file(
        "fx_graph_runnable.py",
        "The same graph as a script that compiles and runs it.",
        "2.13.0 _inductor/debug.py:586",
        see=_DEBUG,
    ),
    _file(
        "fx_graph_transformed.py",
        "The graph after Inductor's own passes.",
        "2.13.0 _inductor/debug.py:616",
        see=_DEBUG,
    ),
    _file(
        "ir_post_fusion.txt",
        "Inductor's operations after fusion; `ir_pre_fusion.txt` has those before.",
        "2.13.0 _inductor/debug.py:624",
        see=_DEBUG,
    ),
    _file(
        "output_code.py",
        "The generated code of torch.compile: a Python wrapper with the Triton or C++ kernels in it.",
        "2.13.0 _inductor/debug.py:658",
        Correction(
            "`config.debug` makes it.",
            "`trace.enabled` or TORCH_COMPILE_DEBUG=1 does.",
            "2.13.0 _inductor/config.py:2724; run on torch 2.13 (CPU)",
        ),
        see=_DEBUG,
    ),
    _file(
        "output_code.cpp",
        "The generated C++ of AOTInductor, or of torch.compile with `cpp_wrapper`.",
        "2.13.0 _inductor/debug.py:658",
        Correction(
            "It is the file of every compile for the CPU.",
            "torch.compile writes `output_code.py`, with the C++ kernels in it.",
            _RUN_CPU,
        ),
        see=(*_DEBUG, "torch._inductor.config.cpp_wrapper"),
    ),
    _file(
        "minifier_launcher.py",
        "A script that holds the program, the settings and the error, and cuts the program down when it is run.",
        "2.13.0 _dynamo/debug_utils.py:517",
        Correction(
            "Its path follows `Writing minified repro to:` on the same line.",
            "The path is on the next line of the log. The program is a file beside it, "
            "`checkpoints/exported_program.pt2`, with an absolute path: move both together.",
            "2.13.0 _dynamo/debug_utils.py:522; run on torch 2.13 (CPU)",
        ),
        output="`torch_compile_debug/run_<time>-pid_<pid>/minifier/`",
        see=("DUMP_AOTI_MINIFIER", "TORCHDYNAMO_REPRO_AFTER"),
    ),
    _file(
        "repro.py",
        "The small case that the minifier found, in the folder the minifier was run in.",
        "2.13.0 _dynamo/repro/aoti.py:223",
        see=("minifier_launcher.py",),
    ),
    _file(
        "<before|after>_launch_<kernel>_<arg>_<device>.pt",
        "One tensor that mode 1 of the debug printer saved; `torch.load` reads it.",
        _RUN_CPU,
        Correction(
            "It is `tmp/aoti_torch/before_launch_...`, in a temporary folder.",
            "It is `tmp/aoti_torchbefore_launch_...` in the folder the model runs in: a slash is missing, and "
            "`tmp/aoti_torch/` stays empty.",
            "run on torch 2.13 (CPU), 2.11 (GPU) and 2.7 (CPU)",
        ),
        phases=(Phase.RUN,),
        see=("AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER", "tmp/aoti_torch/"),
    ),
    _file(
        "tmp/aoti_torch/",
        "Made in the working folder of the running process by mode 1 of the debug printer.",
        _RUN_CPU,
        Correction(
            "The saved tensors are in it.",
            "It stays empty; they lie beside it, as `tmp/aoti_torch<before|after>_launch_...pt`.",
            "run on torch 2.13 (CPU) and 2.11 (GPU)",
        ),
        phases=(Phase.RUN,),
        see=("<before|after>_launch_<kernel>_<arg>_<device>.pt",),
    ),
    _file(
        "tmp/jit_inductor/",
        "Where mode 1 of the debug printer saves tensors under torch.compile on a GPU.",
        "2.13.0 _inductor/codegen/debug_utils.py:214; run on torch 2.11 (GPU)",
        phases=(Phase.TORCH_COMPILE,),
        see=("AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER",),
    ),
    _file(
        "torch/_inductor/config.py",
        "All settings of Inductor, with the variables that set them.",
        "2.13.0 _inductor/config.py",
    ),
    _file(
        "test/inductor/test_aot_inductor.py",
        "Tests in torch's repository, not in an installed torch. Use your own script in their place.",
        "no part of an installed torch",
    ),
)
