"""What training mode does: the switch on a module and all inside it, and what behaves otherwise under it.

Sources: `torch/nn/modules/*.py` and `torch/nn/functional.py` of torch 2.13 for parameters and defaults. That each of
these stays alive in an exported program was run on torch 2.13.
"""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.ir import nodes
from aoti_lint.language import access, calls
from aoti_lint.language.classes.layer_classes import layer_name
from aoti_lint.language.classes.modules import is_module
from aoti_lint.language.effects import exported_state
from aoti_lint.lazily.dataclass import dataclass, replace
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import attribute, method
from aoti_lint.models.modules.module_parts import descendants
from aoti_lint.values.call import Call
from aoti_lint.values.choices import choose
from aoti_lint.values.events.forwards import Effect, ModeUse
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Bound, Choice, Class, Const, Func, Many, Obj, Tup, Unknown, Value


@dataclass(frozen=True, slots=True)
class Setting:
    """A parameter of a layer or function: its place, its name, and what it is where it is not given."""

    index: int
    name: str
    default: Value


@dataclass(frozen=True, slots=True)
class Kind:
    """A layer that behaves otherwise in training mode: it drops values at random, or uses the statistics of its input.

    It does so only where `needs`, a rate or a flag, is not 0 or False, and where `layers` is not 1.
    """

    effect: Effect
    needs: Setting | None = None
    layers: Setting | None = None


@dataclass(frozen=True, slots=True)
class FunctionKind:
    """A function that does the same where its argument `training` is true (None: always) and `needs` is not 0."""

    effect: Effect
    training: Setting | None
    needs: Setting | None


_HALF, _TENTH, _ZERO, _ONE = Const(0.5), Const(0.1), Const(0.0), Const(1)
_TRACKS = "track_running_stats"
_BATCH_NORM = Kind("norm", Setting(4, _TRACKS, TRUE))
LAYERS: dict[str, Kind] = {
    **dict.fromkeys(
        ("Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout"),
        Kind("dropout", Setting(0, "p", _HALF)),
    ),
    "RReLU": Kind("dropout"),
    "MultiheadAttention": Kind("dropout", Setting(2, "dropout", _ZERO)),
    "TransformerEncoderLayer": Kind("dropout", Setting(3, "dropout", _TENTH)),
    "TransformerDecoderLayer": Kind("dropout", Setting(3, "dropout", _TENTH)),
    "Transformer": Kind("dropout", Setting(5, "dropout", _TENTH)),
    **dict.fromkeys(("LSTM", "GRU"), Kind("dropout", Setting(5, "dropout", _ZERO), Setting(2, "num_layers", _ONE))),
    "RNN": Kind("dropout", Setting(6, "dropout", _ZERO), Setting(2, "num_layers", _ONE)),
    **dict.fromkeys(("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm"), _BATCH_NORM),
    **dict.fromkeys(("LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d"), Kind("norm", Setting(3, _TRACKS, TRUE))),
    **dict.fromkeys(("InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"), Kind("norm", Setting(4, _TRACKS, FALSE))),
}
"""Layers of `torch.nn` by class. Norms without running statistics use those of the batch in both modes."""
WRAPPERS = frozenset({"TransformerEncoder", "TransformerDecoder"})
"""Layers that run copies of the layer they are given."""


_P = Setting(1, "p", _HALF)
_DROPS = FunctionKind("dropout", Setting(2, "training", TRUE), _P)
_MAY_DROP = FunctionKind("dropout", Setting(2, "training", FALSE), _P)
_F = "torch.nn.functional."
FUNCTIONS: dict[str, FunctionKind] = {
    **dict.fromkeys((f"{_F}dropout", f"{_F}dropout1d", f"{_F}dropout2d", f"{_F}dropout3d"), _DROPS),
    f"{_F}alpha_dropout": _MAY_DROP,
    f"{_F}feature_alpha_dropout": _MAY_DROP,
    **dict.fromkeys(
        ("torch.dropout", "torch.alpha_dropout", "torch.feature_dropout", "torch.feature_alpha_dropout"),
        FunctionKind("dropout", Setting(2, "train", FALSE), _P),
    ),
    **dict.fromkeys((f"{_F}rrelu", "torch.rrelu"), FunctionKind("dropout", Setting(3, "training", FALSE), None)),
    f"{_F}scaled_dot_product_attention": FunctionKind("dropout", None, Setting(4, "dropout_p", _ZERO)),
    f"{_F}batch_norm": FunctionKind("norm", Setting(5, "training", FALSE), Setting(1, "running_mean", NONE)),
}
"""The functions by name. In eval mode `dropout(x)` drops as well: its `training` is True unless it is given."""


# ---------------------------------------------------------------- the switch


def registered(m: Machine, module: Obj) -> Iterator[Obj]:
    """The modules that a module has as children, each form of those that differ by path."""
    for slot, held in list(m.store.slots(module.ident)):
        if slot == "#items" or slot.startswith("#given") or not slot.startswith("#"):
            for one in _forms(m, held, within=slot.startswith("#")):
                if isinstance(one, Obj) and is_module(m, one):
                    yield one


def _forms(m: Machine, value: Value, *, within: bool) -> Iterator[Value]:
    value = m.see(value)
    match value:
        case Choice(then=then, other=other):
            yield from _forms(m, then, within=within)
            yield from _forms(m, other, within=within)
        case Tup(items) if within:
            for item in items:
                yield from _forms(m, item, within=True)
        case Many(element) if within:
            yield from _forms(m, element, within=True)
        case _:
            yield value


def switch(m: Machine, node: nodes.Node, module: Value, training: Value, seen: set[int] | None = None) -> None:
    """`module.train(training)`: a class of the project that has a `train` of its own decides for itself."""
    module = m.see(module)
    seen = set() if seen is None else seen
    if not isinstance(module, Obj) or module.ident in seen:
        return
    own = access.class_member(m, module.cls, "train") if isinstance(module.cls, Class) else None
    if own is not None and isinstance(own[0], Func):
        seen.add(module.ident)
        calls.call(m, Call(node, [training]), Bound(module, "train", own[0]))
    else:
        switch_inside(m, node, module, training, seen)


def switch_inside(m: Machine, node: nodes.Node, module: Obj, training: Value, seen: set[int] | None = None) -> None:
    """What `torch.nn.Module.train` itself does: the module's own flag, then each child's `train`."""
    seen = set() if seen is None else seen
    seen.add(module.ident)
    m.store.write(module.ident, "#training", training)
    for child in registered(m, module):
        switch(m, node, child, training, seen)


@method("Module", "eval")
def _eval(m: Machine, call: Call, receiver: Value) -> Value:
    """`eval()` is `train(False)`, in a class that has a `train` of its own too."""
    if isinstance(receiver, Obj):
        exported_state.bound(m, call.node, receiver, exported_state.MODE, FALSE)
    switch(m, call.node, receiver, FALSE)
    return receiver


@method("Module", "train")
def _train(m: Machine, call: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Obj)
    mode = call.arg(0, "mode", TRUE) or TRUE
    switch_inside(m, call.node, receiver, Unknown(f"u{m.fresh()}", "an unknown mode") if call.open else mode)
    return receiver


@method("Module", "apply")
def _apply(m: Machine, call: Call, receiver: Value) -> Value:
    """The function is called with every module inside; where they are not all known, it may do anything to them."""
    func = call.arg(0, "fn") or NONE
    inside = descendants(m, receiver)
    if inside is None:
        mode_lost(m, receiver)
    for one in reversed(inside or ()):
        calls.call(m, Call(call.node, [one]), func)
    return receiver


def mode_lost(m: Machine, module: Value, seen: set[int] | None = None) -> None:
    """Code that was not followed may have switched the mode of a module and of all inside it."""
    seen = set() if seen is None else seen
    module = m.see(module)
    if isinstance(module, Obj) and module.ident not in seen:
        seen.add(module.ident)
        m.store.write(module.ident, "#training", Unknown(f"u{m.fresh()}", "the mode was set by code not followed"))
        for child in registered(m, module):
            mode_lost(m, child, seen)


@attribute("Module", "training")
def training_of(m: Machine, node: nodes.Node, value: Value) -> Value:
    """The flag of a module; modules are born in training mode."""
    assert isinstance(value, Obj)
    return m.read(value.ident, "#training") or TRUE


# ---------------------------------------------------------------- what an exported forward runs


def keep_settings(m: Machine, call: Call, layer: Obj, name: str) -> None:
    """Remember what decides whether a layer behaves otherwise in training mode, where it was given by name."""
    kind = LAYERS.get(name)
    for setting in (kind.needs, kind.layers) if kind is not None else ():
        if setting is None or setting.index < len(call.args):
            continue
        if setting.name in call.kwargs:
            m.store.write(layer.ident, f"#arg{setting.index}", call.kwargs[setting.name])
        elif call.open:
            m.store.write(layer.ident, f"#arg{setting.index}", Unknown(f"u{m.fresh()}", "unknown arguments"))


def note_layer(m: Machine, call: Call, layer: Obj) -> None:
    """A layer of `torch.nn` is called; while a forward is traced, the program has it in the mode it is in."""
    trace = m.root.trace
    if trace is None:
        return
    # What runs inside an encoder are copies of the layer it was given, which are switched with the encoder.
    for one in registered(m, layer) if layer_name(m, layer) in WRAPPERS else (layer,):
        name = layer_name(m, one)
        kind = LAYERS.get(name)
        if kind is not None:
            needs, layers = (_setting(m, one, s) for s in (kind.needs, kind.layers))
            training = training_of(m, call.node, layer)
            trace.modes.append(_use(m, call.node, kind.effect, f"torch.nn.{name}", training, needs, layers))


def _setting(m: Machine, layer: Obj, setting: Setting | None) -> Value:
    """What a layer was made with, or was given since; True where nothing is asked."""
    if setting is None:
        return TRUE
    own = m.read(layer.ident, setting.name)
    given = own if own is not None else m.read(layer.ident, f"#arg{setting.index}")
    return setting.default if given is None else m.see(given)


@hooks.function_in_forward.answers
def note_function(m: Machine, call: Call, name: str) -> None:
    """A function that drops or normalises is called; while a forward is traced, the program has it as it is called."""
    found, trace = FUNCTIONS.get(name), m.root.trace
    if found is None or trace is None:
        return

    def given(setting: Setting | None) -> Value:
        if setting is None:
            return TRUE
        value = call.arg(setting.index, setting.name)
        if value is None:
            return Unknown(f"u{m.fresh()}", "unknown arguments") if call.open else setting.default
        return m.see(value)

    needs = given(found.needs)
    if found.effect == "norm" and isinstance(needs, Tensor):
        needs = TRUE
    use = _use(m, call.node, found.effect, name, given(found.training), needs, TRUE)
    switch = found.training
    left_out = switch is not None and not call.open and call.arg(switch.index, switch.name) is None
    trace.modes.append(replace(use, untold=left_out and use.training == TRUE and _is_in_evaluation(m)))


def _is_in_evaluation(m: Machine) -> bool:
    """Whether the module whose method runs was switched to evaluation mode."""
    for frame in reversed(m.root.frames):
        if isinstance(frame.receiver, Obj) and is_module(m, frame.receiver):
            return m.read(frame.receiver.ident, "#training") == FALSE
    return False


def _use(
    m: Machine, node: nodes.Node, effect: Effect, name: str, training: Value, needs: Value, layers: Value
) -> ModeUse:
    reached: Value = TRUE
    for cond, answer in m.root.path.items():
        reached = choose(cond, reached, FALSE) if answer else choose(cond, FALSE, reached)
    return ModeUse(effect, name, m.span(node), reached, training, needs, layers)
