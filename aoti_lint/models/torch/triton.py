"""Triton kernels: `@triton.jit` makes one, `kernel[grid](...)` launches it."""

from __future__ import annotations

from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.values.call import Call
from aoti_lint.values.values import NONE, Const, Func, Obj, Ref, Value

KERNEL = "triton.JITFunction()"
LAUNCH = "triton.JITFunction()[]"
TUNED = "triton.autotune()"


@function("triton.jit", "triton.runtime.jit.jit")
def _jit(m: Machine, site: Call) -> Value:
    func = m.see(site.arg(0, "fn") or NONE)
    if not isinstance(func, Func):
        return Ref("triton.jit")
    made = opaque(m, KERNEL)
    m.store.write(made.ident, "#name", Const(func.name))
    return made


@function("triton.autotune", "triton.heuristics")
def _autotune(m: Machine, site: Call) -> Value:
    return Ref(TUNED)


@function(TUNED)
def _tuned(m: Machine, site: Call) -> Value:
    """The kernel, which chooses its parameters itself."""
    return site.arg(0, "fn") or NONE


@method(KERNEL, "__getitem__")
def _on_grid(m: Machine, site: Call, receiver: Value) -> Value:
    made = opaque(m, LAUNCH)
    m.store.write(made.ident, "#name", slot(m, receiver, "#name") if isinstance(receiver, Obj) else NONE)
    return made


@method(LAUNCH, "__call__")
@method(KERNEL, "run")
def _launch(m: Machine, site: Call, receiver: Value) -> Value:
    name = slot(m, receiver, "#name") if isinstance(receiver, Obj) else NONE
    if isinstance(name, Const):
        m.note_kernel(site.node, str(name.value))
    return NONE
