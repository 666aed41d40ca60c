"""AOTI109."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, judge
from aoti_lint.rule.events import CallEvent, LoadEvent
from aoti_lint.rule.links import Candidate, compiled_for, overall, packages_of
from aoti_lint.rule.values import NONE, Loaded, Package, Tensor, Value, leaves

from ._types import known_device


class GpuIndexNotKept(Rule):
    """A package that was compiled on another GPU than the first is loaded without `device_index`.

    What happens:
        It is loaded on the current GPU, `cuda:0` unless something says otherwise, and takes its memory there. Calls
        with inputs on the GPU it was compiled on raise (AOTI107, which speaks where such a call is seen).

    Why:
        A package does not remember the index of the GPU it was compiled on, only that it is for CUDA.

    Bad:
        # file: build.py
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(8, 4)

            def forward(self, x):
                return self.fc(x)

        program = torch.export.export(Net().to("cuda:1"), (torch.randn(4, 8, device="cuda:1"),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

        # file: serve.py
        import torch

        run = torch._inductor.aoti_load_package("net.pt2")  # <- AOTI109

    Good:
        # file: build.py
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(8, 4)

            def forward(self, x):
                return self.fc(x)

        program = torch.export.export(Net().to("cuda:1"), (torch.randn(4, 8, device="cuda:1"),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

        # file: serve.py
        import torch

        run = torch._inductor.aoti_load_package("net.pt2", device_index=1)

    How to debug:
        `nvidia-smi` shows which GPU the process takes memory on. What a loaded package returns is on its GPU.

    Sources:
        Run on torch 2.11 with two NVIDIA H200; `cudaGetDevice` in torch 2.13, `aoti_runtime/model_base.h:507`. To load
        it on another GPU may be what is meant, so it is advice.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI109"
    name = "gpu-index-not-kept"
    severity = Severity.INFO
    outcome = Outcome.RAISES_AT_CALL
    doubt = "which GPU is the current one where it is loaded is not known"

    def on_load(self, facts: Facts, event: LoadEvent) -> Iterator[Diagnostic]:
        loaded = event.loaded
        if isinstance(loaded, Loaded) and loaded.index == loaded.current == NONE and not _is_called(facts, loaded):
            yield from self._check(facts, event, packages_of(facts, loaded, event))

    def _check(self, facts: Facts, event: LoadEvent, candidates: list[Candidate]) -> Iterator[Diagnostic]:
        verdicts = [_judge(facts, event, candidate) for candidate in candidates]
        if overall(candidates, [v and v[0] for v in verdicts], event) is None:
            return
        package, device = next((c.value, v[1]) for c, v in zip(candidates, verdicts, strict=True) if v is not None)
        compiled = known_device(device)
        assert compiled is not None
        yield self.found(
            facts,
            event,
            Confidence.POSSIBLE,
            f"compiled on {compiled}, loaded without device_index: it goes to the current GPU, usually cuda:0",
            label="loaded here",
            related=(Related(package.span, f"compiled on {compiled} here"),) if isinstance(package, Package) else (),
            help=f"device_index={compiled.index} loads it where it was compiled",
            symptom="device-mismatch",
        )


def _is_called(facts: Facts, loaded: Loaded) -> bool:
    """Whether a call shows where its inputs are: then it is right, or AOTI107's."""
    return any(
        isinstance(given, Tensor) and any(known_device(place) is not None for _, place in leaves(given.device))
        for event in facts.grouped(CallEvent, _models).get(loaded, ())
        for given in (*event.args, *event.kwargs.values())
    )


def _models(event: CallEvent) -> set[Value]:
    return {target for _, target in leaves(event.target) if isinstance(target, Loaded)}


def _judge(facts: Facts, event: LoadEvent, candidate: Candidate) -> tuple[Confidence, Value] | None:
    if not isinstance(candidate.value, Package):
        return None
    path = {**event.path, **candidate.path}
    verdict = judge([compiled_for(facts, candidate.value, event)], path, _is_another)
    return None if verdict is None else (verdict[0], verdict[1][0])


def _is_another(values: list[Value]) -> bool | None:
    device = known_device(values[0])
    return None if device is None else device.type == "cuda" and bool(device.index)
