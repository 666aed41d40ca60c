"""AOTI213."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, Span, catches, judge, weaker
from aoti_lint.rule.events import ApiCall, DeviceUse, OpImpl
from aoti_lint.rule.torch import DEVICE_TYPES, api
from aoti_lint.rule.values import Const, Device, Func, Value

from ..package._imports import mentioned
from ._calls import calls

_LOADS = re.compile(r"cpu|(cuda|xpu|mps)(:.*)?", re.DOTALL)
"""What `aot_load` accepts (release 2.13.0, `_export/__init__.py`)."""
_KNOWN = sorted(DEVICE_TYPES)
_MISSPELT = re.compile(rf"\s*(?:{'|'.join(_KNOWN)})[\s:_-]*\d*\s*", re.IGNORECASE)
_RIGHT = re.compile(rf"(?:{'|'.join(_KNOWN)})(:(0|[1-9]\d*))?")
_NO_TYPES = ("gpu", "gpus", "nvidia", "rocm", "amd")
"""Words for devices that are not torch's."""
_ADDING = ("rename_privateuse1_backend", "register_package")
"""Functions by which a project adds a device, or a place that `torch.load` can restore to."""
_KEYS = {
    name.lower(): name
    for name in (
        "CPU", "CUDA", "XPU", "MPS", "HPU", "MTIA", "XLA", "Meta", "Autograd", "AutogradCPU", "AutogradCUDA",
        "CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional",
    )
}  # fmt: skip
"""Dispatch keys by their letters; torch knows each in one spelling."""
_TAKES = {
    "torch.device": (0, ("device", "type")),
    "torch.set_default_device": (0, ("device",)),
    "torch.Generator": (0, ("device",)),
    "torch.autocast": (0, ("device_type",)),
    "torch.amp.autocast": (0, ("device_type",)),
    "torch.amp.autocast_mode.autocast": (0, ("device_type",)),
    "torch.load": (1, ("map_location",)),
    "torch.jit.load": (1, ("map_location",)),
}
"""Functions that take a device: its position and names."""


class UnknownDevice(Rule):
    """A device or dispatch key is named that torch does not know.

    What happens:
        `torch._export.aot_load(so, "gpu")` raises `RuntimeError: Unsupported device gpu`, and given a `torch.device` it
        raises `AttributeError: 'torch.device' object has no attribute 'startswith'`. `torch.device("gpu")` raises
        `RuntimeError: Expected one of cpu, cuda, … device type at start of device string: gpu`, and
        `torch.device("cuda0")` raises `RuntimeError: Invalid device string: 'cuda0'`. So do `.to("gpu")` of tensors and
        modules, `device="gpu"` of what makes them, `torch.set_default_device`, `torch.Generator` and `torch.autocast`.
        `torch.load(…, map_location="gpu")` raises `RuntimeError: don't know how to restore data location of
        torch.storage.UntypedStorage (tagged with gpu)`. `library.impl("op", kernel, "cuda")` raises `RuntimeError:
        could not parse dispatch key: cuda`. `torch.library.impl("mylib::op", kernel, "cpu")` raises `TypeError:
        'function' object is not iterable`: the devices stand before the kernel.

    Why:
        Torch names types of devices, in lower case: `cuda` for NVIDIA and AMD, `xpu` for Intel, `mps` for Apple. An
        index comes behind a colon. `aot_load` accepts `cpu`, `cuda`, `xpu` and `mps` only, as text.
        A dispatch key, which `Library.impl` takes, is written otherwise: `CUDA`, `Meta`.

    Bad:
        import torch

        torch.export.export(torch.nn.Linear(2, 2), (torch.randn(1, 2, device=torch.device("gpu")),))  # <- AOTI213

    Good:
        import torch

        torch.export.export(torch.nn.Linear(2, 2), (torch.randn(1, 2, device=torch.device("cpu")),))

    How to debug:
        `torch.accelerator.current_accelerator()` (since torch 2.6) says what the devices of this machine are called.

    Sources:
        `torch/_export/__init__.py`, `aot_load`, of the releases 2.4.1 (without xpu and mps) and 2.13.0; run on torch
        2.13. A backend of another package may have any name, so a plain word is never certain.
        https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.device
    """

    code = "AOTI213"
    name = "unknown-device"
    doubt = "a backend that was not seen may add a device of this name"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in calls(facts, "torch._export.aot_load", raising=("RuntimeError", "AttributeError")):
            given = event.arg(1, "device")
            verdict = None if given is None else judge([given], event.path, partial(_is_refused, event))
            if verdict is not None:
                place = event.place(1, "device")
                yield self._diagnostic(facts, event, verdict[0], verdict[1][0], place)
        uses: list[ApiCall | DeviceUse] = [*facts.of(DeviceUse), *calls(facts, *_TAKES)]
        for use in uses:
            given, place = (use.device, use.place) if isinstance(use, DeviceUse) else _given(use)
            if given is None or catches(use.caught | use.expected, "RuntimeError"):
                continue
            verdict = judge([given], use.path, _is_unknown)
            if verdict is None or not isinstance(value := verdict[1][0], Const):
                continue
            word = str(value.value).partition(":")[0].strip().lower() in _NO_TYPES
            if not (word and mentioned(facts, use, *_ADDING)):
                sure = weaker(verdict[0], Confidence.LIKELY) if word else verdict[0]
                yield self._diagnostic(facts, use, sure, value, place)
        yield from self._keys(facts)

    def _keys(self, facts: Facts) -> Iterator[Diagnostic]:
        """`Library.impl` takes dispatch keys, where other functions that register kernels take devices."""
        for event in facts.of(OpImpl):
            refused = event.api == "torch.library.impl" and any(isinstance(key, Func) for key in event.keys)
            if refused and not catches(event.caught | event.expected, "TypeError"):
                yield self.found(
                    facts,
                    event,
                    Confidence.CERTAIN,
                    "a function stands where the devices of the kernel are asked for: it raises",
                    label="registered here",
                    help='give the devices before the kernel: (name, "cpu", kernel)',
                )
            if event.api != "torch.library.Library.impl":
                continue
            if isinstance(event.function, Const) and not catches(event.caught | event.expected, "TypeError"):
                yield self.found(
                    facts,
                    event,
                    Confidence.CERTAIN,
                    f"{event.function.value!r} stands where the kernel is asked for: it raises",
                    label="registered here",
                    help='give the kernel before the key: (name, kernel, "CPU")',
                )
            if catches(event.caught | event.expected, "RuntimeError"):
                continue
            for key in event.keys:
                text = key.value if isinstance(key, Const) and isinstance(key.value, str) else ""
                right = _KEYS.get(text.lower(), text)
                if right != text:
                    message = f"torch knows no dispatch key {text!r}: it raises"
                    yield self.found(facts, event, Confidence.CERTAIN, message, help=f'write "{right}"')

    def _diagnostic(
        self, facts: Facts, event: ApiCall | DeviceUse, confidence: Confidence, value: Value, place: Span
    ) -> Diagnostic:
        loading = isinstance(event, ApiCall) and event.name.endswith("aot_load")
        text = str(value.value) if isinstance(value, Const) else ""
        if text:
            message = f"{'aot_load' if loading else 'torch'} knows no device {text!r}: it raises"
        else:
            message = "aot_load takes the device as text and is given a torch.device: it raises"
        return self.found(
            facts,
            event,
            confidence,
            message,
            span=place,
            outcome=Outcome.RAISES_AT_LOAD if loading else Outcome.RAISES,
            label="no device" if text else "a torch.device",
            help=_help(text) if text else "make it text: str(device)",
        )


def _given(event: ApiCall) -> tuple[Value | None, Span]:
    """The device a call is given, and where it stands."""
    index, names = _TAKES[api.canonical(event.name)]
    name = next((name for name in names if name in event.kwargs), names[0])
    return event.arg(index, name), event.place(index, name)


def _is_refused(event: ApiCall, values: list[Value]) -> bool | None:
    value = values[0]
    if isinstance(value, Const) and isinstance(value.value, str):
        return _LOADS.fullmatch(value.value) is None
    return isinstance(value, Device)


def _is_unknown(values: list[Value]) -> bool | None:
    value = values[0]
    if not isinstance(value, Const) or not isinstance(value.value, str):
        return None
    text = value.value
    if text.partition(":")[0].strip().lower() in _NO_TYPES:
        return True
    return _MISSPELT.fullmatch(text) is not None and _RIGHT.fullmatch(text) is None


def _help(text: str) -> str:
    name, index = re.fullmatch(r"\s*([A-Za-z]*)[\s:_-]*(\d*).*", text, re.DOTALL).groups()  # type: ignore[union-attr]
    kind = name.lower() if name.lower() in DEVICE_TYPES else "cuda"
    return f'write "{kind}:{int(index)}"' if index else f'write "{kind}"'
