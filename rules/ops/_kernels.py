"""The kernels of custom ops, as the registrations of a project say them."""

from __future__ import annotations

from functools import partial

from aoti_lint.rule import Facts, Span
from aoti_lint.rule.events import OpDefinition, OpImpl
from aoti_lint.rule.ops import base_name, op_key
from aoti_lint.rule.values import NONE, Const, Value

from ..package._imports import may_meet
from ._schemas import Definitions, name_of

DEVICES = {"cpu": "cpu", "cuda": "cuda", "xpu": "xpu", "mps": "mps", "hpu": "hpu"}
"""Device types by their names and by the lower-case dispatch key."""
NO_KERNEL = frozenset({"Meta", "meta", "Tracer", "ADInplaceOrView", "AutocastCPU", "AutocastCUDA", "Autocast"})
"""Dispatch keys that run on no device."""


class Kernels:
    """The devices for which the ops of a project have kernels, as far as all registrations were followed.

    Scripts beside each other often define one op, each for itself: what those hold that no process runs with a call
    does not count.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._definitions = Definitions(facts)
        self._keys: dict[str, list[tuple[str, tuple[Value, ...]]]] = {}
        """By ops: the file of each registration, and the keys; one that nobody knows stands for all devices."""
        self._open = {op_key(e.op) for e in facts.of(OpDefinition) if name_of(e) is None}
        for definition in facts.of(OpDefinition):
            name = name_of(definition)
            if name is not None:
                everywhere = "triton_op" in definition.api or definition.api == "direct_register_custom_op"
                keys = (NONE,) if everywhere else definition.devices or ()
                self._keys.setdefault(base_name(name), []).append((definition.span.path, keys))
        for impl in facts.of(OpImpl):
            if not impl.is_fake:
                self._keys.setdefault(op_key(impl.op), []).append((impl.span.path, impl.keys))
        self._open |= {op for op in self._keys if "?" in op}

    def closed(self, op: str, path: str) -> bool:
        """Whether all registrations for an op are known, and it is defined once, in Python."""
        found = self._definitions.near(op, path)
        namespace, _, short = base_name(op).partition("::")
        return (
            bool(found)
            and all(one.span.path.endswith(".py") for one in found)
            and not {f"{namespace}::?", f"?::{short}", "?"} & self._open
            and not self._facts.narrowed
            and len(self._defining(op) - self._apart(op, path)) == 1
        )

    def devices(self, op: str, path: str) -> set[str] | None:
        """The device types with a kernel: None where it may run on every one, none where no kernel was seen."""
        apart, have = self._apart(op, path), set[str]()
        for key in (key for file, keys in self._keys.get(base_name(op), ()) if file not in apart for key in keys):
            device = _device_of(key)
            if isinstance(key, Const) and key.value in NO_KERNEL:
                continue
            if device is None:
                return None
            have.add(device)
        return have

    def known(self, op: str) -> set[str | None]:
        """The device types, None for any, of all that may be registered for an op, whatever defines its namespace."""
        short = base_name(op).partition("::")[2]
        names = (base_name(op), f"?::{short}")
        keys = {key for name in names for _, those in self._keys.get(name, ()) for key in those}
        return {_device_of(key) for key in keys if not (isinstance(key, Const) and key.value in NO_KERNEL)}

    def _defining(self, op: str) -> set[str]:
        return {one.span.path for one in self._definitions.of_op.get(op, ())}

    def _apart(self, op: str, path: str) -> set[str]:
        """The files that define an op for themselves, of which no process runs one together with `path`."""
        defining = self._defining(op)
        return {one for one in defining if not may_meet(self._facts, one, path)} if len(defining) > 1 else set()

    def place(self, op: str, path: str) -> Span | None:
        return next((one.span for one in self._definitions.near(op, path)), None)


def kernels(facts: Facts) -> Kernels:
    """The same for all rules, which each ask for them."""
    return facts.once("kernels", partial(Kernels, facts))


def _device_of(key: Value) -> str | None:
    text = key.value if isinstance(key, Const) and isinstance(key.value, str) else None
    return None if text is None else DEVICES.get(text.lower().removeprefix("autograd"))
