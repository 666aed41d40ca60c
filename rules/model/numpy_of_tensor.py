"""AOTI726."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, catches, judge, weaker
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.values import FALSE, NONE, Device, Tensor, Value

NUMPY = "torch.Tensor.numpy()"
OF_GRADIENT = "torch.Tensor.numpy() of what wants a gradient"
WITHOUT = ("torch.bfloat16", "torch.float8", "torch.complex32")
"""How the dtypes begin that numpy does not have."""


class NumpyOfTensor(Rule):
    """A tensor becomes an array that cannot: it has a gradient, is on an accelerator, or of a dtype numpy lacks.

    What happens:
        `.numpy()` and `numpy.asarray` raise: `RuntimeError: Can't call numpy() on Tensor that requires grad. Use
        tensor.detach().numpy() instead.`, `TypeError: Got unsupported ScalarType BFloat16`, or `TypeError: can't
        convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.`

    Why:
        What the module of a program gives, or a compiled model, wants a gradient as what the model gives does, unless
        it was called with autograd off: that the export was traced under `torch.no_grad()` makes no difference. A
        package gives tensors without. Numpy has no bfloat16.

    Bad:
        import torch

        model = torch.nn.Linear(4, 2).eval()
        with torch.no_grad():
            program = torch.export.export(model, (torch.randn(1, 4),))
        print(program.module()(torch.randn(1, 4)).numpy())  # <- AOTI726

    Bad:
        import torch

        model, x = torch.nn.Linear(4, 2).eval().bfloat16(), torch.randn(1, 4, dtype=torch.bfloat16)
        predict = torch.export.export(model, (x,)).module()
        with torch.inference_mode():
            out = predict(x)
        print(out.numpy())  # <- AOTI726

    Good:
        import torch

        model = torch.nn.Linear(4, 2).eval()
        program = torch.export.export(model, (torch.randn(1, 4),))
        with torch.inference_mode():
            out = program.module()(torch.randn(1, 4))
        print(out.numpy())

    How to debug:
        `print(out.requires_grad, out.dtype, out.device)` before it.

    Sources:
        Run on torch 2.13: modules of programs, compiled models and packages, with autograd on and off.
        https://docs.pytorch.org/docs/stable/generated/torch.Tensor.numpy.html
    """

    code = "AOTI726"
    name = "numpy-of-tensor"
    outcome = Outcome.RAISES
    doubt = "who calls this may have turned autograd off"

    def on_api_call(self, facts: Facts, event: ApiCall) -> Iterator[Diagnostic]:
        if event.name not in (NUMPY, OF_GRADIENT) or catches(
            event.caught | event.expected, "TypeError", "RuntimeError"
        ):
            return
        tensor = event.receiver
        assert isinstance(tensor, Tensor)
        forced = event.kwargs.get("force", FALSE) != FALSE
        dtype = tensor.dtype or ""
        placed = None if forced else judge([tensor.device], event.path, _is_elsewhere)
        if dtype.startswith(WITHOUT):
            said, sure = f"it is of {dtype}, which numpy does not have", Confidence.CERTAIN
            advice = "make it another dtype before: .float()"
        elif placed is not None:
            said, sure = f"it is on {placed[1][0]}", placed[0]
            advice = "bring it to the CPU before: .cpu()"
        elif event.name == OF_GRADIENT:
            # Other code that calls a function may do so with autograd off.
            said, sure = "it wants a gradient", Confidence.POSSIBLE if "::" in event.root else Confidence.CERTAIN
            advice = "call the model under torch.inference_mode(), or detach the result: .detach()"
        else:
            return
        if any(condition.kind == "unknown" for condition in event.path):
            sure = weaker(sure, Confidence.POSSIBLE)
        yield self.found(
            facts,
            event,
            sure,
            f"this tensor cannot become an array: {said}, and the call raises",
            label="a tensor becomes an array here",
            help=advice,
        )


def _is_elsewhere(values: list[Value]) -> bool | None:
    (device,) = values
    return device.type != "cpu" if isinstance(device, Device) else None if device != NONE else False
