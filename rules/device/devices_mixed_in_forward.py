"""AOTI103."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Path,
    Related,
    Rule,
    Span,
    Verdict,
    catches,
    judge,
    reached,
    weaker,
)
from aoti_lint.rule.events import Mix, Operand, ScriptTrace, Tracing
from aoti_lint.rule.values import Program, Value

from ._types import known_device


class DevicesMixedInForward(Rule):
    """An operation in the forward of an exported model takes tensors on two devices.

    What happens:
        The export raises, and on a machine without a GPU as well. torch 2.13: `FakeTensorDeviceMismatchError: Expected
        all tensors to be on the same device, but found at least two devices, cpu and cuda:0!`; with `strict=True`:
        `TorchRuntimeError: Tensor device mismatch`. torch 2.11 with a CUDA input: `Unhandled FakeTensor Device
        Propagation for aten.add.Tensor, found two different devices cuda:0, cpu`. So does `torch.onnx.export` of torch
        2.9 and later, with a `TorchExportError`; and with `dynamo=False`, which runs the forward, with `RuntimeError:
        Expected all tensors to be on the same device`.

    Why:
        A tensor made in `forward` is on the CPU unless `device=` says otherwise, and a device written there is right
        for one kind of input only. A tensor kept as a plain attribute stays where it was made: `model.to(…)` moves
        parameters, buffers and submodules. A CPU tensor without dimensions goes with tensors on any device, and a CPU
        index may index tensors on any device.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x + torch.ones(8, device="cuda")  # <- AOTI103

        torch.export.export(Net(), (torch.randn(4, 8),))

    Bad:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.scale = torch.ones(8)

            def forward(self, x):
                return x * self.scale  # <- AOTI103

        torch.export.export(Net().to("cuda"), (torch.randn(4, 8, device="cuda"),))

    Good:
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("scale", torch.ones(8))

            def forward(self, x):
                return x * self.scale + torch.ones(8, device=x.device)

        torch.export.export(Net().to("cuda"), (torch.randn(4, 8, device="cuda"),))

    How to debug:
        The last line of your own code in the traceback is the operation. Print `.device` of each of its operands.

    Sources:
        `torch.onnx.export(…, dynamo=True)` raises `TorchExportError` (run on torch 2.13 with onnxscript 0.7.2).
        Run on torch 2.13 for about sixty operations (a convolution is the one that exports), and on torch 2.11 with an
        NVIDIA H200 (recorded for this project's tests).
        https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html#torch.nn.Module.register_buffer
    """

    code = "AOTI103"
    name = "devices-mixed-in-forward"
    onnx = True
    outcome = Outcome.RAISES_AT_EXPORT
    doubt = "whether the code comes here with these two devices is not known"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told: set[Span] = set()
        for event in (*self.exports(facts), *facts.of(ScriptTrace)):
            # A draft export goes on where it can.
            if isinstance(event.program, Program) and event.program.is_draft:
                continue
            for mix in event.mixes:
                if catches(mix.caught, "RuntimeError"):
                    continue
                verdict = _judge(mix, event.path)
                if verdict is not None and mix.span not in told:
                    told.add(mix.span)
                    yield self._report(facts, event, mix, *verdict)
                if verdict is not None and verdict[0] is Confidence.CERTAIN:
                    break

    def _report(
        self,
        facts: Facts,
        event: Tracing,
        mix: Mix,
        sure: Confidence | Verdict,
        pair: list[Operand],
        at: list[Value],
    ) -> Diagnostic:
        places = [str(known_device(one)) for one in at]
        related = [Related(o.span, f"on {p} here") for o, p in zip(pair, places, strict=True) if o.span is not None]
        return self.found(
            facts,
            event,
            sure,
            f"{_called(pair[0])} on {places[0]} meets {_called(pair[1])} on {places[1]}: the export raises",
            span=mix.span,
            label="both are used here",
            related=tuple(r for r in (*related, Related(event.span, "exported here")) if r.span != mix.span),
            help=_help(pair),
            symptom="device-mismatch",
        )


def _judge(mix: Mix, before: Path) -> tuple[Confidence | Verdict, list[Operand], list[Value]] | None:
    """The first two operands that may be on different devices, how sure that is, and a case of it."""
    sure = reached(mix.path, before)
    if sure is None:
        return None
    best: tuple[Verdict, list[Operand]] | None = None
    for pair in combinations(mix.operands, 2):
        verdict = judge([one.device for one in pair], mix.path, _apart)
        if verdict is not None and (best is None or weaker(best[0][0], verdict[0]) != verdict[0]):
            best = (verdict, list(pair))
    return None if best is None else (weaker(sure, best[0]), best[1], best[0][1])


def _apart(values: list[Value]) -> bool | None:
    """Whether tensors on these devices surely cannot meet."""
    first, second = (known_device(v) for v in values)
    if first is None or second is None:
        return None if values[0] != values[1] else False
    if first.type != second.type:
        return True
    # Without an index it is the current device, whichever that is.
    return first.index != second.index if None not in (first.index, second.index) else False


def _called(operand: Operand) -> str:
    if operand.attribute:
        return f"self.{operand.attribute}"
    return "a layer" if operand.role == "layer" else "a tensor"


def _help(pair: list[Operand]) -> str:
    plain = next((o for o in pair if o.attribute and not o.role), None)
    if plain is not None:
        return f'self.register_buffer("{plain.attribute}", …): a plain attribute does not move with the module'
    if any(o.role for o in pair):
        return "put the model and its example inputs on one device before the export"
    return "make the tensor where the other one is: device=x.device, with x the input"
