"""`torch.nn.Module`: which classes are modules.

A module is an object. A built-in one keeps its own device in the slot `#device` (None if it has no parameters) and its
children in `#items`; one of a project class has its children, parameters and buffers among its attributes.
"""

from __future__ import annotations

from aoti_lint.language import access
from aoti_lint.machine.machine import Machine
from aoti_lint.values.values import NONE, TRUE, Class, Obj, Ref, Value

PLAIN = frozenset({"torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module"})
"""The class that all modules are of, by its names."""
LIGHTNING = frozenset(
    Ref(f"{package}.LightningModule") for package in ("lightning", "lightning.pytorch", "pytorch_lightning")
)
BASES = PLAIN | {"torch.jit.ScriptModule", "torch.fx.GraphModule"} | {one.name for one in LIGHTNING}
HARMLESS = frozenset(Ref(n) for n in BASES | {"object", "abc.ABC", "typing.Generic", "typing.Protocol"})
"""Bases that bring no parameters."""


def is_module_class(m: Machine, cls: Value | None) -> bool:
    """Whether a class is surely a `torch.nn.Module`."""
    if isinstance(cls, Ref):
        if cls.name in BASES:
            return True
        head, _, last = cls.name.rpartition(".")
        return (
            head.startswith("torch.nn")
            and not head.startswith(("torch.nn.functional", "torch.nn.utils", "torch.nn.init"))
            and (last[:1].isupper() and last not in ("Parameter", "Buffer", "UninitializedParameter"))
        )
    if isinstance(cls, Class):
        return any(is_module_class(m, base) for base in access.ancestors(m, cls) if isinstance(base, Ref))
    return False


def is_module(m: Machine, value: Value) -> bool:
    return isinstance(value, Obj) and (
        value.kind == "module" or (value.kind == "instance" and is_module_class(m, value.cls))
    )


def built_in(m: Machine, cls: Value | None) -> Ref | None:
    """The class of `torch.nn` that a class is or surely derives from; None where another base may change what it is."""
    if isinstance(cls, Ref):
        return cls
    bases = [base for base in access.ancestors(m, cls) if not isinstance(base, Class)] if isinstance(cls, Class) else []
    telling = [base for base in bases if base not in HARMLESS]
    only = telling[0] if len(telling) == 1 else None
    return only if isinstance(only, Ref) and is_module_class(m, only) else None


def start_module(m: Machine, module: Obj) -> None:
    m.store.write(module.ident, "#training", TRUE)
    m.store.write(module.ident, "#device", NONE)
