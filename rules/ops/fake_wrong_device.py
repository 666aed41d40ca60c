"""AOTI406."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, Severity, Span
from aoti_lint.rule.values import Device, Tensor

from ._kernels import kernels
from ._trials import TRIED, called_with, device_text, differing, ends, fakes, from_factory, name_of, output

_RIGHT = "where every input is on {}, it is right"


class FakeWrongDevice(Rule):
    """The fake of a custom op says another device than the kernel's result is on.

    What happens:
        Export goes through. The compile is for the device of the fake: on a build without CUDA `AssertionError: Torch
        not compiled with CUDA enabled`; else the next operation sees tensors on two devices, or copies are made that
        nobody asked for.

    Why:
        `torch.empty` without `device` makes a tensor on the CPU, in a fake as anywhere.

    Bad:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return torch.empty(x.shape, dtype=x.dtype, device="cuda")  # <- AOTI406

    Good:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return torch.empty(x.shape, dtype=x.dtype, device=x.device)

    How to debug:
        Fake CUDA tensors work on any machine: call the fake with one under `torch._subclasses.FakeTensorMode()` and
        print `.device`.

    Sources:
        Run on torch 2.13 (CPU).
        https://docs.pytorch.org/tutorials/advanced/python_custom_ops.html
    """

    code = "AOTI406"
    name = "fake-wrong-device"
    severity = Severity.WARNING
    outcome = Outcome.RAISES_AT_COMPILE
    doubt = TRIED

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told: set[Span] = set()
        for event, trial in fakes(facts):
            only = set[str | None]() if event.under_meta else kernels(facts).known(event.op)
            for difference, span, use in differing(facts, event, trial, told, "device"):
                if isinstance(difference.fake, Device) and only == {difference.fake.type}:
                    continue  # it runs nowhere else
                said, real = device_text(difference.fake), device_text(difference.kernel)
                elsewhere = isinstance(difference.fake, Device) and not isinstance(difference.kernel, Device)
                yield self.found(
                    facts,
                    event,
                    difference.confidence,
                    f"the fake of {name_of(event)} puts {output(difference, event)} on {said}; the kernel on {real}",
                    span=span,
                    label=said,
                    related=ends(difference, event, f"the kernel: {real}", use),
                    help="make the output on the device of an argument: device=x.device, or x.new_empty(…)",
                    doubt=_RIGHT.format(said) if elsewhere else TRIED,
                    symptom="device-mismatch",
                )
            for tensor, text, span, sure in from_factory(facts, event, trial, on_meta=not event.under_meta):
                alone = _alone(tensor, text, event.under_meta)
                known = {device.type for _, device in called_with(facts, event) if isinstance(device, Device)}
                if alone is None or only == {alone} or span in told or (known == {alone} and not event.under_meta):
                    continue
                told.add(span)
                yield self.found(
                    facts,
                    event,
                    sure,
                    f"the fake of {name_of(event)} makes an output on {alone} whatever device the inputs are on",
                    span=span,
                    label=alone,
                    related=(Related(event.span, "the fake is registered here"),),
                    doubt=_RIGHT.format(alone),
                    help="make the output on the device of an argument: device=x.device, or x.new_empty(…)",
                    symptom="device-mismatch",
                )


def _alone(tensor: Tensor, text: str, under_meta: bool) -> str | None:
    """The device of an output, where it is the usual one. Whoever names one may know where the kernel puts it."""
    if not isinstance(tensor.device, Device):
        return None
    if tensor.device.type == "meta":  # no kernel puts it there
        return None if under_meta else "meta"
    return None if "device" in text else tensor.device.type
