"""AOTI102."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Verdict, catches, judge, weaker
from aoti_lint.rule.events import CallEvent, Calling, HostCall, ModuleMove, MoveLost
from aoti_lint.rule.links import Candidate, overall, programs_of
from aoti_lint.rule.shapes import Paired, pair, place_of
from aoti_lint.rule.values import NONE, Const, Loaded, Program, ProgramModule, Value

from ._types import belongs, differ, known_device


class InputOnOtherDevice(Rule):
    """A compiled model is called with an input on another device type than its example input.

    What happens:
        The call raises, with nothing about devices in what Python shows. A package compiled for CUDA and called with
        CPU tensors: `aoti_torch_cuda_mm_out(…) API call failed`; one compiled for the CPU and called with CUDA
        tensors: `aoti_torch_cpu_addmm_out(…) API call failed`. With `AOTI_RUNTIME_CHECK_INPUTS=1`:
        `input_handles[0]: unmatched device type, expected: 11(cuda), but got: 0`.

    Why:
        The device of every input is taken from the example inputs at export and compiled in. `program.module()` runs
        where its parameters and buffers are, and anywhere if it has none.

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
        Run on torch 2.11 with an NVIDIA H200 (recorded for this project's tests), and with a meta tensor on torch 2.13.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI102"
    name = "input-on-other-device"
    outcome = Outcome.RAISES_AT_CALL

    def on_call(self, facts: Facts, event: CallEvent) -> Iterator[Diagnostic]:
        if not catches(event.caught | event.expected, "RuntimeError", "AssertionError"):
            yield from self._check(facts, event)

    def on_host_call(self, facts: Facts, event: HostCall) -> Iterator[Diagnostic]:
        if event.span.path in facts.project.all_natives:
            yield from self._check(facts, event)

    def _check(self, facts: Facts, event: Calling) -> Iterator[Diagnostic]:
        """One finding for each input, at its place in the call."""
        candidates = programs_of(facts, event.target, event)
        misfits = [self._misfits(facts, event, c) for c in candidates]
        for name in dict.fromkeys(n for found in misfits for n in found):
            verdicts = [found[name][0] if name in found else None for found in misfits]
            confidence = overall(candidates, verdicts, event)
            if confidence is not None:
                _, paired, expected, given = next(found[name] for found in misfits if name in found)
                yield self._report(facts, event, confidence, paired, expected, given)

    @staticmethod
    def _misfits(
        facts: Facts, event: Calling, candidate: Candidate
    ) -> dict[str, tuple[Confidence | Verdict, Paired, Value, Value]]:
        """The inputs that are on another device than the examples of one program."""
        found: dict[str, tuple[Confidence | Verdict, Paired, Value, Value]] = {}
        if isinstance(candidate.value, Program):
            path = {**event.path, **candidate.path}
            for paired in pair(candidate.value, event.args, event.kwargs):
                example, given = paired.example.tensor, paired.given
                verdict = judge([example.device, given.device], path, differ)
                # A tensor without dimensions is a number: it may stay on the CPU.
                if verdict is None or () in (given.shape, example.shape):
                    continue
                # C++ names the file: that it is the one of this compile, nobody says.
                sure = Confidence.LIKELY if isinstance(event, HostCall) else Confidence.CERTAIN
                if isinstance(event.target, ProgramModule):
                    if _works_anywhere(facts, candidate.value):
                        continue
                    sure = Confidence.CERTAIN if candidate.value.holds else Confidence.LIKELY
                expected, got = verdict[1]
                if not _as_loaded(event, got):
                    weakest = weaker(candidate.confidence, verdict, sure)
                    found[paired.example.name] = (weakest, paired, expected, got)
        return found

    def _report(
        self,
        facts: Facts,
        event: Calling,
        confidence: Confidence | Verdict,
        paired: Paired,
        expected: Value,
        given: Value,
    ) -> Diagnostic:
        wanted, got, name = known_device(expected), known_device(given), paired.example.name
        made = paired.example.tensor.span
        related = [Related(made, f"example on {wanted} here")] if made is not None else []
        lost = [e for e in facts.of(MoveLost) if e.root == event.root and e.tensor.key == paired.given.key]
        related += [Related(e.span, "what this gives is thrown away: the tensor stays where it was") for e in lost]
        return self.found(
            facts,
            event,
            confidence,
            f"{name} is on {got}, its example input was on {wanted}: the call raises",
            span=place_of(event, paired),
            label=f"on {got} here",
            related=tuple(related),
            help=f'move the input first: .to("{wanted}")'
            if not lost
            else f'keep what the move gives: x = x.to("{wanted}")',
            symptom="device-mismatch",
        )


def _as_loaded(event: Calling, given: Value) -> bool:
    """Whether an input is where the package was loaded to: then the load is what is wrong (AOTI101, AOTI104)."""
    loaded, device = event.target, known_device(given)
    if not isinstance(loaded, Loaded) or device is None:
        return False
    if isinstance(loaded.index, Const) and loaded.index != NONE:
        return device.type != "cpu"
    place = known_device(loaded.device) if loaded.device is not None else None
    return place is not None and place.type == device.type


def _works_anywhere(facts: Facts, program: Program) -> bool:
    """Whether `program.module()` works wherever its inputs are: it has no weights, or they were moved."""
    return program.holds == frozenset() or any(belongs(e, program) for e in facts.of(ModuleMove))
