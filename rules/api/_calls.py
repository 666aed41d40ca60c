"""What the rules on calls of torch share: the calls, and the words for what they are given."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from aoti_lint.rule import Facts, VersionSet, catches
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.torch import api
from aoti_lint.rule.values import TRUE, Class, Const, Obj, Ref, Value

CHECKED_EXPORTS = ("torch.export.export", "torch.export.export_for_training", "torch.export.export_for_inference")
"""Exports that refuse what is no module before they do anything."""
EXPORTS = (*CHECKED_EXPORTS, "torch.export.draft_export", "torch.export._draft_export.draft_export")
ONNX = "torch.onnx.export"
DECOMPOSE = "torch.export.ExportedProgram.run_decompositions"
USER_ERROR = ("UserError", "Unsupported", "TorchDynamoException", "RuntimeError")
"""The exception of an export that was given what it cannot use (release 2.13.0, `_dynamo/exc.py`), and its bases."""
ONNX_ERROR = ("TorchExportError", "OnnxExporterError", "RuntimeError")
"""The exception of an export to ONNX that `torch.export` refuses, and its bases."""

WORDS = {
    "Module": "an nn.Module", "ProgramModule": "the GraphModule that .module() gives", "Program": "an ExportedProgram",
    "LoadedProgram": "an ExportedProgram", "Func": "a function", "Bound": "a method", "Partial": "a functools.partial",
    "Class": "a class",
    "torch.fx.GraphModule": "a GraphModule", "torch.jit.ScriptModule": "a ScriptModule",
    "torch.jit.ScriptFunction": "a ScriptFunction", "quantized model": "a model that torch.ao.quantization converted",
    "prepared model": "a model that torch.ao.quantization prepared",
    "model prepared for training": "a model that torch.ao.quantization prepared for training",
    "Package": "the path of a compiled package",
    "Loaded": "a compiled model", "Tensor": "a tensor", "list": "a list", "dict": "a dict", "tuple": "a tuple",
    "set": "a set", "str": "a string", "Path": "a pathlib.Path", "int": "a number", "float": "a number",
    "bool": "a bool", "NoneType": "None", "io.IOBase": "an open file",
    "io.TextIOBase": "a file that is open as text",
}  # fmt: skip
"""What a message calls the kinds of arguments."""


def calls(facts: Facts, *names: str, raising: tuple[str, ...] = ()) -> Iterator[ApiCall]:
    """Calls of these functions, by their public names, where nothing catches or expects what they raise."""
    by_name = facts.grouped(ApiCall, _names)
    found = [event for name in dict.fromkeys(names) for event in by_name.get(name, ())]
    for event in sorted(found, key=attrgetter("order")) if len(names) > 1 else found:
        if not (raising and catches(event.caught | event.expected, *raising)):
            yield event


def exports_to_onnx(facts: Facts, *raising: str) -> Iterator[tuple[ApiCall, VersionSet]]:
    """Calls of `torch.onnx.export` that leave it at `torch.export`, with the releases in which they do."""
    for event in calls(facts, ONNX, raising=raising):
        by_export = event.kwargs.get("dynamo") in (None, TRUE) and "fallback" not in event.kwargs and not event.open
        if event.name == ONNX and by_export and (versions := event.versions & api.ONNX_BY_EXPORT):
            yield event, versions


def _names(event: ApiCall) -> tuple[str]:
    return (api.canonical(event.name),)


def kind(event: ApiCall, value: Value) -> str:
    """The kind of one argument on one path, as the keys of `WORDS` have it; empty where it is not known."""
    found = event.tag(value)
    if not found and isinstance(value, Const):
        return type(value.value).__name__
    if found == "Module" and isinstance(value, Obj) and (special := _special(value.cls)):
        return special
    return found


def _special(cls: Value | None) -> str:
    """The class of torch that makes a module more than an ordinary one, empty for ordinary ones."""
    if isinstance(cls, Ref):
        return cls.name if cls.name in ("torch.fx.GraphModule", "torch.jit.ScriptModule") else ""
    return next(filter(None, map(_special, cls.bases)), "") if isinstance(cls, Class) else ""


def short(function: str) -> str:
    """What a message calls a function: its own name, with the module where that alone says little."""
    return function if function.startswith("torch.export.") else function.rpartition(".")[2]
