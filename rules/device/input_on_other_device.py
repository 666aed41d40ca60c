"""AOTI102."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.diagnostics import Diagnostic, Outcome, Related
from aoti_lint.interp.events import CallEvent
from aoti_lint.interp.facts import Facts
from aoti_lint.interp.judge import catches, judge, weaker
from aoti_lint.interp.linking import programs_of
from aoti_lint.interp.shapes import pair, place_of
from aoti_lint.interp.values import Program
from aoti_lint.rule import Rule

from ._types import differ, known_device


class InputOnOtherDevice(Rule):
    """A compiled model is called with an input on another device type than its example input.

    What happens:
        The call raises, with nothing about devices in what Python shows. A package compiled for CUDA and called with
        CPU tensors: `aoti_torch_cuda_mm_out(…) API call failed`; one compiled for the CPU and called with CUDA
        tensors: `aoti_torch_cpu_addmm_out(…) API call failed`. With `AOTI_RUNTIME_CHECK_INPUTS=1`:
        `input_handles[0]: unmatched device type, expected: 11(cuda), but got: 0`.

    Why:
        The device of every input is taken from the example inputs at export and compiled in.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x.sin()

        x = torch.randn(4, 8, device="cuda")
        program = torch.export.export(Net(), (x,))
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)
        run(torch.randn(4, 8))  # <- AOTI102

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x.sin()

        x = torch.randn(4, 8, device="cuda")
        program = torch.export.export(Net(), (x,))
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)
        print(run(torch.randn(4, 8).to("cuda")).cpu())

    How to debug:
        Run once with `AOTI_RUNTIME_CHECK_INPUTS=1` in the environment of the process that calls the model: the first
        line of the error then names the input and both devices.

    Sources:
        Run on torch 2.11 with an NVIDIA H200 (tests/proof/gpu/recorded.json), and with a meta tensor on torch 2.13.
    """

    code = "AOTI102"
    name = "input-on-other-device"
    outcome = Outcome.RAISES_AT_CALL

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(CallEvent):
            if not catches(event.caught | event.expected, "RuntimeError", "AssertionError"):
                yield from self._check(facts, event)

    def _check(self, facts: Facts, event: CallEvent) -> Iterator[Diagnostic]:
        found: dict[str, list[Diagnostic]] = {}
        candidates = programs_of(facts, event.target, event)
        for candidate in candidates:
            assert isinstance(candidate.value, Program)
            for pair_ in pair(candidate.value, event.args, event.kwargs):
                verdict = judge([pair_.example.tensor.device, pair_.given.device], event.path, differ)
                # A tensor without dimensions is a number: it may stay on the CPU.
                if verdict is None or () in (pair_.given.shape, pair_.example.tensor.shape):
                    continue
                expected, given = (known_device(v) for v in verdict[1])
                found.setdefault(pair_.example.name, []).append(
                    self.found(
                        facts,
                        event,
                        weaker(candidate.confidence, verdict[0]),
                        f"{pair_.example.name} is on {given}, its example input was on {expected}: the call raises",
                        span=place_of(event, pair_),
                        label=f"on {given} here",
                        related=(
                            Related(pair_.example.tensor.span or candidate.value.span, f"example on {expected} here"),
                        ),
                        help=f"move it first: .to({str(expected)!r})",
                        symptom="device-mismatch",
                    )
                )
        for diagnostics in found.values():
            if len(diagnostics) == len(candidates):
                yield diagnostics[-1]
