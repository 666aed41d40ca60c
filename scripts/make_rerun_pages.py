"""Writes `docs/rerun/`, a page for each symptom, from the playbook and from what is said about the symptoms here.

    python scripts/make_rerun_pages.py

The stages are those of the plan for a package that one script builds and another one runs, or for `torch.compile`. A
transcript is taken from `docs/rerun/transcripts/SYMPTOM.txt` where it is there.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "rerun"
sys.path.insert(0, str(ROOT))

from aoti_lint.diagnostics import Symptom  # noqa: E402
from aoti_lint.rerun.plan.case import ALWAYS  # noqa: E402
from aoti_lint.rerun.plan.examples import Kind, example  # noqa: E402
from aoti_lint.rerun.plan.plan import Stage, Step  # noqa: E402
from aoti_lint.rerun.plan.playbook.stages import stages_of  # noqa: E402
from aoti_lint.rerun.plan.symptoms import SYMPTOMS  # noqa: E402

WIDTH = 118
MADE = "<!-- Made by scripts/make_rerun_pages.py. Do not edit. -->"


HOLES = {
    "<folder>": "(a folder for the stage)",
    "<kernel>": "(names from the stage `kernels`, with commas)",
    "<guard>": "(a guard as the log has it, such as `Eq(s77, 8)`)",
    "<package>": "(the package)",
    "<program>": "(the `exported_program.pt2` below the folder)",
    "<launcher>": "(the `minifier_launcher.py` below the folder)",
    "<aoti-lint>": '(where aoti-lint is: `python -c "import aoti_lint; print(aoti_lint.__path__[0])"`)',
}
"""What is only known once something has run."""


@dataclass(frozen=True, slots=True)
class About:
    """What is said of a symptom: how it looks, why it comes about, and what to look at before anything is run.

    `looks` are messages, and after `~` what is no message. `kind` is what the stages are shown for: a package, or
    `torch.compile`.
    """

    title: str
    looks: tuple[str, ...]
    why: str
    first: str
    kind: Kind = "package"
    devices: tuple[Literal["cpu", "cuda"], ...] = ("cuda",)


PAGES: dict[Symptom, About] = {
    "illegal-memory-access": About(
        "Illegal memory access on a GPU",
        ("CUDA error: an illegal memory access was encountered", "CUDA error: device-side assert triggered",
         "CUDA error: unspecified launch failure", "terminate called after throwing an instance of "
         "'c10::AcceleratorError'"),
        "A kernel reads or writes outside of its tensors: an index out of range, a custom operator whose fake promises "
        "another size than its kernel gives, a package called with other sizes or strides than it was compiled for. "
        "The error comes up at a later call, as kernels run while Python goes on; and it often does not come up at "
        "all, as the allocator gives out more memory than was asked for.",
        "`aoti-lint` on the scripts: AOTI301, AOTI332 and AOTI333 (sizes and strides of the call), AOTI404 (fakes).",
    ),
    "segfault": About(
        "The process dies",
        ("Segmentation fault (core dumped)", "free(): invalid next size (normal)", "malloc(): corrupted top size",
         "double free or corruption (out)", "~exit code 139, 134, -11 or -6"),
        "On the CPU, memory outside of a tensor belongs to something else: a kernel that writes there breaks the heap, "
        "and the process dies at a later `free`, far from the fault. The usual reasons are a fake function that "
        "promises another size than its kernel gives, and inputs of another size than the package was compiled for.",
        "`aoti-lint` on the scripts: AOTI301 and AOTI331 to AOTI334 (the call), AOTI404 to AOTI407 (fakes). A crash "
        "while loading is another matter: [load-error](load-error.md).",
        devices=("cpu",),
    ),
    "nan": About(
        "NaN or infinity in the result",
        ("tensor([nan, nan, …])", "AssertionError: Tensor-likes are not close! … Greatest absolute difference: nan",
         "RuntimeError: At least one NaN in arg0_1"),
        "Some kernel takes the logarithm or root of a negative number, divides by zero or overflows in half precision, "
        "and everything after it is NaN. What shows the NaN is rarely what made it.",
        "Does the model give NaN in eager as well, on the same input? Then it is no matter of the compiler. NaN "
        "asserts are the last thing to try, not the first: they stop at memory that nothing has written yet and at "
        "masks of -inf, and on the CPU they look at no kernel (AOTI506).",
    ),
    "wrong-result": About(
        "Wrong numbers, and no error",
        ("AssertionError: Tensor-likes are not close!", "~a shape that is not the one of the input",
         "~accuracy that drops in production"),
        "Most often the package was called with what it was not compiled for, and did not look: another batch size, "
        "dtype, stride, or another number or flag than the one the export made a constant. Else the export has "
        "something in it that was not meant (training mode, a changed buffer), a fake promises what its kernel does "
        "not give, or the compiler is wrong.",
        "`aoti-lint` on the scripts: AOTI3xx for the call, AOTI7xx for the model. `aoti-lint verify` compares a "
        "package with its program on many inputs.",
        devices=("cpu",),
    ),
    "device-mismatch": About(
        "Something is on another device",
        ("Expected out tensor to have device cuda:0, but got cpu instead",
         "Error: input_handles[0]: unmatched device type, expected: 00(cpu), but got: 14",
         "Expected all tensors to be on the same device",
         "The specified pointer resides on host memory and is not registered with any CUDA device"),
        "A package runs on the type of device it was compiled for, wants its inputs there, and converts nothing. A "
        "tensor that `forward` makes, or a plain attribute that `.cuda()` does not move, is on the CPU.",
        "`aoti-lint` on the scripts: AOTI101 to AOTI109 show both ends.",
    ),
    "shape-mismatch": About(
        "A size that does not fit",
        ("mat1 and mat2 shapes cannot be multiplied", "Error: input_handles[0]: unmatched dim value at 0, expected: 2, "
         "but got: 64", "The size of tensor a (3) must match the size of tensor b (8)"),
        "A dimension that was not declared dynamic has the size of the example for ever. One that was declared may "
        "have been fixed on the way, by `int(x.shape[0])`, a branch or a reshape; with `Dim.AUTO` without a word.",
        "`aoti-lint` on the scripts: AOTI301 and AOTI333 (the call), AOTI320 to AOTI324 (what fixed the size). "
        "`aoti-lint inspect model.pt2` shows which dimensions of a package are dynamic.",
        devices=("cpu",),
    ),
    "export-error": About(
        "The export raises",
        ("Constraints violated (batch)! … your code specialized it to be a constant (8)",
         "Could not guard on data-dependent expression Eq(u0, 1)",
         "There was no fake impl registered for <CustomOpDef(shop::op)>"),
        "Tracing has no values, and sizes that are declared dynamic must stay open: code that makes a number of a "
        "size, branches on data or calls an operator without a fake stops it.",
        "`aoti-lint` on the script names the line for most of these: AOTI302 to AOTI326, AOTI401 to AOTI411.",
        devices=("cpu",),
    ),
    "compile-error": About(
        "The compile raises",
        ("torch._inductor.exc.InductorError: …", "BackendCompilerFailed: backend='inductor' raised",
         "CppCompileError: C++ compile error"),
        "Inductor has no lowering for an operation, generates code that does not compile, or does not find a C++ "
        "compiler or Triton that fits.",
        "`aoti-lint triage` on the log tells apart what is missing on the machine from what is wrong with the model.",
        devices=("cpu",),
    ),
    "load-error": About(
        "The package does not load",
        ("Loading outdated pt2 file. Please regenerate your package.", "undefined symbol: …",
         "Could not find schema for shop::op", "CUDA error: invalid device ordinal"),
        "The package needs something that this process or machine has not: an operator that nobody registered, a "
        "library, a GPU, vector instructions, the torch it was built with. *Loading outdated pt2 file* stands before "
        "every failed load and misleads: the reason is in the lines around it.",
        "`aoti-lint inspect model.pt2` says what it was built for, `aoti-lint` with the script and the package "
        "(AOTI420, AOTI6xx) what does not fit.",
        devices=("cpu",),
    ),
    "recompile": About(
        "torch.compile compiles again and again",
        ("torch._dynamo hit config.recompile_limit (8)", "~the first calls of each batch size are slow"),
        "A guard fails: a size, a Python number or an attribute differs from the last time, and the code was compiled "
        "for that value alone.",
        "`torch.compile(dynamic=True)` or `torch._dynamo.mark_dynamic` for sizes; keep Python numbers that change out "
        "of what is compiled.",
        kind="compile", devices=("cpu",),
    ),
    "cuda-graph-overwrite": About(
        "A result changes after the next call",
        ("Error: accessing tensor output of CUDAGraphs that has been overwritten by a subsequent run",
         "~results of earlier batches that are all those of the last one"),
        "`mode=\"reduce-overhead\"` replays one CUDA graph, which writes its results to the same memory each time.",
        "`aoti-lint` on the script: AOTI514. Clone what is kept, or call `torch.compiler.cudagraph_mark_step_begin()`.",
        kind="compile",
    ),
    "slow": About(
        "It is slower than it should be",
        ("skipping cudagraphs due to …", "Graph break in user code", "Not enough SMs to use max_autotune_gemm mode"),
        "The compiled code is cut into pieces (graph breaks), compiled again and again, copies tensors between "
        "devices, or runs many small kernels that were not fused.",
        "`aoti-lint` on the scripts: debugging aids that are left on slow down every call (AOTI509).",
        kind="compile",
    ),
}  # fmt: skip


def main() -> None:
    """Write all pages."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")


def pages() -> dict[str, str]:
    """The text of each page, by its file name."""
    made = {f"{symptom}.md": "\n".join(_page(symptom, PAGES[symptom])) for symptom in SYMPTOMS}
    return {"README.md": "\n".join(_index()), **made}


def _index() -> Iterator[str]:
    yield MADE
    yield ""
    yield "# After a failure"
    yield ""
    yield "`aoti-lint triage LOG` names the cause of a failed run from its log. Where the log does not tell,"
    yield "`aoti-lint rerun` runs the program again with the flags that make it tell more; a page for each symptom:"
    yield ""
    yield "| Symptom | What it is |"
    yield "| --- | --- |"
    for symptom in SYMPTOMS:
        yield f"| [{symptom}]({symptom}.md) | {PAGES[symptom].title} |"
    yield ""


def _page(symptom: Symptom, about: About) -> Iterator[str]:
    script = "serve.py" if about.kind == "package" else "train.py"
    yield MADE
    yield ""
    yield f"# {about.title}: `--symptom {symptom}`"
    yield ""
    yield "## What it looks like"
    yield ""
    yield from (f"- {line[1:]}" if line.startswith("~") else f"- `{line}`" for line in about.looks)
    yield ""
    yield "## Why"
    yield ""
    yield from _wrapped(about.why)
    yield ""
    yield from _wrapped(f"Before anything is run: {about.first}")
    yield ""
    yield "## The one command"
    yield ""
    yield "```sh"
    yield f"aoti-lint rerun {script} --symptom {symptom} --execute"
    yield "```"
    yield ""
    yield "It says what it will run and how often, and asks; the program runs in a copy of your folder. Without"
    yield "`--execute` it prints the plan; with `-o rerun.sh` it writes the plan as a script, to run elsewhere:"
    yield "`./rerun.sh`, or `./rerun.sh STAGE`."
    yield ""
    transcript = FOLDER / "transcripts" / f"{symptom}.txt"
    if transcript.exists():
        yield "```text"
        yield transcript.read_text(encoding="utf-8").rstrip()
        yield "```"
        yield ""
    for device in about.devices:
        where = "a GPU" if device == "cuda" else "the CPU"
        what = "a package that `export.py` builds and `serve.py` runs" if about.kind == "package" else "`torch.compile`"
        yield f"## The plan, for {what} on {where}"
        yield ""
        stages = [
            list(_stage(number, one)) for number, one in enumerate(stages_of(example(symptom, about.kind, device)), 1)
        ]
        yield from _wrapped(_by_hand("\n".join(line for lines in stages for line in lines)))
        yield ""
        for lines in stages:
            yield from lines


def _by_hand(text: str) -> str:
    """What to know of the commands in a text before typing them."""
    always = " ".join(f"{name}={value}" for name, value in ALWAYS.items())
    said = f"Before you type these yourself: `export {always}`, or a crash takes the last lines with it."
    named = [f"`{hole}` {what}" for hole, what in HOLES.items() if hole in text]
    if named:
        said += f" The rerun fills in {', '.join(named)}."
    if "   # with " in text:
        said += " What stands after `# with` it sets in `torch._inductor.config`, or puts in the place of a function."
    return said


def _stage(number: int, stage: Stage) -> Iterator[str]:
    yield f"### {number}. {stage.name}: {stage.title}"
    yield ""
    yield from _wrapped(stage.why + (f" Needs: {', '.join(stage.needs)}." if stage.needs else ""))
    yield ""
    yield "```sh"
    for step in stage.steps:
        yield _line(step)
    yield "```"
    yield ""
    yield from _wrapped(f"How to read it: {stage.reads}")
    yield ""


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _line(step: Step) -> str:
    words = [f"{name}={_word(value)}" for name, value in step.environment.items() if name not in ALWAYS]
    words += map(_word, step.command)
    notes = [f"{name.rpartition('.config.')[2]} = {value}" for name, value in step.config.items()]
    notes += [f"{name} is replaced by {other}" for name, other in step.replace.items()]
    return " ".join(words) + (f"   # with {', '.join(notes)}" if notes else "")


def _word(text: str) -> str:
    shown = text.replace("{", "<").replace("}", ">").replace(str(ROOT / "aoti_lint"), "<aoti-lint>")
    return f'"{shown}"' if " " in shown else shown


if __name__ == "__main__":
    main()
