"""The names of all that a module itself gives to a `state_dict`, where nothing else can be there."""

from __future__ import annotations

from aoti_lint.language import access
from aoti_lint.language.classes.modules import HARMLESS, is_module
from aoti_lint.machine.machine import HANDED, Machine
from aoti_lint.models.modules import module_parts
from aoti_lint.models.modules.layers import layers
from aoti_lint.models.modules.module_making import CONTAINERS, STATELESS
from aoti_lint.models.modules.weights.module_state import BUFFER
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import FALSE, NONE, TRUE, Choice, Class, Obj, Ref, Unknown, Value

_COUNTED = ("running_mean", "running_var", "num_batches_tracked")
_OF_LAYERS = {
    **dict.fromkeys(("Linear", *layers.CONVOLUTIONS, "LayerNorm", "GroupNorm"), ("weight", "bias")),
    **dict.fromkeys(("Embedding", "EmbeddingBag", "RMSNorm", "PReLU"), ("weight",)),
    **{f"BatchNorm{rank}d": ("weight", "bias", *_COUNTED) for rank in (1, 2, 3)},
}
_SWITCHED = {
    "bias": ("bias",),
    **dict.fromkeys(("affine", "elementwise_affine"), ("weight", "bias")),
    "track_running_stats": _COUNTED,
}
"""What a layer has not where it is made with False for one of these."""
Own = tuple[list[str], list[str]]
"""The names that a `state_dict` has, in their order, and those of other tensors, which a program may have."""


def own_names(m: Machine, module: Obj) -> Own | None:
    """What a module has besides its children; None where it may have more, or other children than are known."""
    if any(m.read(module.ident, slot) is not None for slot in (HANDED, "#open")):
        return None
    if isinstance(module.cls, Ref):
        return _of_built_in(m, module, module.cls.name.rsplit(".", 1)[-1])
    bases = access.ancestors(m, module.cls) if isinstance(module.cls, Class) else [NONE]
    if any(not isinstance(base, Class) and base not in HARMLESS for base in bases):
        return None
    held = [(slot, m.see(one)) for slot, one in m.store.slots(module.ident) if slot[0] != "#"]
    if any(isinstance(one, Unknown | Choice) for _, one in held) or m.read(module.ident, "#items") is not None:
        return None
    return _parted(m, module, held)


def _parted(m: Machine, module: Obj, held: list[tuple[str, Value]]) -> Own | None:
    tensors = [(slot, one.role, m.read(module.ident, f"{BUFFER}{slot}")) for slot, one in held
               if isinstance(one, Tensor)]  # fmt: skip
    if any(role == "buffer" and persistent not in (TRUE, FALSE) for _, role, persistent in tensors):
        return None
    named = [slot for slot, role, _ in tensors if role == "parameter"]
    named += [slot for slot, role, persistent in tensors if role == "buffer" and persistent == TRUE]
    return named, [slot for slot, *_ in tensors if slot not in named]


def _of_built_in(m: Machine, module: Obj, name: str) -> Own | None:
    if name in CONTAINERS:
        held = module_parts.named_items(m, module)
        known = held is not None and all(is_module(m, one) or (isinstance(one, Tensor) and one.role) for _, one in held)
        return _parted(m, module, held) if held is not None and known else None
    if name in STATELESS:
        return [], []
    own = _OF_LAYERS.get(name, ())
    if not own or any(slot[0] != "#" and slot not in own for slot, _ in m.store.slots(module.ident)):
        return None
    for index, switch in enumerate(layers.PARAMETERS.get(name, ())):
        if switch in _SWITCHED:
            given = m.see(m.read(module.ident, f"#arg{index}") or TRUE)
            if given not in (TRUE, FALSE):
                return None
            own = tuple(one for one in own if given == TRUE or one not in _SWITCHED[switch])
    replaced = [m.read(module.ident, one) for one in own]
    return (list(own), []) if all(one is None or isinstance(m.see(one), Tensor) for one in replaced) else None
