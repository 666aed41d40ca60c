"""AOTI204."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule, judge
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.values import NONE, Pairs, Value, leaves

from ._calls import WORDS, calls, kind, short

_COMPILE = "torch._inductor.aoti_compile_and_package"
_PACKAGE = "torch.export.pt2_archive._package.package_pt2"
_TAKES = {
    _COMPILE: (0, "exported_program", ("ValueError",), Outcome.RAISES_AT_COMPILE),
    "torch.export.save": (0, "ep", ("TypeError",), Outcome.RAISES),
    "torch.export.unflatten": (0, "module", ("AttributeError",), Outcome.RAISES),
    "executorch.exir.to_edge": (0, "programs", ("AttributeError", "TypeError"), Outcome.RAISES),
    "executorch.exir.to_edge_transform_and_lower": (0, "programs", ("AttributeError", "TypeError"), Outcome.RAISES),
    _PACKAGE: (None, "exported_programs", ("AssertionError", "AttributeError"), Outcome.RAISES),
}
"""Functions that take a program: its position and name, what they raise for anything else, and when."""
_PREPARES = {
    f"{module}.{name}": (0, "model", ("AttributeError",), Outcome.RAISES)
    for module in ("torch.ao.quantization.quantize_pt2e", "torchao.quantization.pt2e.quantize_pt2e")
    for name in ("prepare_pt2e", "prepare_qat_pt2e")
}
"""Those that take the graph module of one."""
_SEVERAL = ("package_pt2", "to_edge", "to_edge_transform_and_lower")
"""Ends of the names of functions that take a dict of programs."""
_NO_GRAPHS = ("Module", "Program", "LoadedProgram")
_MODULES = ("Module", "torch.fx.GraphModule", "ProgramModule")
_WRONG = (*_MODULES, "Func", "Bound", "Class", "torch.jit.ScriptModule", "torch.jit.ScriptFunction", "Loaded",
          "Package", "Tensor", "str", "Path", "list", "tuple", "NoneType")  # fmt: skip


class NotAnExportedProgram(Rule):
    """What is to be compiled or saved as an exported program is none.

    What happens:
        `aoti_compile_and_package` raises `ValueError: Only ExportedProgram is supported`, `torch.export.save` raises
        `TypeError: The 'ep' parameter must be an instance of 'ExportedProgram', got 'Net' instead.`, and `package_pt2`
        `AssertionError: Expected exported_programs to be a dict, but got <class 'Net'>`.

    Why:
        They take what `torch.export.export` gives. The model itself is not traced yet, and `program.module()` is a
        module again, without the signature and the example inputs that compiling needs. `prepare_pt2e` takes that
        module, and neither the model nor the program: it raises `AttributeError: 'Net' object has no attribute 'meta'`.

    Bad:
        import torch

        model = torch.nn.Linear(10, 2).eval()
        torch._inductor.aoti_compile_and_package(model, package_path="model.pt2")  # <- AOTI204

    Bad:
        import torch

        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        torch._inductor.aoti_compile_and_package(program.module(), package_path="model.pt2")  # <- AOTI204

    Good:
        import torch

        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")

    How to debug:
        `print(type(program))` says `torch.export.exported_program.ExportedProgram` where it is one.
        `torch._inductor.aot_compile` is the function that takes `program.module()`.

    Sources:
        `torch/_inductor/__init__.py`, line 114, and `torch/export/__init__.py`, line 269, of release 2.13.0, and the
        same checks in all releases from 2.6.0 (`save`: 2.4.1) to 2.15.0; run on torch 2.13.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI204"
    name = "not-an-exported-program"
    doubt = "whether this is what it is given is not known"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for function, (index, name, raised, outcome) in (*_TAKES.items(), *_PREPARES.items()):
            wanted = "the module of an exported program" if function in _PREPARES else "an ExportedProgram"
            for event in calls(facts, function, raising=raised):
                given = event.arg(index, name)
                if given is None or (function == _PACKAGE and given == NONE):
                    continue
                verdict = judge([given], event.path, partial(_is_other, event))
                if verdict is None:
                    continue
                (value,) = verdict[1]
                what = _wrong(event, value)
                yield self.found(
                    facts,
                    event,
                    verdict,
                    f"{short(function)} takes {wanted} and is given {WORDS[what]}: it raises",
                    span=event.place(index, name),
                    outcome=outcome,
                    label=WORDS[what],
                    help=_help(function, what),
                )


def _wrong(event: ApiCall, value: Value) -> str:
    """The kind of what is no program, of an argument or in a dict of programs; empty where there is none."""
    if event.name in _PREPARES:
        what = kind(event, value)
        return what if what in _NO_GRAPHS else ""
    if isinstance(value, Pairs):
        if not value.pairs or event.name.endswith(_SEVERAL):
            found = [kind(event, leaf) for _, item in value.pairs for _, leaf in leaves(item, event.path)]
            return next((one for one in found if one in _WRONG), "")
        return "dict"
    what = kind(event, value)
    return what if what in _WRONG else ""


def _is_other(event: ApiCall, values: list[Value]) -> bool | None:
    return bool(_wrong(event, values[0]))


def _help(function: str, what: str) -> str:
    if function in _PREPARES:
        return "give it torch.export.export(model, args).module()"
    if what == "ProgramModule":
        return "leave out .module(): give it the program itself"
    if what in ("Loaded", "Package"):
        return "it is compiled already: load it with torch._inductor.aoti_load_package"
    return "export it first: program = torch.export.export(model, args)"
