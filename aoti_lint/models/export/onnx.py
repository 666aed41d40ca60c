"""`torch.onnx.export(…, dynamo=True)`: model, inputs and `dynamic_shapes` mean what they mean to `torch.export.export`.

From release 2.9 on, which has `dynamo=True` where nothing is said (2.9.1 to 2.15.0, `torch/onnx/__init__.py`), it tries
an export without `strict=True`, then one with it, each under `backed_size_oblivious`, and raises `TorchExportError`
where both fail (2.13.0, `torch/onnx/_internal/exporter/_capture_strategies.py:319`). Before, it tried
`torch.jit.trace` and others besides. Run on torch 2.13 with onnxscript 0.7.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from aoti_lint.language.classes import modules
from aoti_lint.language.data import containers, frozen, paths
from aoti_lint.language.tools import holding
from aoti_lint.machine import hooks
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.models.export import export, onnx_axes, usual
from aoti_lint.models.export.packages import write_file
from aoti_lint.models.export.tracing import example, run_within
from aoti_lint.models.torch import compiling
from aoti_lint.torch_api import api
from aoti_lint.values.call import Call
from aoti_lint.values.choices import choose
from aoti_lint.values.conditions import Cond
from aoti_lint.values.events.exports import OnnxExport, ScriptTrace
from aoti_lint.values.torch_values import OnnxModel, Program, Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Const, Obj, Pairs, Ref, Tup, Unknown, Value

API = "torch.onnx.export"
ERRORS = ("OnnxExporterError", "TorchExportError")
"""What it raises, and the base of that, which is a `RuntimeError`."""
_KNOWN = (Tensor, Const, Tup)


@function(API)
def _export(m: Machine, call: Call) -> Value:
    return export.each_of_few(m, call.arg(0, "model"), partial(_exported, m, call))


def _exported(m: Machine, call: Call, model: Value) -> Value:
    program = None
    other = m.unknown(call.node, "a program for ONNX")
    given = {name: m.see(call.kwargs.get(name, default)) for name, default in (("dynamo", TRUE), ("fallback", FALSE))}
    if not call.open:
        _tell_older(m, call, given["dynamo"], model)
    uses_export = given == {"dynamo": TRUE, "fallback": FALSE} and not call.open
    if uses_export and not m.catches(*ERRORS) and not isinstance(model, Program):
        there = m.version_cond(api.ONNX_BY_EXPORT, "torch.onnx.export uses torch.export")
        is_module = modules.is_module(m, model)
        with m.assuming({} if isinstance(there, bool) else {there: True}):
            if there is not False:
                fits = onnx_axes.tell(m, call, sure=is_module)
                program = _tell(m, call, model, fits=fits) if is_module else None
        if program is not None:
            made = OnnxModel(program, m.fresh(), frozen.freeze(m, call.kwargs.get("input_names", NONE)))
            known: Value = made if isinstance(there, bool) else choose(there, made, other)
            write_file(m, paths.file_name(m, call.arg(2, "f") or NONE), known)
            return known
    return other


def _tell_older(m: Machine, call: Call, dynamo: Value, model: Value) -> None:
    """Tell of what the exporter that traces with TorchScript does not look at, where that one is asked.

    Where it surely is, also of what the forward asks of its inputs.
    """
    newer: Cond | bool = dynamo != FALSE
    if "dynamo" not in call.kwargs:
        newer = m.version_cond(api.ONNX_BY_EXPORT, "torch.onnx.export uses torch.export")
    if newer is not True:
        with m.assuming({} if newer is False else {newer: False}):
            onnx_axes.tell_unread(m, call)
    if newer is False and modules.is_module(m, model) and m.root.trace is None and m.root.watch is None:
        site = _handed_on(m, call, model, TRUE)
        with holding(m, _CELL, TRUE), holding(m, compiling.SCRIPTED, TRUE):
            first = run_within(m, model, example(m, site))
            program = export.described(m, site, API, model, first)
            told = hooks.read_again(m, site, program, first)
        parts = {part: told.get(part, ()) for part in ("open_sizes", "guards", "data")}
        names = frozen.freeze(m, call.kwargs.get("output_names", NONE))
        m.emit(ScriptTrace, call.node, program=program, output_names=names, mixes=tuple(first.mixes), **parts)


_CELL = ("torch", "exported to ONNX")
"""Holds `TRUE` while a model is exported to ONNX: first without `strict=True`, where code that asks is told so."""


@function("torch.onnx.is_in_onnx_export")
def _is_in_export(m: Machine, call: Call) -> Value:
    if m.root.trace is None:
        return m.unknown(call.node, "whether an export to ONNX is under way")
    m.root.trace.asked = True
    return TRUE if m.read(*_CELL) == TRUE else FALSE


def _tell(m: Machine, call: Call, model: Value, *, fits: bool) -> Program | None:
    """Tells the rules of an export, and gives its program where that is sure."""

    def follow() -> usual.Followed:
        both = Unknown(f"u{m.fresh()}", "an export with strict=True is tried, and one without")
        with holding(m, _CELL, TRUE):
            program, told, first = export.followed(m, _handed_on(m, call, model, both), API, model)
        if not _is_for_evaluation(m.see(call.kwargs.get("training", NONE))):  # whoever gives another has thought of it
            told["modes"] = ()
        return replace(program, oblivious=True), told, first

    with usual.looking(m) as met:
        program, told, first = follow()
    if first.asked:  # the answer is True without `strict=True` and False with it, so one of them may succeed
        told = {part: () if isinstance(found, tuple) else found for part, found in told.items()}
    emit = partial(
        m.emit,
        OnnxExport,
        call.node,
        saved=m.see(call.arg(2, "f") or NONE) != NONE,
        names=frozen.freeze(m, call.kwargs.get("input_names", NONE)),
        output_names=frozen.freeze(m, call.kwargs.get("output_names", NONE)),
        by_axes=onnx_axes.by_axes(m, call),
        fits=fits,
    )
    emit(program=program, **told)
    if first.asked:
        return None
    usual.tell(m, met, told, follow, emit)
    return program


def _is_for_evaluation(training: Value) -> bool:
    """Whether an export is asked for as it is done by default, in evaluation mode; this exporter does not see to it."""
    return training == NONE or (isinstance(training, Ref) and training.name.endswith(".EVAL"))


def _inputs(m: Machine, call: Call) -> tuple[Value, Value]:
    """What the model is called with: a dict at the end of the arguments is given by name, if nothing else is."""
    given, named = m.see(call.arg(1, "args") or Tup(())), m.see(call.kwargs.get("kwargs", NONE))
    items = [given] if isinstance(given, Tensor) else containers.items_of(m, given)
    refused = isinstance(given, Const) or (isinstance(given, Obj) and given.kind in ("list", "dict"))
    unknown = Unknown(f"u{m.fresh()}", "the inputs are not all known")
    if items is None or refused:
        return unknown, unknown
    last = m.see(items[-1]) if items else NONE
    is_dict = isinstance(last, Obj) and last.kind == "dict"
    if not isinstance(last, _KNOWN) and not (isinstance(last, Obj) and last.kind in ("dict", "list", "instance")):
        return unknown, unknown
    if named != NONE and containers.dict_pairs(m, named) is None:
        return unknown, unknown
    if is_dict and not containers.dict_pairs(m, named):
        return Tup(tuple(items[:-1])), last
    return Tup(tuple(items)), named


def _handed_on(m: Machine, call: Call, model: Value, strict: Value) -> Call:
    """The call of an export of `torch.export` that means what this one to ONNX does."""
    args, kwargs = _inputs(m, call)
    handed = {"kwargs": kwargs, "dynamic_shapes": _shapes(m, call, args, kwargs), "strict": strict}
    return Call(call.node, [model, args], handed)


def _shapes(m: Machine, call: Call, args: Value, kwargs: Value) -> Value:
    """`dynamic_shapes`, or what `dynamic_axes` stands for, as they are given to the export."""
    given = call.kwargs.get("dynamic_shapes", NONE)
    if not onnx_axes.by_axes(m, call):
        return lift(m, frozen.freeze(m, given), onnx_axes.converted)
    entries, inputs = onnx_axes.entries(m, call) or [], frozen.freeze(m, args)
    known = [one for one in entries if one is not None]
    left = iter(known)
    spec = _in_form(inputs, left) if not containers.dict_pairs(m, kwargs) and isinstance(inputs, Tup) else None
    if spec is None or not known or len(known) < len(entries) or next(left, None) is not None:
        return Unknown(f"u{m.fresh()}", "dynamic_axes was not followed")
    return spec


def _in_form(value: Value, entries: Iterator[Value]) -> Value | None:
    """The entries, one for each input, in the form that the inputs have; None where there are too few."""
    match value:
        case Tup(items):
            parts = [_in_form(item, entries) for item in items]
            known = [part for part in parts if part is not None]
            return Tup(tuple(known), cls=value.cls) if len(known) == len(parts) else None
        case Pairs(pairs):
            of = [(key, _in_form(item, entries)) for key, item in pairs]
            held = tuple((key, part) for key, part in of if part is not None)
            return Pairs(held) if len(held) == len(of) else None
        case Tensor() | Const():
            return next(entries, None)
        case _:
            return None
