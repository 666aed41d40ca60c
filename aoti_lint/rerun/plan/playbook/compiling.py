"""The stages about export, compile and torch.compile, and the logs."""

from __future__ import annotations

from typing import Any, Final

from aoti_lint.diagnostics import Symptom
from aoti_lint.rerun.plan.case import Case, tool
from aoti_lint.rerun.plan.plan import FOLDER, GUARD, PACKAGE, Stage, Step
from aoti_lint.rerun.plan.playbook.package import NO_RUN
from aoti_lint.torch_api import api

LOGS: Final[dict[Symptom, tuple[str, ...]]] = {
    "illegal-memory-access": ("+inductor", "output_code"),
    "segfault": ("+inductor", "output_code"),
    "nan": ("+inductor", "output_code", "post_grad_graphs"),
    "wrong-result": ("+inductor", "output_code", "post_grad_graphs", "aot_graphs"),
    "device-mismatch": ("+export", "aot_graphs", "output_code"),
    "shape-mismatch": ("+dynamic", "+export", "output_code"),
    "export-error": ("+export", "+dynamic", "+dynamo", "graph_breaks"),
    "compile-error": ("+inductor", "graph_code", "aot_graphs", "output_code"),
    "load-error": ("+inductor", "output_code"),
    "recompile": ("recompiles", "guards", "+dynamic"),
    "cuda-graph-overwrite": ("cudagraphs", "cudagraph_static_inputs", "perf_hints"),
    "slow": ("perf_hints", "recompiles", "graph_breaks", "fusion", "schedule", "cudagraphs", "autotuning"),
}
"""What torch is asked to log for each symptom, where it knows the name."""
_GUARD: Final = "TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED"
_SYMBOL: Final = "TORCHDYNAMO_EXTENDED_DEBUG_CREATE_SYMBOL"
_DRAFTS: Final = ("torch.export.draft_export", "torch.export._draft_export.draft_export")
COMPILER: Final = "torch._inductor.compile_fx.compile_fx"
"""What torch.compile calls with a graph; AOTInductor too."""
BACKENDS: Final = {
    "eager": "torch._dynamo.backends.debugging.eager",
    "aot_eager": "torch._dynamo.backends.debugging.aot_eager",
}
"""Backends that do a part of the work only, the least first."""
_REPRO: Final = "TORCHDYNAMO_REPRO_AFTER"
_VERBOSE: Final = "TORCHDYNAMO_VERBOSE"
_RAISED: Final = ("export-error", "compile-error")
"""Symptoms in which dynamo may be what raises, and leaves out its own frames."""
_INSPECT: Final = tool("aoti-lint", "inspect", PACKAGE)


def export(case: Case) -> Stage | None:
    """The way of the export."""
    if not (case.work.exports or case.work.makers or case.build is not None or not case.work.known):
        return None
    log = case.logs("+dynamic", "guards")
    steps = list(case.steps({"TORCH_LOGS": log}, core="TORCH_LOGS", only_build=True))
    if not steps:
        return None
    draft = _draft(case)
    if draft is not None:
        steps += case.steps({}, replace={"torch.export.export": draft}, only_build=True)
    for guard in case.chosen.guards or (GUARD,):
        steps += case.steps({"TORCH_LOGS": log, _GUARD: guard}, core=_GUARD, only_build=True)
    for symbol in case.chosen.symbols:
        steps += case.steps({"TORCH_LOGS": log, _SYMBOL: symbol}, core=_SYMBOL, only_build=True)
    return case.stage(
        "export",
        "Which line fixes a size, or cannot be exported?",
        "The log of dynamic shapes has a line for every guard and every size that becomes a number. `draft_export` "
        "goes on where `export` stops, and lists all that it met."
        if draft is not None
        else "The log of dynamic shapes has a line for every guard and every size that becomes a number.",
        "`eval Eq(s77, 8) [guard added] at …` is the line of your code that fixed s77; `set_replacement` and "
        "`specialization` are the same thing found later. The last run shows the whole stack of one guard. The report "
        "of `draft_export` names data-dependent branches, missing fakes and fakes that do not fit their kernels.",
        tuple(steps),
    )


def guards(case: Case) -> Stage | None:
    """The guards of torch.compile."""
    if not case.traces:
        return None
    log = case.logs("+dynamic", "recompiles")
    steps: list[Step] = []
    for guard in case.chosen.guards or (GUARD,):
        steps += case.steps({"TORCH_LOGS": log, _GUARD: guard}, core=_GUARD)
    for symbol in case.chosen.symbols:
        steps += case.steps({"TORCH_LOGS": log, _SYMBOL: symbol}, core=_SYMBOL)
    return case.stage(
        "guards",
        "Which line made the guard that fails?",
        "TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED names one guard on a size, as the log of the stage before has it, and "
        "prints the whole stack of the place that added it.",
        "The last frame of your own code before those of torch is the line that made code for one size only. A guard "
        "on a number, a flag or an attribute is no guard on a size: the line `Recompiling function …` names it.",
        tuple(steps),
    )


def _draft(case: Case) -> str | None:
    """The name that `draft_export` has in all versions in question."""
    for name in _DRAFTS:
        present = api.presence(name)
        if present is not None and case.versions <= present:
            return name
    return None


def logs(case: Case) -> Stage | None:
    """What torch says while it compiles."""
    symptom = case.chosen.symptom
    wanted = [name for name in LOGS[symptom] if case.on_gpu or not name.startswith("cudagraph")]
    variables = {
        "TORCH_LOGS": case.logs(*wanted),
        "TORCH_TRACE": f"{FOLDER}/trace",
        "TORCH_COMPILE_DEBUG": "1",
        "TORCH_COMPILE_DEBUG_DIR": FOLDER,
        "TORCH_SHOW_CPP_STACKTRACES": "1",
    }
    if symptom in _RAISED:
        variables[_VERBOSE] = "1"
    before: tuple[Step, ...] = ()
    if symptom == "load-error":
        loader = {"LD_DEBUG": "libs", "LD_DEBUG_OUTPUT": f"{FOLDER}/ld.so"}
        variables |= loader
        if case.rebuilds:
            before = (*case.steps({"TORCH_SHOW_CPP_STACKTRACES": "1", **loader}), _INSPECT)
    steps = case.steps(variables)
    traced = any("TORCH_TRACE" in step.environment for step in steps)
    tools = []
    if traced:
        command = ["tlparse", "--latest", f"{FOLDER}/trace", "-o", f"{FOLDER}/tlparse", "--overwrite", "--no-browser"]
        tools.append(tool(*command, needs=("tlparse",)))
    if symptom == "load-error" and not before:
        tools.append(_INSPECT)
    return case.stage(
        "logs",
        "What does torch say about it?",
        "The log shows graphs, guards and generated code; TORCH_TRACE the same for `tlparse`; TORCH_COMPILE_DEBUG "
        "writes each step into files."
        if traced
        else "C++ stacks come with the errors, and the loader says which libraries it looks for.",
        (
            "`tlparse/index.html` is the whole compile to click through. `run_…/torchinductor/…` has "
            "`fx_graph_readable.py` (the graph), `ir_post_fusion.txt` (what was fused) and `output_code` (the result)."
            if traced
            else "The last lines before the error are the ones to read."
        )
        + (" `ld.so.*` ends with the library that was not found." if symptom == "load-error" else "")
        + (
            " The first run is of the package as it lies there, the second of one that is compiled anew: if that "
            "loads, the old one is for another machine or another torch."
            if before
            else ""
        ),
        (*before, *steps, *tools),
    )


def compile_path(case: Case) -> Stage | None:
    """What the compiler does, switched off one by one."""
    overwrites = case.chosen.symptom == "cuda-graph-overwrite"
    if not (case.traces or (case.builds_package and not overwrites)):
        return None
    if case.phase == "build" and case.chosen.symptom != "compile-error":
        case.leave_out("compile-path", NO_RUN)
        return None
    steps: list[Step] = []
    if case.traces:
        steps += case.steps({"TORCH_COMPILE_DISABLE": "1"}, core="TORCH_COMPILE_DISABLE")
        if not overwrites:
            for backend in BACKENDS.values() if not case.builds_package else ():
                steps += case.steps({}, replace={COMPILER: backend})
            steps += _minified(case)
    for change in _changes(case):
        steps += case.steps({}, config=change)
    if case.traces and "TORCH_COMPILE_BACKEND" in case.texts:
        command = case.target.after("python", "-m", "torch._inductor.compiler_bisector", "run")
        if case.target.program is not None and case.has("TORCH_BISECT_BACKEND"):
            python = case.target.command[case.target.program]
            words = tuple(python if word == "python" else word for word in command)
            steps += case.steps({}, command=words)
    return case.stage(
        "compile-path",
        "Which part of the compiler makes the difference?",
        "Each run leaves out one thing"
        + (": first all of it (eager), then one pass after the other." if case.traces else ", one after the other."),
        "The run in which it works names the part. These runs count more than what your code sets, also by `mode`, "
        "`options` and `inductor_configs`."
        + (" Eager (TORCH_COMPILE_DISABLE) fails too: the fault is in the model." if case.traces else "")
        + (
            " In the place of Inductor, `eager` leaves Dynamo alone, and `aot_eager` Dynamo and AOTAutograd: the first "
            "of them that fails has the fault, and if none does, Inductor has it."
            if any(step.replace for step in steps)
            else ""
        )
        + (
            " TORCHDYNAMO_REPRO_AFTER leaves `minifier_launcher.py` in the folder of this stage."
            if case.traces and not overwrites
            else ""
        ),
        tuple(steps),
    )


def _minified(case: Case) -> list[Step]:
    """The minifiers of torch.compile; there are two of them, and no third."""
    level = {"wrong-result": "4", "nan": "4", "segfault": "3", "illegal-memory-access": "3"}.get(case.chosen.symptom)
    made: list[Step] = []
    for after in ("aot", "dynamo"):
        variables = {_REPRO: after, "TORCH_COMPILE_DEBUG_DIR": FOLDER}
        if level is not None:
            variables["TORCHDYNAMO_REPRO_LEVEL"] = level
        made += case.steps(variables, core=_REPRO)
    return made


def _changes(case: Case) -> list[dict[str, Any]]:
    """Settings to try, one set for each run."""
    if case.chosen.symptom == "cuda-graph-overwrite":
        return [case.config(triton__cudagraphs=False)]
    found = [case.config(pattern_matcher=False), case.config(epilogue_fusion=False)]
    if case.mentions("autotune"):
        found.append(case.config(max_autotune=False, max_autotune_gemm=False))
    if case.chosen.symptom in ("wrong-result", "nan"):
        if case.mentions("half", "float16", "autocast"):
            found.append(case.config(emulate_precision_casts=True))
        if case.traces and case.mentions("rand", "dropout", "bernoulli", "multinomial"):
            found.append(case.config(fallback_random=True))
    if case.mentions("freezing"):
        found.append(case.config(freezing=False))
    if not case.on_gpu:
        found += [case.config(cpp__simdlen=1), case.config(cpp__threads=1)]
    else:
        if case.traces and case.mentions("cudagraphs", "reduce-overhead", "max-autotune"):
            found.append(case.config(triton__cudagraphs=False))
        if case.chosen.symptom != "compile-error":
            found.append(case.config(triton__debug_sync_kernel=True, triton__debug_sync_graph=True))
    return [change for change in found if change]
