"""What calling a module does: its own `forward` is run, and a built-in layer makes a tensor of its input."""

from __future__ import annotations

from aoti_lint.language import access, calls
from aoti_lint.language.classes.modules import BASES, built_in
from aoti_lint.language.data import containers
from aoti_lint.language.effects import backward, compiled_hooks, exported_state, gradients, inference
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import method
from aoti_lint.models.modules import lazy_layers, modes, module_casts
from aoti_lint.models.modules.layers import causal_masks, layer_sizes, layers
from aoti_lint.models.modules.module_making import SWITCHES
from aoti_lint.models.tensors.operations import losses
from aoti_lint.models.tensors.tensor_base import FLOATS, HALVES
from aoti_lint.models.torch import mixing
from aoti_lint.models.torch.devices import CPU
from aoti_lint.values.call import Call
from aoti_lint.values.conditions import Cond
from aoti_lint.values.events.forwards import InferenceUse
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Bound, Class, Func, Many, Obj, Ref, Value

SAME_SHAPE = layer_sizes.ELEMENTWISE | layer_sizes.IN_ROWS | {"Identity"}
IN_ROWS = SAME_SHAPE.union(layers.PARAMETERS).difference(layers.RECURRENT, layers.CELLS) - {
    "MultiheadAttention", "TransformerEncoderLayer",
}  # fmt: skip
"""Layers whose result lies in rows where their input does (run on torch 2.13; the others turn it around)."""
SAVING = layers.WEIGHED.union(layers.CONVOLUTIONS) - {"RMSNorm"}
"""Layers that keep their input for a backward pass (run on torch 2.13)."""


@method("Module", "__call__")
def _call(m: Machine, call: Call, receiver: Value) -> Value:
    """Calling a module runs its `forward`."""
    assert isinstance(receiver, Obj)
    exported_state.called(m, call.node, receiver)
    compiled_hooks.called(m, receiver)
    lazy_layers.ran(m, receiver)
    if m.root.watch is not None:
        m.root.watch.entered(m, call.node, receiver)
    own = m.read(receiver.ident, "forward")
    if own is not None:
        return calls.call(m, call, own)
    forward = access.class_member(m, receiver.cls, "forward") if isinstance(receiver.cls, Class) else None
    if forward is not None and isinstance(forward[0], Func):
        return calls.call(m, call, Bound(receiver, "forward", forward[0]))
    cls = built_in(m, receiver.cls)
    if cls is None or forward is not None:
        return m.unknown(call.node, "the forward of a class outside the project")
    modes.note_layer(m, call, receiver)
    causal_masks.note(m, call, cls.name.rsplit(".", 1)[-1])
    made = backward.carry(m, cls.name, call.values, _layer(m, call, receiver, cls))
    if (last := cls.name.rsplit(".", 1)[-1]) in SAVING and not _lacks_weights(m, receiver, last):
        backward.of_layer(m, made)
    if m.root.watch is not None and isinstance(made, Tensor):
        given = tuple(one.key for one in map(m.see, call.args) if isinstance(one, Tensor))
        m.root.watch.sources.setdefault(made.key, given)
        name, first = cls.name.rsplit(".", 1)[-1], m.see(call.args[0]) if call.args else NONE
        if isinstance(first, Tensor) and name in IN_ROWS:
            m.root.watch.layer(first, made, flat=name == "Linear")
    return made


def _layer(m: Machine, call: Call, receiver: Obj, cls: Ref) -> Value:
    """What a module gives whose `forward` is that of a class outside the project."""
    last = cls.name.rsplit(".", 1)[-1]
    if cls.name in BASES:
        return m.unknown(call.node, f"what a {last} returns")
    if last == "Sequential":
        return _in_sequence(m, call, receiver)
    return lift(m, call.args[0] if call.args else NONE, lambda given: _layer_of(m, call, receiver, last, given))


def _in_sequence(m: Machine, call: Call, receiver: Obj) -> Value:
    """What the layers of a `Sequential` make of its input, one after the other."""
    inside = containers.items_of(m, receiver)
    value = call.args[0] if call.args else m.unknown(call.node, "an input that is not given by position")
    if inside is None:
        known = m.see(value)
        device = known.device if isinstance(known, Tensor) else None
        if isinstance(held := m.read(receiver.ident, "#items"), Many) and isinstance(known, Tensor):
            device = _through_many(m, call, held.element, known)
        return m.unknown(call.node, "unknown layers") if device is None else Tensor(f"t{m.fresh()}", device)
    for layer in inside:
        value = calls.call(m, Call(call.node, [value]), layer)
    return value


def _through_many(m: Machine, call: Call, layer: Value, given: Tensor) -> Value | None:
    """Where an unknown number of alike layers leave what they are given: the first is run, as that of a loop is."""
    cond = Cond(("layers", m.spot(call.node), m.fresh()), "loop", "there are layers")
    made, _ = m.fork(cond, lambda: m.see(calls.call(m, Call(call.node, [given]), layer)), lambda: given)
    return made.device if isinstance(made, Tensor) and made.device == given.device else None


def _layer_of(m: Machine, call: Call, receiver: Obj, last: str, given: Value) -> Value:
    """What a built-in layer of the class `last` makes of its first argument."""
    if last in layers.WEIGHED:
        inputs = [given, *call.values[1:]] if call.args else list(call.values)
        mixing.note(m, mixing.taken(m, inputs, together=True), receiver, last.lower())
    _note_dtype(m, receiver, last, given)
    if last in SAVING:
        _note_saved(m, call, receiver, given)
    made = _made_of(m, call, receiver, last, given)
    if isinstance(made, Tensor) and last in SAVING:
        inference.note(m, call.node, made)
    if isinstance(made, Tensor) and m.root.watch is not None:
        m.root.watch.layers[made.key] = last
    return made


def _note_dtype(m: Machine, layer: Obj, last: str, given: Value) -> None:
    """A layer is given something that must have the dtype of its weights, or be integers."""
    if last in layers.INDEXED:
        if isinstance(given, Tensor) and given.dtype not in layers.INDICES:
            mixing.note_dtypes(m, given, layers.INDICES[0], last)
        return

    def apply(own: Value) -> Value:
        _note_mixed(m, layer, last, given, own)
        return own

    lift(m, m.read(layer.ident, module_casts.DTYPE) or NONE, apply)


def _note_mixed(m: Machine, layer: Obj, last: str, given: Value, own: Value) -> None:
    if last in layers.OF_ONE_DTYPE and isinstance(own, Ref) and not _lacks_bias(m, layer, last):
        mixing.note_dtypes(m, given, own.name, last, late=last in layers.LATE)
    elif last in (*layers.NORMS, *layers.CONVOLUTIONS) and isinstance(own, Ref) and isinstance(given, Tensor):
        halves = last in layers.NORMS and own.name == "torch.float32" and given.dtype in HALVES
        here = given.device == CPU == m.see(m.read(layer.ident, "#device") or NONE)
        if here and given.dtype in HALVES | FLOATS and not halves:
            mixing.note_dtypes(m, given, own.name, last, eager=True)


def _lacks_weights(m: Machine, layer: Obj, last: str) -> bool:
    """Whether it is a normalization that may have no weights."""
    at = next((index for index, name in SWITCHES.get(last, ()) if name.endswith("affine")), None)
    return at is not None and m.see(m.read(layer.ident, f"#arg{at}") or TRUE) != TRUE


def _lacks_bias(m: Machine, layer: Obj, last: str) -> bool:
    """Whether it is a convolution that may have no bias: those take other floating dtypes."""
    at = layers.PARAMETERS[last].index("bias") if last in layers.CONVOLUTIONS else None
    return at is not None and m.see(m.read(layer.ident, f"#arg{at}") or TRUE) != TRUE


def _note_saved(m: Machine, call: Call, layer: Obj, given: Value) -> None:
    """A layer with weights keeps its input for a backward pass, if autograd is on."""
    trace = m.root.trace if m.root.watch is None else None
    if trace is None or not isinstance(given, Tensor) or m.read(*gradients.CELL) == FALSE:
        return
    where = inference.made(m, given)
    if where is not None and isinstance(m.read(layer.ident, "#device"), Device):
        trace.saved.append(InferenceUse("saved", m.span(call.node), where, tuple(m.root.path.items())))


def _made_of(m: Machine, call: Call, receiver: Obj, last: str, given: Value) -> Value:
    if isinstance(given, Tensor):
        made = layer_sizes.called(m, call, receiver, given)
        if made is not None:
            return made
        target = m.see(call.arg(1, "target") or NONE)
        if last in losses.LAYERS and isinstance(target, Tensor):
            losses.LAYERS[last](m, given, target)
        return Tensor(f"t{m.fresh()}", given.device)
    return m.unknown(call.node, f"what torch.nn.{last} returns")
