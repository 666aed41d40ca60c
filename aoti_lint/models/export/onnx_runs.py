"""Models for ONNX that are run: by what the export gave, or by a session of onnxruntime on the file it wrote.

Run on torch 2.13 with onnxruntime 1.32.
"""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.ir import nodes
from aoti_lint.language.data import containers, frozen, paths
from aoti_lint.language.effects import given_back
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import GRAPH, Machine
from aoti_lint.machine.tables import attribute, function, method
from aoti_lint.models.export.packages import read_file, write_file
from aoti_lint.models.tensors import arrays
from aoti_lint.models.torch import devices
from aoti_lint.values.call import Call
from aoti_lint.values.events.packages import OnnxCall
from aoti_lint.values.torch_values import OnnxModel, Tensor
from aoti_lint.values.values import NONE, Const, Unknown, Value

CHANGED = Unknown("changed", "a model for ONNX that was changed")


@method("OnnxModel", "__call__")
def _call(m: Machine, call: Call, receiver: Value) -> Value:
    named = {name: frozen.freeze(m, value) for name, value in call.kwargs.items()}
    if not call.open:
        _tell(m, call, receiver, tuple(frozen.freeze(m, value) for value in call.args), named)
    return _given(m, receiver, "what a model for ONNX gives")


@method("OnnxModel", "run")
def _run(m: Machine, call: Call, receiver: Value) -> Value:
    """One input under a name that is asked of the session is the first one."""
    pairs = containers.dict_pairs(m, call.arg(1, "input_feed") or NONE)
    fed = [(m.see(key), _tensor(m, m.see(value))) for key, value in pairs or ()]
    if pairs is not None and all(isinstance(key, Const) for key, _ in fed):
        _tell(m, call, receiver, (), {str(key.value): v for key, v in fed if isinstance(key, Const)}, fed=True)
    elif len(fed) == 1:
        _tell(m, call, receiver, (fed[0][1],), {})
    if m.see(call.arg(0, "output_names") or NONE) != NONE:
        return m.unknown(call.node, "some outputs of a session of onnxruntime")
    return _given(m, receiver, "what a session of onnxruntime gives")


def _given(m: Machine, model: Value, reason: str) -> Value:
    made = Unknown(f"u{m.fresh()}", reason)
    given_back.note(m, made, model)
    return made


def _tell(
    m: Machine, call: Call, model: Value, args: tuple[Value, ...], given: dict[str, Value], fed: bool = False
) -> None:
    if isinstance(model, OnnxModel) and m.read(model.ident, GRAPH) is None:
        m.emit(OnnxCall, call.node, model=model, args=args, given=given, fed=fed)


def _tensor(m: Machine, value: Value) -> Value:
    """An array as the tensor it would be."""
    if not arrays.is_array(value):
        return frozen.freeze(m, value)
    return Tensor(f"t{m.fresh()}", devices.CPU, arrays.shape_of(m, value), arrays.dtype_of(m, value))


@method("OnnxModel", "save")
def _save(m: Machine, call: Call, receiver: Value) -> Value:
    write_file(m, paths.file_name(m, call.arg(0, "destination") or NONE), receiver)
    return NONE


@attribute("OnnxModel", "model", "model_proto", "exported_program")
def _inside(m: Machine, node: nodes.Node, value: Value) -> Value:
    """Who takes it out may change it."""
    if isinstance(value, OnnxModel):
        m.store.write(value.ident, GRAPH, CHANGED)
    return m.unknown(node, "a part of a model for ONNX")


@method("OnnxModel", "apply_weights", "optimize", "release")
def _kept(m: Machine, call: Call, receiver: Value) -> Value:
    return NONE


@method("OnnxModel", "get_inputs", "get_outputs", "get_providers", "set_providers")
def _asked(m: Machine, call: Call, receiver: Value) -> Value:
    return m.unknown(call.node, "what a session of onnxruntime says")


@function("onnxruntime.InferenceSession")
def _session(m: Machine, call: Call) -> Value:
    found = read_file(m, call.arg(0, "path_or_bytes") or NONE)
    elsewhere = m.unknown(call.node, "a model for ONNX that was made elsewhere")
    return lift(m, found or elsewhere, lambda one: replace(one, session=True) if isinstance(one, OnnxModel) else one)


@function("onnx.save", "onnx.save_model")
def _overwritten(m: Machine, call: Call) -> Value:
    write_file(m, paths.file_name(m, call.arg(1, "f") or NONE), CHANGED)
    return NONE
