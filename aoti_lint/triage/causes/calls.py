"""Calls of torch.export and AOTInductor that these refuse."""

from __future__ import annotations

from aoti_lint.triage.cause import MACHINE, NOT_YET, Cause, Level, innermost, last_line, outside

_PART_OF_TORCH = r"module 'torch\.(_inductor|export|_export)[\w.]*' has no attribute '\w+'"
_INSIDE = r"_\w+[/\\]|export[/\\]"

CAUSES: tuple[Cause, ...] = (
    Cause(
        name="torch-not-installed",
        title="the Python that ran has no torch",
        patterns=(),
        placed=((r"ModuleNotFoundError: No module named 'torch'", last_line(r"\b(?:import|from) torch\b")),),
        why="torch is installed in another environment than the one whose Python was started, or in none.",
        fix="Activate the environment that has it, or start its Python by the whole path; aoti-lint rerun, probe and "
        "verify take that path as --python.",
        unseen=MACHINE,
    ),
    Cause(
        name="deprecated-aot-api",
        title="torch._export.aot_compile and aot_load are deprecated",
        patterns=(r"torch\._export\.aot_compile\(\)/torch\._export\.aot_load\(\) is being deprecated",),
        why="They give a bare .so, which knows neither its device nor its custom operators.",
        fix="Export, then torch._inductor.aoti_compile_and_package(program), then "
        "torch._inductor.aoti_load_package(path).",
        rules=("AOTI201",),
        level=Level.NOTE,
    ),
    Cause(
        name="missing-api",
        title="this torch does not have the function or module that is asked for",
        patterns=(
            r"cannot import name '\w+' from 'torch(?:\.[\w.]+)?'",
            r"ModuleNotFoundError: No module named 'torch\.[\w.]+'",
        ),
        placed=((_PART_OF_TORCH, outside(_INSIDE)),),
        why="Functions around export come and go from release to release; some in guides never existed.",
        fix="aoti-lint names the release that has it and what to call instead: run it with --torch-version.",
        rules=("AOTI202",),
        symptom="export-error",
    ),
    Cause(
        name="torch-lacks-its-part",
        title="torch asks for a part of itself that is not loaded",
        patterns=(),
        placed=((_PART_OF_TORCH, innermost(_INSIDE)),),
        why="The call is right. Nothing in this process has imported that module yet (torch 2.10 forgets "
        "torch._inductor.codecache when it loads a package), or the installation holds files of two releases.",
        fix="Import the module that the message names before the call: import torch._inductor.codecache. If that "
        "fails too, install torch anew into an empty environment.",
        unseen="What a process has imported by then hangs on the release of torch and on what ran before.",
        symptom="load-error",
        source="pytorch#173706",
    ),
    Cause(
        name="unknown-argument",
        title="a function of torch is given an argument that it does not have",
        patterns=(
            r"TypeError: (export|_export|aot_compile|aot_load|aoti_load_package|aoti_compile_and_package|load_package|"
            r"draft_export)\(\) (got an unexpected keyword argument|takes|missing)",
            r"TypeError: AOTICompiledModel\.load_constants\(\) (got an unexpected keyword argument|takes|missing)",
        ),
        placed=(
            (
                r"TypeError: (save|load|compile)\(\) (got an unexpected keyword argument|takes|missing)",
                last_line(r"\btorch\.(?:_?export\.|_inductor\.)?(?:save|load|compile)\("),
            ),
        ),
        why="The parameters of these functions differ between releases and between neighbours.",
        fix="aoti-lint names the releases that have it, and what the argument is called.",
        rules=("AOTI203", "AOTI218"),
        symptom="export-error",
    ),
    Cause(
        name="script-module-exported",
        title="a TorchScript module was given to torch.export or torch.compile",
        patterns=(
            r"Exporting a ScriptModule is not supported",
            r"torch\.compile does not support compiling torch\.jit\.script or torch\.jit\.freeze models",
        ),
        why="torch.jit.script, trace and load give modules without Python source, and both trace Python.",
        fix="Give them the module that was scripted.",
        rules=("AOTI215",),
        symptom="export-error",
    ),
    Cause(
        name="not-a-module",
        title="torch.export was given something that is no torch.nn.Module",
        patterns=(r"Expected `mod` to be an instance of `torch\.nn\.Module`, got",),
        why="Functions and other callables are refused.",
        fix="Put the function into the forward of a small torch.nn.Module.",
        rules=("AOTI215",),
        symptom="export-error",
    ),
    Cause(
        name="args-not-a-tuple",
        title="the example inputs are no tuple",
        patterns=(r"Expecting `args` to be a tuple of example positional inputs, got",),
        why="The second argument of export is the tuple of all positional inputs: (x,), not x and not [x].",
        fix="Write export(model, (x,)).",
        rules=("AOTI214",),
        symptom="export-error",
    ),
    Cause(
        name="not-an-exported-program",
        title="an ExportedProgram is needed, and something else was given",
        patterns=(
            r"Only ExportedProgram is supported",
            r"The 'ep' parameter must be an instance of 'ExportedProgram'",
            r"'\w+' object has no attribute 'graph_signature'",
        ),
        placed=((r"'\w+' object has no attribute '(example_inputs|in_spec)'", innermost("_inductor|_?export")),),
        why="aoti_compile_and_package and torch.export.save take what torch.export.export gives: not the model, not "
        "program.module().",
        fix="Hand on the result of torch.export.export(model, args).",
        rules=("AOTI204",),
        symptom="compile-error",
    ),
    Cause(
        name="graph-without-export",
        title="aot_compile was given a graph that torch.export did not make",
        patterns=(r"Graph output must be a tuple\(\)\. This is so that we can avoid",),
        placed=((r"TypeError: stat: path should be string, .* not function", r"in compile_fx_aot\b"),),
        why="A graph of make_fx or symbolic_trace lacks what an exported one has: how inputs and outputs are nested.",
        fix="Export the module, and compile the program: torch._inductor.aoti_compile_and_package(program).",
        unseen=NOT_YET,
        symptom="compile-error",
        source="run on torch 2.13 (CPU); pytorch#129719",
    ),
    Cause(
        name="object-instead-of-file",
        title="a load function was given an object instead of a file",
        patterns=(),
        placed=((r"'\w+' object has no attribute 'tell'", r"PT2ArchiveReader\(|PyTorchFileReader\("),),
        why="torch.export.load and aoti_load_package read a path or an open file; a program is in memory already.",
        fix='Save it first, torch.export.save(program, "model.pt2"), and load that path; or use program.module().',
        rules=("AOTI227",),
        symptom="load-error",
        source="run on torch 2.13 (CPU); pytorch#163040",
    ),
    Cause(
        name="program-called",
        title="an ExportedProgram was called like a function",
        patterns=(r"Unable to call ExportedProgram directly",),
        why="The program holds the graph; its module runs it.",
        fix="Call program.module()(…).",
        rules=("AOTI216",),
        symptom="export-error",
    ),
    Cause(
        name="package-path-suffix",
        title="package_path is no path that ends in .pt2",
        patterns=(r"Expect package path to be a file ending in \.pt2",),
        why="A package is a .pt2 archive; other endings are refused.",
        fix='Write package_path="model.pt2".',
        rules=("AOTI207", "AOTI208"),
        symptom="compile-error",
    ),
    Cause(
        name="output-path-setting",
        title="aot_inductor.output_path was given to aoti_compile_and_package",
        patterns=(r"Please pass in a package path to aot_inductor_compile\(\) instead of setting",),
        why="The setting belongs to the deprecated aot_compile.",
        fix='Write package_path="model.pt2" and leave the setting out.',
        rules=("AOTI210",),
        symptom="compile-error",
    ),
    Cause(
        name="library-path-suffix",
        title="aot_compile was given an output path that ends in .pt2",
        patterns=(r"The output path for aot_compile should not have an extension with \.pt2",),
        why="aot_compile writes a .so; packages are written by another function.",
        fix='Call torch._inductor.aoti_compile_and_package(program, package_path="model.pt2").',
        rules=("AOTI210",),
        symptom="compile-error",
    ),
    Cause(
        name="package-path-positional",
        title="arguments of aoti_compile_and_package are ignored: a path given by position is not written to",
        patterns=(r"You no longer need to specify args/kwargs to aoti_compile_and_package",),
        why="The second and third positional arguments are the old args and kwargs. A path given there is dropped, and "
        "the package is written elsewhere.",
        fix='Write package_path="model.pt2" with its name.',
        rules=("AOTI206",),
        symptom="load-error",
        level=Level.NOTE,
    ),
    Cause(
        name="missing-folder",
        title="the folder that the package is written to does not exist",
        patterns=(r"Parent directory .* does not exist",),
        why="torch makes no folders.",
        fix="Make it first: pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True).",
        rules=("AOTI209",),
        symptom="compile-error",
    ),
    Cause(
        name="package-option-missing",
        title="aot_compile gave one file, and package_aoti needs its list of files",
        patterns=(r"AssertionError: / is not a valid file path", r"Expected aoti_files to be a dict, but got"),
        why='Without {"aot_inductor.package": True} aot_compile gives the path of a .so as text.',
        fix='Compile each model with options={"aot_inductor.package": True}.',
        rules=("AOTI211",),
        symptom="compile-error",
    ),
    Cause(
        name="impl-abstract-renamed",
        title="torch.library.impl_abstract is now register_fake",
        patterns=(r"`torch\.library\.impl_abstract` was renamed to `torch\.library\.register_fake`",),
        why="It was renamed in torch 2.4.",
        fix="Write torch.library.register_fake.",
        unseen="It is a warning: in all releases that are known here the old name does the same.",
        level=Level.NOTE,
    ),
)
