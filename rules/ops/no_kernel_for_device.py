"""AOTI419."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, catches, judge, weaker
from aoti_lint.rule.events import CallEvent, Event
from aoti_lint.rule.links import compiled_for, packages_of, programs_of
from aoti_lint.rule.values import NONE, Const, Device, Loaded, Package, Program, ProgramModule, Size, Tensor, Tup, Value

from ._kernels import DEVICES, Kernels, kernels
from ._schemas import exported_calls, op_calls


class NoKernelForDevice(Rule):
    """A custom operator runs on a device for which it has no kernel.

    What happens:
        The call raises: `NotImplementedError: Could not run 'mylib::op' with arguments from the 'CPU' backend.` Export
        and compile raise nothing, for they run the fake.

    Why:
        A kernel is registered for the devices in `device_types=`, or for the dispatch key, such as "CUDA". Tensors of
        another device find none.

    Bad:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=(), device_types="cuda")
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return torch.empty_like(x)

        class Net(torch.nn.Module):
            def forward(self, x):
                return twice(x)

        program = torch.export.export(Net(), (torch.randn(4),))
        program.module()(torch.randn(4))  # <- AOTI419

    Good:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=(), device_types=("cpu", "cuda"))
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return torch.empty_like(x)

        class Net(torch.nn.Module):
            def forward(self, x):
                return twice(x)

        program = torch.export.export(Net(), (torch.randn(4),))
        program.module()(torch.randn(4))

    How to debug:
        `print(torch._C._dispatch_dump("mylib::twice"))` lists the kernels of an operator.

    Sources:
        Run on torch 2.13, called alone, through `ExportedProgram.module()` and through a package.
    """

    code = "AOTI419"
    name = "no-kernel-for-device"
    outcome = Outcome.RAISES_AT_CALL

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        known = kernels(facts)
        traced = {span for _, span, _ in exported_calls(facts)}
        seen: set[tuple[str, str]] = set()
        for call in op_calls(facts):
            key = (call.op, call.span.path)
            if call.faked or call.span in traced or key in seen or not known.closed(*key):
                continue
            found = self._judged(facts, known, call, call.op, *_devices_of((*call.args, *call.kwargs.values())))
            if found is not None:
                seen.add(key)
                yield found
        for event in facts.of(CallEvent):
            for op, device, sure in self._compiled(facts, event):
                key = (op, event.span.path)
                if key not in seen and known.closed(*key):
                    found = self._judged(facts, known, event, op, device, cap=sure)
                    if found is not None:
                        seen.add(key)
                        yield found

    @staticmethod
    def _compiled(facts: Facts, event: CallEvent) -> Iterator[tuple[str, Value, Confidence]]:
        """The custom ops that a called program or package runs, with the device it is for."""
        if isinstance(event.target, ProgramModule):
            for one in programs_of(facts, event.target, event):
                if isinstance(one.value, Program):
                    yield from ((op, one.value.device, one.confidence) for op, _ in one.value.ops)
        elif isinstance(event.target, Loaded):
            for package in packages_of(facts, event.target, event):
                if not isinstance(package.value, Package):
                    continue
                device = compiled_for(facts, package.value, event)
                for one in programs_of(facts, package.value.program, event):
                    if isinstance(one.value, Program):
                        sure = weaker(one.confidence, package.confidence)
                        yield from ((op, device, sure) for op, _ in one.value.ops)

    def _judged(
        self, facts: Facts, kernels: Kernels, event: Event, op: str, *devices: Value,
        cap: Confidence = Confidence.CERTAIN,
    ) -> Diagnostic | None:  # fmt: skip
        if catches(event.caught | event.expected, "NotImplementedError", "RuntimeError"):
            return None
        have = kernels.devices(op, event.span.path)
        verdict = judge(list(devices), event.path, lambda given: _lacks(_dispatched(given), have))
        if not have or verdict is None:
            return None
        sure = weaker(verdict[0], cap)
        wanted = _dispatched(verdict[1])
        place = kernels.place(op, event.span.path)
        there = " and ".join(sorted(have))
        return self.found(
            facts,
            event,
            sure,
            f"{op} has a kernel for {there} and runs on {wanted} here: it raises",
            severity=Severity.ERROR if sure is Confidence.CERTAIN else Severity.WARNING,
            related=(Related(place, "the op is defined here"),) if place is not None else (),
            help=f'register a kernel for "{wanted}" too, or give it tensors on {there}',
            symptom="device-mismatch",
        )


def _devices_of(given: Iterable[Value]) -> Iterator[Value]:
    """The devices of the tensors among arguments; `NONE` for what may hold tensors that we do not know."""
    for one in given:
        if isinstance(one, Tensor):
            yield one.device
        elif isinstance(one, Tup):
            yield from _devices_of(one.items)
        elif not isinstance(one, Const | Size | Device):
            yield NONE


def _dispatched(devices: Iterable[Value]) -> str | None:
    """The type of the device whose kernel runs: the CPU's only where all tensors are there. None if it is not known."""
    types = {one.type if isinstance(one, Device) else None for one in devices}
    others = types - {"cpu"}
    return None if None in types else min(others, default="cpu" if types else None, key=str)


def _lacks(device: str | None, have: set[str] | None) -> bool | None:
    return None if not have or device is None else device in DEVICES and device not in have
