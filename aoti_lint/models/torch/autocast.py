"""`torch.autocast` and its older spellings, as a context manager and as a decorator."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.ir import nodes
from aoti_lint.language.classes.layer_classes import plain_name
from aoti_lint.language.classes.modules import is_module
from aoti_lint.language.effects import autocasts
from aoti_lint.language.effects.autocasts import Autocast
from aoti_lint.language.flow.with_statements import context
from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.modules.modes import registered
from aoti_lint.values.call import Call
from aoti_lint.values.values import NONE, TRUE, Const, Func, Obj, Value

MANAGER = "torch.autocast()"


@function("torch.autocast", "torch.amp.autocast", "torch.amp.autocast_mode.autocast")
def _autocast(m: Machine, site: Call) -> Value:
    """`autocast(device_type, dtype=None, enabled=True, cache_enabled=None)`."""
    return _manager(m, site, site.arg(0, "device_type"), dtype=1, enabled=2)


def _older(name: str, device: str) -> None:
    """`autocast(enabled=True, dtype=…, cache_enabled=True)`, for one type of device."""

    @function(name)
    def model(m: Machine, site: Call) -> Value:
        return _manager(m, site, Const(device), dtype=1, enabled=0)


for _device in ("cuda", "cpu", "xpu"):
    for _name in ("autocast", "autocast_mode.autocast"):
        _older(f"torch.{_device}.amp.{_name}", _device)


def _manager(m: Machine, site: Call, device: Value | None, dtype: int, enabled: int) -> Value:
    made = opaque(m, MANAGER)

    def given(index: int, name: str, otherwise: Value) -> Value:
        value = site.arg(index, name)
        if value is None:
            return m.unknown(site.node, "the arguments are not all known") if site.open else otherwise
        return m.see(value)

    device = m.see(device if device is not None else m.unknown(site.node, "the device of an autocast"))
    on = Autocast(m.span(site.node), device, given(dtype, "dtype", NONE), given(enabled, "enabled", TRUE))
    m.store.write(made.ident, "#autocast", on)
    return made


@context(MANAGER)
def _inside(m: Machine, node: nodes.Node, manager: Obj, body: Callable[[Value], None]) -> None:
    held = slot(m, manager, "#autocast")
    if not isinstance(held, Autocast):
        body(manager)
        return
    with autocasts.on(m, held):
        body(manager)


@method(MANAGER, "__call__")
def _decorate(m: Machine, site: Call, receiver: Value) -> Value:
    """As a decorator: the function runs under it whenever it is called."""
    func = m.see(site.arg(0) or NONE)
    held = slot(m, receiver, "#autocast") if isinstance(receiver, Obj) else NONE
    if isinstance(func, Func) and isinstance(held, Autocast):
        m.run_inside(func, autocasts.on, held)
    return func


def castable(m: Machine, module: Value) -> bool | None:
    """Whether a model has layers in float32 that autocast computes in lower precision; None if that is not known."""
    module = m.see(module)
    if m.read("torch", "default_dtype") is not None or not is_module(m, module):
        return None
    return True if isinstance(module, Obj) and _has_layer(m, module, set()) else None


def _has_layer(m: Machine, module: Obj, seen: set[int]) -> bool:
    if module.ident in seen or m.read(module.ident, autocasts.CAST) is not None:
        return False
    seen.add(module.ident)
    if plain_name(module.cls) in autocasts.CASTABLE:
        return True
    return any(_has_layer(m, one, seen) for one in registered(m, module))
