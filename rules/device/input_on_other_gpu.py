"""AOTI107."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Span, catches, judge, weaker
from aoti_lint.rule.events import CallEvent
from aoti_lint.rule.links import Candidate, compiled_for, overall, packages_of
from aoti_lint.rule.values import NONE, Const, Device, Loaded, Package, Tensor, Value, leaves

from ..package._imports import mentioned
from ._types import known_device

ELSEWHERE = ("set_device", "cuda.device", "CUDA_VISIBLE_DEVICES")
"""What changes, perhaps in code that runs before, which GPU a loader takes when it is given no index."""


class InputOnOtherGpu(Rule):
    """A package is called with an input on another GPU than it was loaded on.

    What happens:
        An operator such as a matrix product raises: `Expected all tensors to be on the same device, but got self is on
        cuda:0, different from other tensors on cuda:1`. Generated kernels alone read the other GPU's memory where the
        two are linked, and the result is on the GPU of the package.

    Why:
        A package does not remember the index of the GPU it was compiled on. Without `device_index` it is loaded on the
        current GPU: `cuda:0`, unless `torch.cuda.set_device` or `with torch.cuda.device(…)` says otherwise, or another
        GPU alone was used before in the process.

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

        run = torch._inductor.aoti_load_package("net.pt2")
        run(torch.randn(4, 8, device="cuda:1"))  # <- AOTI107

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
        run(torch.randn(4, 8, device="cuda:1"))

    How to debug:
        What a loaded package returns is on the GPU it was loaded on; call it with inputs on `cuda:0` and print the
        device of a result.

    Sources:
        Run on torch 2.11 with two NVIDIA H200. The current GPU: `cudaGetDevice` in torch 2.13,
        `aoti_runtime/model_base.h:507`.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI107"
    name = "input-on-other-gpu"
    outcome = Outcome.RAISES_AT_CALL
    doubt = "whether one GPU can read the memory of the other is not known"

    def on_call(self, facts: Facts, event: CallEvent) -> Iterator[Diagnostic]:
        if catches(event.caught | event.expected, "RuntimeError"):
            return
        for path, target in leaves(event.target, event.path):
            if isinstance(target, Loaded):
                yield from self._check(facts, event, target, path == event.path)

    def _check(self, facts: Facts, event: CallEvent, loaded: Loaded, alone: bool) -> Iterator[Diagnostic]:
        candidates = packages_of(facts, loaded, event)
        on, how = _chosen(loaded)
        for place, given in _tensors(event):
            verdicts = [_judge(facts, event, one, on, given) for one in candidates]
            confidence = overall(candidates, [v and v[0] for v in verdicts], event)
            if confidence is None:
                continue
            index, device = next(v[1] for v in verdicts if v is not None)
            sure = weaker(confidence, Confidence.LIKELY if alone else Confidence.POSSIBLE)
            if on == NONE and mentioned(facts, event, *ELSEWHERE):
                sure = Confidence.POSSIBLE
            effect = "the call raises or reads across GPUs"
            named = f"for {device}" if loaded.device is not None else f"with device_index={device.index}"
            yield self.found(
                facts,
                event,
                sure,
                f"the package is loaded on cuda:{index}, the input is on {device}: {effect}",
                span=place,
                label=f"on {device} here",
                related=(Related(loaded.span, f"loaded {how} here"),),
                help=f"load the package {named}, or move the input to cuda:{index}",
                symptom="device-mismatch",
            )


def _chosen(loaded: Loaded) -> tuple[Value, str]:
    """The index of the GPU that a load chooses, `NONE` where nothing does, and how."""
    if loaded.index != NONE:
        return loaded.index, "with a device_index"
    if isinstance(loaded.device, Device) and loaded.device.index is not None:
        return Const(loaded.device.index), f"for {loaded.device}"
    return loaded.current, "without device_index" if loaded.device is None else "without the index of a GPU"


def _tensors(event: CallEvent) -> Iterator[tuple[Span, Tensor]]:
    """The tensors among the arguments, with their places."""
    known = len(event.arg_spans) == len(event.args)
    for at, given in enumerate([*event.args, *event.kwargs.values()]):
        if isinstance(given, Tensor) and given.shape != ():
            yield event.arg_spans[at] if known and at < len(event.args) else event.span, given


def _judge(
    facts: Facts, event: CallEvent, candidate: Candidate, index: Value, given: Tensor
) -> tuple[Confidence, tuple[int, Device]] | None:
    """How sure it is that an input is on another GPU than one package runs on, with the two."""
    if not isinstance(candidate.value, Package):
        return None
    compiled = compiled_for(facts, candidate.value, event)
    verdict = judge([compiled, index, given.device], {**event.path, **candidate.path}, _apart)
    if verdict is None:
        return None
    _, loaded_on, place = verdict[1]
    device = known_device(place)
    assert device is not None
    return weaker(candidate.confidence, verdict[0]), (_number(loaded_on) or 0, device)


def _apart(values: list[Value]) -> bool | None:
    compiled, number, given = known_device(values[0]), _number(values[1]), known_device(values[2])
    if compiled is None or number is None or given is None:
        return None
    return compiled.type == given.type == "cuda" and given.index not in (None, number)


def _number(index: Value) -> int | None:
    """The GPU that an index means; without one it is the first."""
    if index == NONE:
        return 0
    return index.value if isinstance(index, Const) and isinstance(index.value, int) and index.value >= 0 else None
