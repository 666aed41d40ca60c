"""AOTI227."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule, judge
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.values import Value

from ._calls import WORDS, calls, exports_to_onnx, kind, short

_TAKES = {"torch.export.load": "f", "torch._inductor.aoti_load_package": "path"}
"""Functions that read a file, which is their first argument, and what they call it."""
_PROGRAMS = ("Program", "LoadedProgram")
_WRONG = (*_PROGRAMS, "Module", "ProgramModule", "torch.fx.GraphModule", "Func", "Bound", "Class", "Loaded", "Tensor",
          "list", "dict", "tuple", "NoneType")  # fmt: skip


class ObjectForAFile(Rule):
    """A function that reads a file is given something else, or an export to ONNX an open file.

    What happens:
        It raises `AttributeError: 'ExportedProgram' object has no attribute 'tell'`, and the same of any other class.
        `torch.onnx.export`, since it is one of `torch.export`: `TypeError: expected str, bytes or os.PathLike object,
        not BufferedWriter`, behind the export.

    Why:
        `torch.export.load` and `aoti_load_package` read what stands at a path, or in an open file. A program in memory
        needs no loading: `program.module()` can be called. `torch.onnx.export` writes to a path, or into `io.BytesIO`;
        with `dynamo=False` it takes an open file.

    Bad:
        import torch

        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        model = torch.export.load(program).module()  # <- AOTI227

    Bad:
        import torch

        with open("linear.onnx", "wb") as file:
            torch.onnx.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),), file)  # <- AOTI227

    Good:
        import torch

        torch.onnx.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),), "linear.onnx")
        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        torch.export.save(program, "model.pt2")
        model = torch.export.load("model.pt2").module()

    How to debug:
        Print the type of what it is given: a text, a path, or something with `read` and `tell`.

    Sources:
        `torch/export/__init__.py`, `load`, and `torch/_inductor/package/package.py`, `load_package`, of release 2.13.0;
        `torch/onnx/_internal/exporter/_compat.py` of releases 2.9.1 to 2.15.0; run on torch 2.13.
        https://docs.pytorch.org/docs/stable/export.html#torch.export.load
    """

    code = "AOTI227"
    name = "object-for-a-file"
    outcome = Outcome.RAISES_AT_LOAD

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for function, name in _TAKES.items():
            for event in calls(facts, function, raising=("AttributeError",)):
                given = None if _is_asked(event) else event.arg(0, name)
                verdict = None if given is None else judge([given], event.path, partial(_is_no_file, event))
                if verdict is None:
                    continue
                (value,) = verdict[1]
                what = kind(event, value)
                yield self.found(
                    facts,
                    event,
                    verdict,
                    f"{short(function)} reads a file and is given {WORDS[what]}: it raises",
                    span=event.place(0, name),
                    label=WORDS[what],
                    help=_help(function, what),
                )
        for event, failing in exports_to_onnx(facts, "TypeError"):
            given = event.arg(2, "f")
            verdict = None if given is None else judge([given], event.path, partial(_is_open_file, event))
            if verdict is not None:
                yield self.found(
                    facts,
                    event,
                    verdict,
                    "torch.onnx.export writes to a path and is given an open file: it raises",
                    span=event.place(2, "f"),
                    failing=failing,
                    outcome=Outcome.RAISES_AT_EXPORT,
                    label=WORDS["io.IOBase"],
                    help="give it the path of the file, or io.BytesIO() and write what that holds",
                )


def _is_asked(event: ApiCall) -> bool:
    """Whether the code asked what it was given, and nobody knows the answer."""
    return any(cond.key[0] == "isinstance" for cond in event.path)


def _is_no_file(event: ApiCall, values: list[Value]) -> bool | None:
    return kind(event, values[0]) in _WRONG


def _is_open_file(event: ApiCall, values: list[Value]) -> bool | None:
    return kind(event, values[0]) in ("io.IOBase", "io.TextIOBase")


def _help(function: str, what: str) -> str:
    if what == "Loaded":
        return "it is loaded already: call it"
    if what not in _PROGRAMS:
        return "give it the path of the file"
    if function == "torch.export.load":
        return 'it is in memory already: call program.module(); or torch.export.save(program, "model.pt2") before'
    return "compile it first, and load the path that torch._inductor.aoti_compile_and_package(program) gives"
