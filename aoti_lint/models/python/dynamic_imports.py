"""Modules imported by a name that is put together while the script runs, and those a script puts there itself."""

from __future__ import annotations

from aoti_lint.language import imports
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function
from aoti_lint.values.call import Call
from aoti_lint.values.choices import choose
from aoti_lint.values.values import NONE, Const, Value


@function("importlib.import_module")
def _import_module(m: Machine, call: Call) -> Value:
    """`import_module(name)`; a name that begins with dots is relative to `package`, which we take for this one."""

    def apply(name: Value) -> Value:
        if not isinstance(name, Const) or not isinstance(name.value, str) or not name.value.strip("."):
            return m.unknown(call.node, "a module of an unknown name")
        dotted = name.value.lstrip(".")
        level = len(name.value) - len(dotted)
        if level and call.arg(1, "package") is None:
            return m.unknown(call.node, "a module relative to nothing")
        return imports.import_module(m, call.node, dotted, level)

    return lift(m, call.arg(0, "name") or NONE, apply)


@function("__import__")
def _import(m: Machine, call: Call) -> Value:
    """The top-level package of what is imported."""
    name = m.see(call.arg(0, "name") or NONE)
    if not isinstance(name, Const) or not isinstance(name.value, str) or "." in name.value or len(call.args) > 3:
        return m.unknown(call.node, "a module of an unknown name")
    return imports.import_module(m, call.node, name.value)


@function("importlib.util.find_spec")
def _find_spec(m: Machine, call: Call) -> Value:
    """None where torch has no such module; whether anything else is installed, nobody knows."""
    name = m.see(call.arg(0, "name") or NONE)
    text = name.value if isinstance(name, Const) and isinstance(name.value, str) else ""
    there = imports.presence(text) if text.startswith("torch.") else None
    found = m.unknown(call.node, "whether a module is installed")
    if there is None:
        return found
    answer = m.version_cond(there, f"torch has {text}")
    return (found if answer else NONE) if isinstance(answer, bool) else choose(answer, found, NONE)


@function("sys.modules.__setitem__", "sys.modules.setdefault")
def _put(m: Machine, call: Call) -> Value:
    """`sys.modules[name] = module`: what stands in for a module is found by imports, and where it is an attribute."""
    name, module = m.see(call.arg(0, "key") or NONE), call.arg(1, "default") or NONE
    if isinstance(name, Const) and isinstance(name.value, str):
        m.store.write("external", name.value, module)
    return module
