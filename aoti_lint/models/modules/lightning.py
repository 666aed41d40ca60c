"""`LightningModule.load_from_checkpoint`: an instance, made of what a file says its constructor was given.

Lightning 2.5, `lightning/pytorch/core/saving.py`, `_load_state`: what the call gives by name wins.
"""

from __future__ import annotations

from aoti_lint.language import access
from aoti_lint.language.classes import instances, modules
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import method
from aoti_lint.values.call import Call
from aoti_lint.values.values import Class, Func, Ref, Unknown, Value

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
    return instances.instantiate(m, Call(call.node, [], given), receiver)
