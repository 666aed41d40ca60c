"""Archives that cannot be loaded, and machines that do not fit them."""

from __future__ import annotations

from aoti_lint.triage.cause import MACHINE, NOT_YET, Cause, Level

_OF_TORCH = (
    r"(?:aoti_\w+|AOTInductor\w+|TH[A-Z]\w+"
    r"|_Z\w*?(?:3c10|5torch|2at\d|4c10d|6caffe2)\w*"
    r"|_Z(?:T[ISV])?(?:NK?)?St\w*)"
)
"""Names of torch's and of C++'s own functions: another library that lacks its own is no case of this."""

CAUSES: tuple[Cause, ...] = (
    Cause(
        name="no-such-model",
        title="the package has no model of that name, or the file is no AOTInductor package",
        patterns=(
            r"Failed to find a generated cpp file or so file for model",
            r"Model \w+ not found in (?:package|PT2 archive contents)",
        ),
        why="A list of models in the message means another name; an empty one means that torch.export.save wrote the "
        "file.",
        fix='load_package(path, "name") for a package of several models; torch.export.load for a saved program.',
        rules=("AOTI212", "AOTI616"),
        symptom="load-error",
    ),
    Cause(
        name="wrong-loader",
        title="the .pt2 is of another kind than its loader reads",
        patterns=(r"PytorchStreamReader failed locating file (?:data|constants)\.pkl",),
        why="torch.load and torch.jit.load read neither programs nor packages, though all are zip archives.",
        fix="torch.export.load for a saved program, torch._inductor.aoti_load_package for a package; `aoti-lint "
        "inspect` "
        "says which it is.",
        rules=("AOTI616",),
        symptom="load-error",
    ),
    Cause(
        name="program-unreadable",
        title="torch.export.load cannot read the file",
        patterns=(
            r"We ran into an error when deserializing the saved file",
            r"SerializeError: Failed deserializing node",
            r"does not match our current schema version",
            r"object has no attribute 'symbol_name_to_range'",
        ),
        placed=((r"SpecViolationError: ", r"\btorch\.export\.load\(|\bin deserialize\b"),),
        why="It is an AOTInductor package, was saved by another torch, or uses a custom operator that is not "
        "registered; "
        "warnings before this line say which.",
        fix="`aoti-lint inspect FILE` says what it is, which torch wrote it and which operators it needs.",
        rules=("AOTI616", "AOTI608", "AOTI606"),
        symptom="load-error",
        level=Level.EFFECT,
    ),
    Cause(
        name="class-not-registered-here",
        title="the program has inputs or outputs of a class that this process has not registered",
        patterns=(r"Deserializing \S+ in pytree is not registered",),
        why="The file names the class; the module that registers it with pytree was not imported before the load.",
        fix="Import the module with register_pytree_node or register_dataclass first, with the same "
        "serialized_type_name.",
        unseen="Which classes a file needs is known from the file alone, and no rule compares that with "
        "the imports yet.",
        symptom="load-error",
        source="torch 2.13, utils/_pytree.py:2038",
    ),
    Cause(
        name="file-missing",
        title="the file to load is not there, or is no zip archive",
        patterns=(
            r"Failed to initialize zip archive: (?:file open failed|invalid header or archive is corrupted)",
            r"No files found in zip archive\.",
            r"PytorchStreamReader failed (?:reading zip archive|finding central directory)",
            r"failed finding central directory",
        ),
        why="The path is wrong, the file was written elsewhere (a package_path given by position is not used), or it "
        "is "
        "cut off.",
        fix="Print the path that the compile returned, and load that one.",
        rules=("AOTI206",),
        symptom="load-error",
    ),
    Cause(
        name="outdated-package",
        title="loading the package failed",
        patterns=(r"Loading outdated pt2 file\. Please regenerate your package",),
        why="torch prints this for every error while loading, also for a missing file. The package is rarely outdated.",
        fix="Read the exception after it.",
        unseen="It stands around every failure to load; the message before it says why.",
        level=Level.WALL,
        symptom="load-error",
    ),
    Cause(
        name="undefined-symbol",
        title="the compiled library was built against another torch, or another C++ library",
        patterns=(
            rf"undefined symbol: {_OF_TORCH}",
            rf"Symbol not found: _{_OF_TORCH}",
        ),
        why="A .so asks for functions by name, and the torch or C++ library of this process does not have one of them.",
        fix="Compile with the torch that loads, on a system like the one that loads.",
        rules=("AOTI608",),
        symptom="load-error",
        source="pytorch#123745, pytorch#122313",
    ),
    Cause(
        name="older-system",
        title="a library was built on a newer system: the C or C++ library here lacks a version that it needs",
        patterns=(r"version `(?:GLIBC|GLIBCXX|CXXABI)_[\d.]+' not found",),
        why="glibc and libstdc++ run what was built with older ones, not the reverse. The message ends with the file "
        "that asks.",
        fix="Build on the oldest system that has to load it. For GLIBCXX and CXXABI a newer libstdc++ that is found "
        "first helps (conda's libstdcxx-ng, LD_LIBRARY_PATH); for GLIBC a newer image or another build of the file "
        "named.",
        unseen=MACHINE,
        symptom="load-error",
        source="SkyReels-V2#105, pyg-lib#548, pytorch#87279",
    ),
    Cause(
        name="shared-library-not-found",
        title="a shared library that the file needs is not found when it is loaded",
        patterns=(
            r"\.so[\d.]*: cannot open shared object file",
            r"Library not loaded: \S+\.dylib",
            r"Could not find module '[^']+' \(or one of its dependencies\)",
            r"\[WinError 126\] ",
            r"DLL load failed while importing (?!libtriton\b)\w+: The specified module could not be found",
        ),
        why="libtorch*.so is found once torch has been imported; libcudart.so.N is the CUDA that the file was built "
        "with, and another one is installed; others are not on the search path.",
        fix="Import torch before the extension. Build the extension again with the torch and CUDA of this process. "
        "`ldd FILE` lists what is not found (otool -L on a Mac, dumpbin /dependents on Windows).",
        unseen=MACHINE,
        symptom="load-error",
        source="extension-cpp#127, tsne-cuda#126, pytorch#131284",
    ),
    Cause(
        name="static-libstdcxx",
        title="the C++ runtime is in the process twice: the compiler links libstdc++ statically",
        patterns=(
            r"parse_device_str",
            r"in std::(?:__cxx11::)?(?:basic_)?regex",
        ),
        why="The library of the package brings its own copy of libstdc++, and a crash follows while loading. "
        "`ldd` of it shows no libstdc++.so.6.",
        fix="Make the compiler link the shared one (no -static-libstdc++; a wrapper as CXX if need be).",
        unseen=MACHINE,
        symptom="segfault",
        level=Level.EFFECT,
        source="run on torch 2.11 (H200)",
    ),
    Cause(
        name="old-package-format",
        title="the package is of an older torch, and lacks something that this one asks for",
        patterns=(
            r"[Cc]onsider(?:ing)? rebuild(?:ing)? your model with the latest AOTInductor",
            r"You are using an outdated version of the pt2 archive",
        ),
        why="It was compiled by an older torch.",
        fix="Compile it again with the torch that loads it.",
        rules=("AOTI608",),
        symptom="load-error",
    ),
    Cause(
        name="file-of-newer-torch",
        title="the file was written by a newer torch than the one that reads it",
        patterns=(
            r"Attempted to read a PyTorch file with version \d+, but the maximum supported version",
            r"Saved archive version \d+ does not match our current archive version",
        ),
        why="Newer releases read older files, not the reverse.",
        fix="Read it with the torch that wrote it or a newer one, or write it again with the older one.",
        rules=("AOTI608",),
        symptom="load-error",
        source="run on torch 2.13 (CPU); pytorch#47753",
    ),
    Cause(
        name="package-weights-unreadable",
        title="the weights of a package cannot be read where it is loaded",
        patterns=(
            r"Failed to open serialized weights file",
            r"Shared library file (?:cannot be opened|is smaller than embedded weights size)",
            r"\bmmap\(\) failed$|Weights data seems corrupt",
        ),
        why="Large weights stand after the code in the .so, or in a file beside it; the file was cut, moved without "
        "the other, or deleted while it is in use.",
        fix="Copy the package as a whole, and compare its size with the original; keep the folder of an unpacked one.",
        unseen="What becomes of the files between the build and the load, no source says.",
        symptom="load-error",
        source="torch 2.13, aoti_runtime/model_base.h",
    ),
    Cause(
        name="runners-and-threads",
        title="a package is loaded single-threaded with several runners",
        patterns=(r"num_(?:runners|models) must be (?:>=)?1 when run_single_threaded is",),
        why="Runners let several threads call the package at once.",
        fix="Leave num_runners at 1, or run_single_threaded at False.",
        unseen=NOT_YET,
        symptom="load-error",
        source="torch 2.13, libtorch_cpu.so",
    ),
    Cause(
        name="weights-too-large",
        title="the weights are too large to be linked into the library",
        patterns=(r"relocation (?:R_X86_64_\w+ out of range|truncated to fit)",),
        why="Code reaches 2 GB around itself.",
        fix='Compile with {"aot_inductor.force_mmap_weights": True}, or without weights in the library '
        "(aot_inductor.package_constants_in_so=False) and load them after.",
        unseen="How large the weights are is known once they are loaded.",
        symptom="compile-error",
        source="pytorch#115478",
    ),
    Cause(
        name="stream-capture",
        title="something that CUDA graphs cannot record ran while one was recorded",
        patterns=(
            r"operation not permitted when stream is capturing",
            r"capturing stream has unjoined work",
            r"dependency created on uncaptured work in another stream",
            r"operation failed due to a previous error during capture",
        ),
        why="Loading, first calls and several threads allocate or synchronise; work on a further stream has to begin "
        "after the captured one and be joined to it again.",
        fix="Warm the model up before the capture, load it with run_single_threaded=True, and let the streams wait for "
        "each other (wait_stream) inside the capture.",
        unseen="What runs while a graph is recorded is decided in the run.",
        symptom="cuda-graph-overwrite",
        source="pytorch#148601",
    ),
)
