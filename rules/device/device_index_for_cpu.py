"""AOTI104."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Verdict, catches, judge, weaker
from aoti_lint.rule.events import HostLoad, LoadEvent
from aoti_lint.rule.links import Candidate, compiled_for, overall, packages_for, packages_of
from aoti_lint.rule.values import NONE, Const, Loaded, Package, Value

from ._types import TAKEN, known_device


class DeviceIndexForCpu(Rule):
    """A package compiled for the CPU is loaded with a `device_index`.

    What happens:
        Loading raises `RuntimeError: Incorrect device passed to aoti_runner_cpu`, for index 0 as well. The line before
        it, "Loading outdated pt2 file. Please regenerate your package.", has nothing to do with it.

    Why:
        `device_index` makes the device `cpu:0`, and the runner of the CPU takes nothing but `cpu`.

    Bad:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x.sin()

        program = torch.export.export(Net(), (torch.randn(4, 8),))
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path, device_index=0)  # <- AOTI104

    Good:
        import torch

        class Net(torch.nn.Module):
            def forward(self, x):
                return x.sin()

        program = torch.export.export(Net(), (torch.randn(4, 8),))
        path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
        run = torch._inductor.aoti_load_package(path)

    How to debug:
        `aoti-lint inspect net.pt2` says what the package was compiled for. It is what the example inputs and the
        parameters were on when the program was exported.

    Sources:
        Run on torch 2.13 with `aoti_load_package`, `load_package` and `AOTIModelPackageLoader`. The argument is there
        since torch 2.8.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI104"
    name = "device-index-for-cpu"
    outcome = Outcome.RAISES_AT_LOAD
    doubt = TAKEN

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(LoadEvent):
            loaded = event.loaded
            if not isinstance(loaded, Loaded) or loaded.index == NONE:
                continue
            if not catches(event.caught | event.expected, "RuntimeError"):
                yield from self._check(facts, event, packages_of(facts, loaded, event), loaded.index)
        for host in facts.of(HostLoad):
            if host.index is not None and host.span.path in facts.project.all_natives:
                yield from self._check(facts, host, packages_for(facts, host), Const(host.index))

    def _check(
        self, facts: Facts, event: LoadEvent | HostLoad, candidates: list[Candidate], index: Value
    ) -> Iterator[Diagnostic]:
        """One finding where a package is loaded, in Python or C++."""
        verdicts = [_judge(facts, event, candidate, index) for candidate in candidates]
        confidence = overall(candidates, verdicts, event)
        if confidence is None:
            return
        package = next(c.value for c, v in zip(candidates, verdicts, strict=True) if v is not None)
        yield self.found(
            facts,
            event,
            confidence,
            "a package for the CPU is loaded with a device_index: loading raises",
            label="loaded with an index here",
            related=(Related(package.span, "compiled for cpu here"),) if isinstance(package, Package) else (),
            help="leave device_index out, or export with the model and its example inputs on the GPU",
            symptom="device-mismatch",
        )


def _judge(
    facts: Facts, event: LoadEvent | HostLoad, candidate: Candidate, index: Value
) -> Confidence | Verdict | None:
    if not isinstance(candidate.value, Package):
        return None
    path = {**event.path, **candidate.path}
    verdict = judge([compiled_for(facts, candidate.value, event), index], path, _refused)
    return None if verdict is None else weaker(candidate.confidence, verdict)


def _refused(values: list[Value]) -> bool | None:
    device, index = known_device(values[0]), values[1]
    if device is None or not isinstance(index, Const):
        return None
    return device.type == "cpu" and isinstance(index.value, int) and index.value >= 0
