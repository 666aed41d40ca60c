"""AOTI108."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Span, Verdict, catches, judge, weaker
from aoti_lint.rule.events import EnvWrite, GpuUse
from aoti_lint.rule.torch import VISIBLE_GPUS, visible_count
from aoti_lint.rule.values import Const, Value

from ._types import known_device

FROM_ZERO = "the GPUs that are left are numbered from 0: use cuda:0"


class HiddenGpu(Rule):
    """A script uses a GPU that it has hidden from itself with `CUDA_VISIBLE_DEVICES`.

    What happens:
        With no GPU left (`""` or `"-1"`) the first use of CUDA raises `RuntimeError: No CUDA GPUs are available`. With
        some left, a higher index raises `CUDA error: invalid device ordinal`.

    Why:
        The GPUs that are left are numbered anew, from 0: with `CUDA_VISIBLE_DEVICES=1` the second GPU of the machine is
        `cuda:0`, and there is no `cuda:1`. The variable is read when the process first uses CUDA.

    Bad:
        import os
        import torch

        os.environ["CUDA_VISIBLE_DEVICES"] = "1"

        net = torch.nn.Linear(8, 4).to("cuda:1")  # <- AOTI108
        x = torch.randn(2, 8, device="cuda:1")
        program = torch.export.export(net, (x,))

    Good:
        import os
        import torch

        os.environ["CUDA_VISIBLE_DEVICES"] = "1"

        net = torch.nn.Linear(8, 4).to("cuda")
        x = torch.randn(2, 8, device="cuda")
        program = torch.export.export(net, (x,))

    How to debug:
        `python -c "import torch; print(torch.cuda.device_count())"` with the variable set as the script sets it.

    Sources:
        CUDA C++ Programming Guide, CUDA Environment Variables. The messages are those of torch 2.13
        (`torch/cuda/__init__.py`, `c10/cuda/CUDAFunctions.cpp`). Code that nobody sees may have used CUDA before the
        variable was written, so it is never certain.
        https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#cuda-environment-variables
    """

    code = "AOTI108"
    name = "hidden-gpu"
    outcome = Outcome.RAISES
    doubt = "code that was not seen may have used a GPU before the variable was set"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told: set[tuple[str, Span | None]] = set()
        for event in facts.of(GpuUse):
            verdict = judge([event.visible, event.device], event.path, _is_hidden)
            if verdict is None or catches(event.caught | event.expected, "RuntimeError"):
                continue
            write = _written(facts, event)
            place = (event.root, write.span if write is not None else None)
            if place in told:
                continue
            told.add(place)
            yield self._report(facts, event, weaker(verdict, Confidence.LIKELY), verdict[1], write)

    def _report(
        self, facts: Facts, event: GpuUse, confidence: Confidence | Verdict, case: list[Value], write: EnvWrite | None
    ) -> Diagnostic:
        visible = case[0].value if isinstance(case[0], Const) else ""
        left, device = visible_count(case[0]), known_device(case[1])
        what = "leaves no GPU" if not left else "leaves one GPU, cuda:0" if left == 1 else f"leaves {left} GPUs"
        return self.found(
            facts,
            event,
            confidence,
            f'{VISIBLE_GPUS}="{visible}" {what}: {device} is not there, and this raises',
            label=f"{device} is used here",
            related=(Related(write.span, "the GPUs are chosen here"),) if write is not None else (),
            help=FROM_ZERO if left else f"use the CPU, or set {VISIBLE_GPUS}",
            symptom="device-mismatch",
        )


def _is_hidden(values: list[Value]) -> bool | None:
    left, device = visible_count(values[0]), known_device(values[1])
    if left is None or device is None:
        return None
    return device.type == "cuda" and (device.index or 0) >= left


def _written(facts: Facts, event: GpuUse) -> EnvWrite | None:
    """The last write of the variable before a use, in the same run."""
    found = (e for e in facts.of(EnvWrite) if e.name == VISIBLE_GPUS and e.is_before(event))
    return max((e for e in found if e.target != "child"), key=lambda e: e.order, default=None)
