"""AOTI101."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Verdict, catches, judge, weaker
from aoti_lint.rule.events import HostLoad, LoadEvent
from aoti_lint.rule.links import Candidate, compiled_for, overall, packages_for, packages_of
from aoti_lint.rule.torch import DEVICE_TYPES
from aoti_lint.rule.values import Device, Loaded, Package, Value

from ._types import TAKEN, differ, known_device


class LoadOnOtherDevice(Rule):
    """A model compiled for one device type is loaded on another.

    What happens:
        Compiled for CUDA and loaded on the CPU, loading raises:

            Error: Mixed-device constants are only supported when the secondary device is CPU. Constant
            'L__self___l_weight' was compiled for a non-CPU device. Hint: This can happen if you compiled on GPU but
            are loading on CPU, which is not supported.
            RuntimeError: create_func_( … ) API call failed at …/model_container_runner.cpp

        Compiled for the CPU and loaded on CUDA, loading passes and the first call raises `run_func_( … ) API call
        failed`. A torch built without CUDA raises while loading: `AttributeError: module 'torch._C._aoti' has no
        attribute 'AOTIModelContainerRunnerCuda'`.

    Why:
        AOTInductor writes code for one device type into the artefact. Loading does not translate it. In C++ the class
        says the type: `AOTIModelContainerRunnerCpu`, `…Cuda`. `AOTIModelPackageLoader` takes it from the package.

    Bad:
        # file: build.py
        import torch
        from net import Net

        DEVICE = "cuda"

        if __name__ == "__main__":
            x = torch.randn(8, 10, device=DEVICE)
            program = torch.export.export(Net().to(DEVICE).eval(), (x,))
            options = {"aot_inductor.output_path": "net.so"}
            torch._inductor.aot_compile(program.module(), (x,), options=options)

        # file: serve.py
        import torch

        run = torch._C._aoti.AOTIModelContainerRunnerCpu("net.so", 1)  # <- AOTI101

        # file: net.py
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(10, 2)

            def forward(self, x):
                return self.fc(x)

    Good:
        # file: build.py
        import torch
        from net import Net

        DEVICE = "cuda"

        if __name__ == "__main__":
            x = torch.randn(8, 10, device=DEVICE)
            program = torch.export.export(Net().to(DEVICE).eval(), (x,))
            options = {"aot_inductor.output_path": "net.so"}
            torch._inductor.aot_compile(program.module(), (x,), options=options)

        # file: serve.py
        import torch
        from build import DEVICE

        run = torch._C._aoti.AOTIModelContainerRunnerCuda("net.so", 1, DEVICE)

        # file: net.py
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(10, 2)

            def forward(self, x):
                return self.fc(x)

    How to debug:
        The metadata of a `.pt2` names the device type it was compiled for (`AOTI_DEVICE_KEY`). Compile once for each
        device type you serve on, or move the exported program first with
        `torch.export.passes.move_to_device_pass(program, "cpu")` and compile that.

    Sources:
        Run on torch 2.11 with an NVIDIA H200 (recorded for this project's tests) and on torch 2.13 on the CPU.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI101"
    name = "load-on-other-device"
    outcome = Outcome.RAISES_AT_LOAD
    doubt = TAKEN

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(LoadEvent):
            loaded = event.loaded
            # What is no device at all is AOTI213's.
            if not isinstance(loaded, Loaded) or loaded.device is None or _is_no_device(loaded.device):
                continue
            if catches(event.caught | event.expected, "RuntimeError", "AttributeError"):
                continue
            yield from self._check(facts, event, packages_of(facts, loaded, event), loaded.device)
        for host in facts.of(HostLoad):
            if host.device and host.span.path in facts.project.all_natives:
                yield from self._check(facts, host, packages_for(facts, host), Device(host.device))

    def _check(
        self, facts: Facts, event: LoadEvent | HostLoad, candidates: list[Candidate], device: Value
    ) -> Iterator[Diagnostic]:
        """One finding where an artefact is loaded, in Python or C++."""
        verdicts = [self._judge(facts, event, candidate, device) for candidate in candidates]
        confidence = overall(candidates, [v[0] if v is not None else None for v in verdicts], event)
        failing = [(c.value, v[1]) for c, v in zip(candidates, verdicts, strict=True) if v is not None]
        if confidence is None or not isinstance(package := failing[0][0], Package):
            return
        compiled, wanted = (known_device(v) for v in failing[0][1])
        at_call = compiled is not None and compiled.type == "cpu" and wanted is not None
        when = "loading passes, the first call raises" if at_call else "loading raises"
        yield self.found(
            facts,
            event,
            confidence,
            f"compiled for {compiled}, loaded on {wanted}: {when}",
            outcome=Outcome.RAISES_AT_CALL if at_call else Outcome.RAISES_AT_LOAD,
            label=f"loaded on {wanted} here",
            related=(Related(package.span, f"compiled for {compiled} here"),),
            help=f"compile a second artefact for {wanted}, or load this one on {compiled}",
            symptom="device-mismatch",
        )

    @staticmethod
    def _judge(
        facts: Facts, event: LoadEvent | HostLoad, candidate: Candidate, device: Value
    ) -> tuple[Confidence | Verdict, list[Value]] | None:
        """Whether one artefact is for another device type than it is loaded on."""
        if not isinstance(candidate.value, Package):
            return None
        path = {**event.path, **candidate.path}
        verdict = judge([compiled_for(facts, candidate.value, event), device], path, differ)
        return None if verdict is None else (weaker(candidate.confidence, verdict), verdict[1])


def _is_no_device(value: Value) -> bool:
    return isinstance(value, Device) and value.type not in DEVICE_TYPES
