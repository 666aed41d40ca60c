"""torch.compile, its settings, CUDA graphs, and the tools that compile."""

from __future__ import annotations

from typing import Final

from aoti_lint.triage.cause import COMPILER, GPU, MACHINE, Cause, Level, generated, innermost

_FROM_INDUCTOR = r"(?<=backend='inductor' raised:)"
_INTERNAL = r"(?:Assertion|Key|Index|Attribute|Name|Type|ZeroDivision|NotImplemented)Error\b"

OVERWRITTEN: Final = Cause(
    name="cuda-graph-overwrite",
    title="a result of a CUDA graph was used after the next run had overwritten it",
    patterns=(
        r"accessing tensor output of CUDAGraphs that has been overwritten",
        r"To prevent overwriting, clone the tensor outside of torch\.compile",
    ),
    why="CUDA graphs write into the same memory at every run.",
    fix="Clone what is kept for later, outside of the compiled function: result.clone(). If each call is a new step, "
    "torch.compiler.cudagraph_mark_step_begin() before it says so; results of older steps are gone then, too.",
    rules=("AOTI514",),
    rerun=("TORCH_LOGS=cudagraphs",),
    symptom="cuda-graph-overwrite",
    source="run on torch 2.11 (H200)",
)
CAUSES: tuple[Cause, ...] = (
    Cause(
        name="mode-and-options",
        title="torch.compile was given mode and options together",
        patterns=(r"Either mode or options can be specified, but both can't be specified",),
        why="A mode is a set of options.",
        fix="Write options={**torch._inductor.list_mode_options(mode), …}.",
        rules=("AOTI512",),
        symptom="compile-error",
    ),
    Cause(
        name="unknown-setting",
        title="a setting, mode or backend of that name does not exist",
        patterns=(
            r"Unexpected optimization option \S+, known options are",
            r"torch\._(?:inductor|dynamo|functorch)\.config\.[\w.]+ does not exist",
            r"Unrecognized mode=\S+, should be one of",
            r"Invalid backend: '[^']+'",
        ),
        why="It is misspelt, or another release has it.",
        fix="aoti-lint names the nearest one and its releases.",
        rules=("AOTI510", "AOTI512"),
        symptom="compile-error",
    ),
    Cause(
        name="setting-of-another-type",
        title="a setting was given a value of another type",
        patterns=(r"Unexpected type of attr \w+, got \w+ should be \w+",),
        why="torch.compile checks the types of options.",
        fix="Write the value as the type the message names.",
        rules=("AOTI511",),
        symptom="compile-error",
    ),
    Cause(
        name="recompile-limit",
        title="a function was compiled for so many kinds of inputs that torch gave up on it",
        patterns=(
            r"torch\._dynamo hit "
            r"config\.(?:recompile_limit|cache_size_limit|accumulated_(?:cache_size|recompile)_limit)",
            r"FailOnRecompileLimitHit|Hard failure due to fullgraph=True",
        ),
        why="Each new size, number or flag compiles again; after the limit the function runs without being compiled.",
        fix="The message names the last reason: mark that size dynamic (torch.compile(dynamic=True), mark_dynamic), or "
        "keep that value the same.",
        rules=("AOTI720",),
        rerun=("TORCH_LOGS=recompiles",),
        symptom="recompile",
    ),
    OVERWRITTEN,
    Cause(
        name="cuda-graph-gradient-overwritten",
        title="a gradient that lies in a CUDA graph was used after the next run had overwritten it",
        patterns=(r"accessing gradient tensor output of CUDAGraphs that has been overwritten",),
        why="A .grad that comes into being while the graph is captured lies in memory of the graph. Gradients that are "
        "summed up over several backwards do.",
        fix="Let the gradients lie in memory of their own before the first compiled backward (run it once without "
        "torch.compile, or give each parameter a zeroed .grad), or set .grad to None before every backward.",
        rules=("AOTI514",),
        rerun=("TORCH_LOGS=cudagraphs",),
        symptom="cuda-graph-overwrite",
        source="torch 2.13, _inductor/cudagraph_trees.py, format_dealloc_msg",
    ),
    Cause(
        name="cuda-graphs-skipped",
        title="CUDA graphs are not used for a function",
        patterns=(r"skipping cudagraphs due to",),
        why="The message names the reason: inputs that are changed, the CPU, several devices, dynamic sizes.",
        fix="Nothing is wrong with the results. TORCH_LOGS=cudagraphs names the lines.",
        unseen="It is a note: the function runs, without CUDA graphs.",
        rerun=("TORCH_LOGS=cudagraphs",),
        symptom="slow",
        level=Level.NOTE,
        source="pytorch#117281",
    ),
    Cause(
        name="no-compiler",
        title="there is no working C or C++ compiler, or one that is too old",
        patterns=(
            r"InvalidCxxCompiler: No working C\+\+ compiler found",
            r"(?:g\+\+|clang\+\+|c\+\+)(?:: not found|: command not found|: No such file)",
            r"Failed to find C compiler",
            r"RuntimeError: Compiler: \S+ is not found",
            r"Intel Compiler error: less than minimal version",
            r"Please use (?:clang-cl|icx-cl), due to torch\.compile only support MSVC-like CLI",
        ),
        why="Inductor compiles C++ on the machine that compiles the model, and Triton a launcher in C.",
        fix="Install g++ and gcc (or set CXX and CC; on Windows start from the prompt of Visual Studio); images for "
        "serving need them only if they compile.",
        unseen=MACHINE,
        symptom="compile-error",
    ),
    Cause(
        name="missing-header",
        title="a header that the compiler needs is not installed",
        patterns=(r"fatal error: '?(\S+\.h(?:pp)?)'?(?: file not found|: No such file)",),
        why="Python.h is in the development package of Python, cuda.h in the CUDA toolkit.",
        fix="Install python3-dev (or the toolkit) in the image that compiles.",
        unseen=MACHINE,
        symptom="compile-error",
        source="pytorch#97146, vllm#19656, TheRock#1837",
    ),
    Cause(
        name="missing-library",
        title="a library that the linker needs is not installed",
        patterns=(r"(?:/|\b)(?:ld|ld\.\w+|lld): (?:error: )?(?:cannot find|unable to find library) -l(\S+)",),
        why="-lcuda is libcuda.so of the driver: containers and hosts often have libcuda.so.1 alone, which programs "
        "run with and linkers do not find.",
        fix="For -lcuda: link libcuda.so to libcuda.so.1 and name its folder (TRITON_LIBCUDA_PATH, LIBRARY_PATH), or "
        "use the stubs of the CUDA toolkit. Others: install their development package.",
        unseen=MACHINE,
        symptom="compile-error",
        source="vllm#16984, pytorch#103417",
    ),
    Cause(
        name="cxx-error",
        title="the generated C++ does not compile",
        patterns=(r"CppCompileError: C\+\+ compile error", r"error: command '.*(?:g\+\+|clang)' failed"),
        why="The compiler is too old for what Inductor writes, or its flags do not fit; the first `error:` line says "
        "more.",
        fix="Use a newer compiler (g++ 10 or later), or report the generated file.",
        unseen=COMPILER,
        symptom="compile-error",
        level=Level.EFFECT,
        source="pytorch#154127, pytorch#130815",
    ),
    Cause(
        name="blank-in-path",
        title="a path with a blank in it was given to the C++ compiler",
        patterns=(r"(?:g\+\+|clang\+\+|gcc|clang): fatal error: input file .+ is the same as output file",),
        why="As torch calls the compiler, a path with a blank in it is two paths. It is that of the cache: "
        "TORCHINDUCTOR_CACHE_DIR, or a folder for temporary files with the name of the user in it.",
        fix="Set TORCHINDUCTOR_CACHE_DIR to a folder without blanks in its name.",
        unseen=MACHINE,
        symptom="compile-error",
        source="run on torch 2.13 (CPU)",
    ),
    Cause(
        name="windows-linking",
        title="linking the package failed on or for Windows",
        patterns=(r"undefined reference to .?WinMain", r"error LNK(?:2019|1123|1120)"),
        why="AOTInductor links a library; settings or import libraries of torch are missing.",
        fix="On Windows start from a developer prompt of Visual Studio; when compiling for it elsewhere, set "
        "aot_inductor.precompile_headers to False.",
        unseen=MACHINE,
        symptom="compile-error",
        source="pytorch#166093, pytorch#139954",
    ),
    Cause(
        name="triton-version",
        title="Triton does not fit this torch, is not there, or is there twice",
        patterns=(
            r"cannot import name '(?:AttrsDescriptor|triton_key)' from 'triton",
            r"Cannot find a working triton installation",
            r"Installed triton version too old, please upgrade",
            r"No module named 'triton(?:\.[\w.]+)?'",
            r"\b(?:[2-9]|\d\d+) (?:compatible backends for target|active drivers) ",
        ),
        why="Each torch works with one release of Triton. Two builds of it beside each other (triton and "
        "pytorch-triton) have every backend twice.",
        fix="Install the Triton that torch asks for (pip show torch), and no other.",
        unseen=MACHINE,
        symptom="compile-error",
        source="ComfyUI#7106, pytorch#130403, pytorch#129639",
    ),
    Cause(
        name="compiler-speaks-another-language",
        title="Inductor cannot read what the compiler prints on Windows",
        patterns=(
            r"InductorError: UnicodeDecodeError: 'utf-8' codec can't decode byte",
            r"only support MSVC with English language pack",
        ),
        why="cl.exe prints in the language of Visual Studio and the code page of the system, and Inductor reads UTF-8.",
        fix="Install the English language pack of Visual Studio, and set VSLANG=1033 or remove the other language.",
        unseen=MACHINE,
        symptom="compile-error",
        source="pytorch#157673, pytorch#159537",
    ),
    Cause(
        name="triton-library-windows",
        title="the library of Triton cannot be loaded on Windows",
        patterns=(r"DLL load failed while importing libtriton",),
        why="It needs a C++ runtime of Visual Studio that is as new as itself. Copies of vcruntime140.dll beside "
        "python.exe come first, however old they are.",
        fix="Install the newest Visual C++ Redistributable, and take old copies of its files out of the folder of "
        "python.exe. If the message speaks of a policy, Windows itself blocks the file.",
        unseen=MACHINE,
        symptom="compile-error",
        source="triton-windows#58",
    ),
    Cause(
        name="triton-launcher",
        title="the C compiler failed on the launcher that Triton writes",
        patterns=(r"CalledProcessError: Command '\[.*(?:main|(?:cuda|hip)_utils)\.c'.*returned non-zero exit",),
        why="Its own message stands in another line, often of another stream: a missing header (Python.h), libcuda.so, "
        "or on Windows the libraries of Python.",
        fix="Run the command of the message by hand on a small C file, and install what it misses.",
        unseen=MACHINE,
        symptom="compile-error",
        level=Level.EFFECT,
        source="triton-windows#186, pytorch#92745",
    ),
    Cause(
        name="no-user-name",
        title="the user of the process has no name in the system, and torch asks for it",
        patterns=(r"getpwuid\(\): uid not found", r"OSError: No username set in the environment"),
        why="The default cache folder of Inductor has the name of the user in it; containers often run under a bare "
        "number.",
        fix="Set USER (any text will do) or TORCHINDUCTOR_CACHE_DIR in the container, or add the user to /etc/passwd.",
        unseen=MACHINE,
        symptom="compile-error",
        source="tesseract-core#425",
    ),
    Cause(
        name="ptxas-too-old",
        title="the ptxas that Triton uses does not know this GPU",
        patterns=(r"ptxas\S* fatal *: Value 'sm_\w+' is not defined for option 'gpu-name'",),
        why="Triton brings its own ptxas, which is older than the GPU.",
        fix="Set TRITON_PTXAS_PATH (or TRITON_PTXAS_BLACKWELL_PATH, if the message names ptxas-blackwell) to the ptxas "
        "of a CUDA toolkit that knows the GPU, or install the Triton of a newer torch.",
        unseen=MACHINE,
        symptom="compile-error",
        source="triton#8539, triton-inference-server#8632",
    ),
    Cause(
        name="shared-memory",
        title="a kernel needs more shared memory than a block has on this GPU",
        patterns=(r"^(?:[\w.]*(?:Error|OutOfResources): )+(?:No valid triton configs.*?)?out of resource: ",),
        why="The sizes of its blocks were chosen for a larger GPU. This has nothing to do with the memory that "
        "tensors take.",
        fix="Smaller blocks or fewer num_stages in kernels of your own; else compile without max_autotune, or with "
        "the torch that knows this GPU.",
        unseen=GPU,
        symptom="compile-error",
        source="torchtune#2572, triton#2596",
    ),
    Cause(
        name="autotuning-choice-skipped",
        title="the autotuner left out kernels that do not fit this GPU",
        patterns=(r"out of resource: .*Required: ?\d+",),
        why="It tries many block sizes; those that need too much shared memory are skipped.",
        fix="Nothing is wrong as long as one choice is left.",
        unseen=GPU,
        level=Level.NOTE,
        source="openpi#654, pytorch#150980",
    ),
    Cause(
        name="lowering-failed",
        title="Inductor cannot compile one operator of the model",
        patterns=(r"LoweringException: \w",),
        why="The line `target:` below names the operator, and `args` what it was given; an assertion there is a case "
        "that Inductor does not have.",
        fix="Write that operation otherwise (sparse=False, a supported dtype), or let it run outside of the compiled "
        "function.",
        unseen=COMPILER,
        symptom="compile-error",
        level=Level.EFFECT,
        source="pytorch#173053",
    ),
    Cause(
        name="triton-kernel-not-compiled",
        title="Triton cannot compile a kernel",
        patterns=(
            r"\bCompilationError: at \d+:\d+:",
            r"\bRuntimeError: PassManager::run failed",
            r"`ptxas` failed with error code",
            r"Internal Triton PTX codegen error",
        ),
        why="In a kernel of yours: what stands at the line and column that the message gives. In one that Inductor "
        "wrote (triton_poi_…, triton_red_…): something that this Triton, or this GPU, does not have.",
        fix="Use the newest torch with its own Triton. Until then let that part of the model run outside of the "
        "compiled function.",
        unseen=COMPILER,
        symptom="compile-error",
        level=Level.EFFECT,
        source="ComfyUI#5524, ComfyUI#8441, ComfyUI-WanVideoWrapper#408",
    ),
    Cause(
        name="compiler-failed",
        title="the compiler fails inside: it has a fault, or a case that it does not know",
        patterns=(rf"InductorError: {_INTERNAL}", r"InternalTorchDynamoError: "),
        placed=(
            (rf"^{_INTERNAL}", innermost("") + _FROM_INDUCTOR),
            (rf"^{_INTERNAL}", generated() + _FROM_INDUCTOR),
        ),
        why="The message is about the code of Dynamo or Inductor and not about the model.",
        fix="Find the smallest program that fails (the minifier of the rerun), report it to PyTorch, and until then "
        "leave out the part of the compiler without which it works.",
        unseen=COMPILER,
        symptom="compile-error",
        level=Level.WALL,
        source="pytorch#183370, pytorch#181115, pytorch#107630, pytorch#131336",
    ),
    Cause(
        name="folder-without-exec",
        title="a compiled library cannot be loaded from its folder: the folder is mounted with noexec",
        patterns=(r"failed to map segment from shared object: (?:Operation not permitted|Permission denied)",),
        why="Containers and servers often mount /tmp so that nothing in it can be run.",
        fix="Set TORCHINDUCTOR_CACHE_DIR (and TMPDIR, where packages are unpacked) to a folder that allows it.",
        unseen=MACHINE,
        symptom="load-error",
        source="torch 2.13, _inductor/codecache.py:3675",
    ),
    Cause(
        name="wrapper-too-big",
        title="the C++ of the package is too big to be optimised",
        patterns=(r"Please use torch\._inductor\.config\.aot_inductor\.compile_wrapper_opt_level = 'O0'",),
        why="A model with very many operations gives one very long C++ function.",
        fix='Compile with inductor_configs={"aot_inductor.compile_wrapper_opt_level": "O0"}; the kernels stay as fast.',
        unseen=COMPILER,
        symptom="compile-error",
        source="torch 2.13, _inductor/codecache.py:3089",
    ),
    Cause(
        name="compile-worker-died",
        title="a process in which Inductor compiles kernels ended without a message",
        patterns=(r"A compilation subprocess exited unexpectedly",),
        why="It crashed, or the system killed it for its memory: there is one for every core.",
        fix="Run again with TORCHINDUCTOR_COMPILE_THREADS=1: the crash then shows in this process; if it works, memory "
        "was short.",
        unseen=MACHINE,
        rerun=("TORCHINDUCTOR_COMPILE_THREADS=1",),
        symptom="compile-error",
        level=Level.EFFECT,
        source="torch 2.13, _inductor/async_compile.py:860",
    ),
    Cause(
        name="openmp-twice",
        title="two copies of the OpenMP library are in the process",
        patterns=(r"OMP: Error #15: Initializing",),
        why="torch brings one, and the compiler or another package (numpy of conda, scikit-learn) another.",
        fix="Install all of them from one channel (pip alone, or conda alone), so that one copy is left. "
        "KMP_DUPLICATE_LIB_OK=TRUE only hides it.",
        unseen=MACHINE,
        symptom="compile-error",
        source="pytorch#122705",
    ),
    Cause(
        name="cache-not-writable",
        title="the cache folder of Inductor cannot be written",
        patterns=(r"PermissionError: \[Errno 13\] Permission denied: '.*(?:torchinductor|\.triton|\.cache/torch)",),
        why="The user of the process has no home folder, or the folder belongs to another.",
        fix="Set TORCHINDUCTOR_CACHE_DIR to a folder that is yours.",
        unseen=MACHINE,
        symptom="compile-error",
        source="ilab-on-ocp#26",
    ),
)
