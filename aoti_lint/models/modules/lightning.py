"""`LightningModule.load_from_checkpoint`: an instance, made of what a file says its constructor was given.

Lightning 2.5, `lightning/pytorch/core/saving.py`, `_load_from_checkpoint`: what the call gives by name wins, and the
instance lies where the weights are loaded to.
"""

from __future__ import annotations

from aoti_lint.language import access
from aoti_lint.language.classes import instances, modules
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import method
from aoti_lint.models.modules import module_moves
from aoti_lint.models.torch import devices
from aoti_lint.values.call import Call
from aoti_lint.values.values import NONE, Class, Func, Ref, Unknown, Value

_OF_CALL = ("checkpoint_path", "map_location", "hparams_file", "strict", "weights_only")
"""What `load_from_checkpoint` takes itself, before the arguments of the constructor."""


@method("Class", "load_from_checkpoint")
def _load_from_checkpoint(m: Machine, call: Call, receiver: Value) -> Value:
    bases = access.ancestors(m, receiver) if isinstance(receiver, Class) else []
    if not isinstance(receiver, Class) or not any(isinstance(one, Ref) and one in modules.LIGHTNING for one in bases):
        return m.unknown(call.node, "what a checkpoint holds")
    init = access.class_member(m, receiver, "__init__")
    params = init[0].node.params[1:] if init is not None and isinstance(init[0], Func) else []
    given = {name: value for name, value in call.kwargs.items() if name not in _OF_CALL}
    for one in params:
        if one.kind not in ("var", "kwvar") and one.name not in given:
            given[one.name] = Unknown(f"u{m.fresh()}", f"{one.name} is what the checkpoint says")
    made = instances.instantiate(m, Call(call.node, [], given), receiver)
    module_moves.move(m, made, _device(m, call))
    return made


def _device(m: Machine, call: Call) -> Value:
    """Where it lies: where `map_location` says, or where the checkpoint was saved."""
    where = m.see(call.arg(1, "map_location") or NONE)
    device = NONE if where == NONE else devices.as_device(m, where)
    saved = Unknown(f"u{m.fresh()}", "a checkpoint is loaded to where it was saved")
    return device if devices.is_device(device) else saved
