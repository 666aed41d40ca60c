"""`torch.no_grad()` and its like, and the tensors that want a gradient."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

from aoti_lint.ir import nodes
from aoti_lint.language import calls
from aoti_lint.language.effects import gradients, inference
from aoti_lint.language.flow.with_statements import context
from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.values.call import Call
from aoti_lint.values.values import FALSE, NONE, TRUE, Class, Const, Func, Obj, Partial, Ref, Sym, Unknown, Value

MANAGER = "torch.no_grad()"
_OFF = "#called without autograd"
INFERENCE = "#inference"
"""The slot of a manager that holds whether it turns inference mode on; not there if it leaves it as it is."""


@function("torch.no_grad", "torch.autograd.no_grad", "torch.autograd.grad_mode.no_grad")
def _no_grad(m: Machine, site: Call) -> Value:
    return _manager(m, site, FALSE)


@function("torch.enable_grad", "torch.autograd.enable_grad", "torch.autograd.grad_mode.enable_grad")
def _enable_grad(m: Machine, site: Call) -> Value:
    return _manager(m, site, TRUE)


@function("torch.inference_mode", "torch.autograd.inference_mode", "torch.autograd.grad_mode.inference_mode")
def _inference_mode(m: Machine, site: Call) -> Value:
    mode = m.see(site.arg(0, "mode") or TRUE)
    if not isinstance(mode, Const | Sym | Unknown):
        return _without(m, mode, inferring=True)
    made = _manager(m, Call(site.node, []), FALSE if mode == TRUE else TRUE)
    if isinstance(made, Obj):
        m.store.write(made.ident, INFERENCE, mode)
    return made


@function("torch.set_grad_enabled", "torch.autograd.set_grad_enabled")
def _set_grad_enabled(m: Machine, site: Call) -> Value:
    """Holds from the call on, and as a context until its end."""
    on = m.see(site.arg(0, "mode") or TRUE)
    made = _manager(m, Call(site.node, []), on if isinstance(on, Const) else TRUE)
    if isinstance(made, Obj):
        m.store.write(made.ident, "#before", gradients.switch(m, slot(m, made, "#on")))
    return made


def _manager(m: Machine, site: Call, on: Value) -> Value:
    func = m.see(site.arg(0, "orig_func") or NONE)
    if func != NONE:
        return _without(m, func) if on == FALSE else func
    made = opaque(m, MANAGER)
    m.store.write(made.ident, "#on", on)
    return made


def _without(m: Machine, func: Value, inferring: bool = False) -> Value:
    """The function, which runs without autograd from now on, perhaps in inference mode.

    What is no function that is written out is called by another one, and keeps autograd where it is called itself.
    """
    if isinstance(func, Class):
        return func
    if not isinstance(func, Func):
        return Partial(Ref(_OFF), (func, TRUE if inferring else FALSE), ())
    m.run_inside(func, gradients.off)
    if inferring:
        m.run_inside(func, inference.switched, TRUE)
    return func


@function(_OFF)
def _called_without(m: Machine, site: Call) -> Value:
    func, inferring, *given = site.args
    with ExitStack() as stack:
        stack.enter_context(gradients.off(m))
        if inferring == TRUE:
            stack.enter_context(inference.switched(m, TRUE))
        return calls.call(m, replace(site, args=given, arg_nodes=site.arg_nodes), func)


@context(MANAGER)
def _inside(m: Machine, node: nodes.Node, manager: Obj, body: Callable[[Value], None]) -> None:
    with ExitStack() as stack:
        stack.enter_context(gradients.off(m, slot(m, manager, "#on")))
        mode = m.read(manager.ident, INFERENCE)
        if mode is not None:
            stack.enter_context(inference.switched(m, mode))
        body(NONE)
    before = m.read(manager.ident, "#before")
    if before is not None:
        gradients.switch(m, before)


@method(MANAGER, "__call__")
def _decorate(m: Machine, site: Call, receiver: Value) -> Value:
    func = m.see(site.arg(0) or NONE)
    if isinstance(receiver, Obj) and slot(m, receiver, "#on") == FALSE:
        return _without(m, func, inferring=m.read(receiver.ident, INFERENCE) == TRUE)
    return func
