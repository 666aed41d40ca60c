"""What is inside a module: its children, parameters and buffers, and where these live."""

from __future__ import annotations

from aoti_lint.language import access
from aoti_lint.language.classes.modules import HARMLESS, is_module
from aoti_lint.machine.machine import Machine
from aoti_lint.models.modules.layers import layers
from aoti_lint.models.torch import devices
from aoti_lint.values.identity import ident
from aoti_lint.values.torch_values import Device, Tensor
from aoti_lint.values.values import NONE, Choice, Class, Const, Many, Obj, Ref, Sym, Tup, Unknown, Value

KEYS = "#keys"
"""The slot of a container that was made of a dict: its keys, which name what it holds."""
ALONG = "moved along"
"""The table of the devices to which modules went that hold something unknown: there it is, if it is a module."""


def parts(m: Machine, module: Obj) -> list[Value]:
    """Children, parameters and buffers of a module."""
    found: list[Value] = []
    for slot, value in m.store.slots(module.ident):
        value = m.see(value)
        if slot == "#items" or slot.startswith("#given"):
            held = value.items if isinstance(value, Tup) else [value.element] if isinstance(value, Many) else [value]
            found += [m.see(h) for h in held]
        elif not slot.startswith("#") and (is_module(m, value) or (isinstance(value, Tensor) and value.role)):
            found.append(value)
    return found


def moved(m: Machine, value: Unknown | Sym) -> Value | None:
    """Where something unknown was moved, by itself or with a module that holds it; None where it was not."""
    return m.read("moved", value.key) or m.read(ALONG, value.key)


def device_of(m: Machine, value: Value, seen: frozenset[int] = frozenset()) -> Value | None:
    """Where the parameters of a module, or a tensor, live. None: it has none. Unknown where any part is."""
    value = m.see(value)
    if isinstance(value, Tensor):
        return m.see(value.device)
    if isinstance(value, Unknown | Sym):
        return moved(m, value) or Unknown(f"device:{value.key}", f"the device of {access.describe(value)}")
    if not isinstance(value, Obj):
        return Unknown(f"device:{ident(value)}", "the device of something we do not follow")
    if value.ident in seen:
        return None
    found: list[Value] = []
    own = m.read(value.ident, "#device")
    if own is not None and own != NONE:
        found.append(own)
    for part in parts(m, value):
        inner = device_of(m, part, seen | {value.ident})
        if inner is not None:
            found.append(inner)
    # An attribute we know nothing of may be a module: what we do know speaks for it, unless we know nothing at all.
    hidden = [m.see(v) for slot, v in m.store.slots(value.ident) if not slot.startswith("#")]
    for one in hidden:
        if isinstance(one, Unknown):
            place = moved(m, one)
            if place is not None:
                found.append(place)
    if not found and (any(isinstance(one, Unknown) for one in hidden) or _has_hidden_base(m, value.cls)):
        return Unknown(f"device:{ident(value)}", "a part of the module is not known")
    return devices.join_devices(found) if found else None


def _has_hidden_base(m: Machine, cls: Value | None) -> bool:
    """Whether a base outside the project, other than `torch.nn.Module`, may bring parameters."""
    if not isinstance(cls, Class):
        return False
    return any(not isinstance(b, Class) and b not in HARMLESS for b in access.ancestors(m, cls))


def has_parameters(m: Machine, module: Obj, seen: set[int]) -> bool:
    if module.ident in seen:
        return False
    seen.add(module.ident)
    if isinstance(module.cls, Ref) and module.cls.name.rsplit(".", 1)[-1] in layers.WEIGHED.union(layers.CONVOLUTIONS):
        return isinstance(m.read(module.ident, "#device"), Device | Choice)
    return any(
        part.role == "parameter"
        if isinstance(part, Tensor)
        else isinstance(part, Obj) and has_parameters(m, part, seen)
        for part in parts(m, module)
    )


def has_weights(m: Machine, module: Obj) -> bool:
    """Whether a module surely has parameters or buffers."""
    own = any(isinstance(part, Tensor) for part in parts(m, module))
    return own or has_parameters(m, module, set())


def held(m: Machine, model: Value) -> frozenset[str] | None:
    """What a module surely has of `parameter` and `buffer`; None where it is not known whether it has any."""
    if not isinstance(model, Obj) or not is_module(m, model):
        return None
    found = {part.role for part in parts(m, model) if isinstance(part, Tensor)}
    found |= {"parameter"} if has_parameters(m, model, set()) else set()
    return None if not found and device_of(m, model) is not None else frozenset(found)


def children(m: Machine, module: Value) -> list[Value] | None:
    """The children of a module; None if there may be others."""
    if not isinstance(module, Obj) or any(
        isinstance(m.see(v), Unknown) for slot, v in m.store.slots(module.ident) if slot == "#items" or slot[0] != "#"
    ):
        return None
    return [p for p in parts(m, module) if is_module(m, p)]


def named_children(m: Machine, module: Obj) -> list[tuple[str, Obj]]:
    """The children of a module that are known, by their names."""
    held = named_items(m, module) or []
    held += [(slot, m.see(value)) for slot, value in m.store.slots(module.ident) if slot[:1] != "#"]
    return [(name, one) for name, one in held if isinstance(one, Obj) and is_module(m, one)]


def named_items(m: Machine, module: Obj) -> list[tuple[str, Value]] | None:
    """What a container holds, by the keys that it was given, or by places; None where not all of it is known."""
    items, keys = m.read(module.ident, "#items"), m.read(module.ident, KEYS)
    if not isinstance(items, Tup):
        return None
    names = [str(index) for index in range(len(items.items))]
    if isinstance(keys, Tup):
        names = [key.value for key in keys.items if isinstance(key, Const) and isinstance(key.value, str)]
    return list(zip(names, map(m.see, items.items), strict=True)) if len(names) == len(items.items) else None


def descendants(m: Machine, module: Value, depth: int = 0) -> list[Value] | None:
    """A module and all modules inside it, in order; None if there may be others."""
    inside = children(m, module)
    if inside is None or depth > 20:
        return None
    found = [module]
    for one in inside:
        deeper = descendants(m, one, depth + 1)
        if deeper is None:
            return None
        found += deeper
    return found
