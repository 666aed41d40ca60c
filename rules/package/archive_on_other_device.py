"""AOTI611."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, catches, judge
from aoti_lint.rule.events import LoadEvent
from aoti_lint.rule.links import capped, loaded_archive, packages_of
from aoti_lint.rule.torch import device_named
from aoti_lint.rule.values import Const, Device, Loaded, Value


class ArchiveOnOtherDevice(Rule):
    """A package or library is loaded on another device type than it says it was compiled for.

    What happens:
        Compiled for CUDA and loaded on the CPU, loading raises (`Mixed-device constants are only supported when the
        secondary device is CPU`). Compiled for the CPU and loaded on CUDA, loading passes and the first call raises.
        AOTI101 says the same where it sees the compile; this is for artefacts whose compile is not in the project.

    Why:
        AOTInductor writes code for one device type into the artefact. Loading does not translate it.

    Bad:
        # archive: on_gpu.so
        # file: serve.py
        import torch

        run = torch._C._aoti.AOTIModelContainerRunnerCpu("on_gpu.so", 1)  # <- AOTI611

    Good:
        # archive: on_gpu.so
        # file: serve.py
        import torch

        run = torch._C._aoti.AOTIModelContainerRunnerCuda("on_gpu.so", 1, "cuda")

    How to debug:
        `aoti-lint inspect model.pt2` says what it was compiled for.

    Sources:
        As AOTI101: torch 2.11 with an NVIDIA H200 (recorded for this project's tests).
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI611"
    name = "archive-on-other-device"
    outcome = Outcome.RAISES_AT_LOAD

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(LoadEvent) if facts.archives else ():
            loaded = event.loaded
            if not isinstance(loaded, Loaded) or loaded.device is None:
                continue
            if catches(event.caught | event.expected, "RuntimeError", "AttributeError"):
                continue
            link = loaded_archive(facts, event, loaded) if not packages_of(facts, loaded, event) else None
            devices = {package.device_type for package in link.archive.data.packages} if link is not None else set()
            built = devices.pop() if len(devices) == 1 else None
            if link is None or built is None:
                continue
            verdict = judge([loaded.device], event.path, partial(_other, built))
            if verdict is None:
                continue
            wanted = _type(verdict[1][0])
            at_call = built == "cpu"
            yield self.found(
                facts,
                event,
                capped(link, verdict[0]),
                f"{link.archive.path} was compiled for {built} and is loaded on {wanted}: "
                + ("the first call raises" if at_call else "loading raises"),
                outcome=Outcome.RAISES_AT_CALL if at_call else Outcome.RAISES_AT_LOAD,
                label=f"loaded on {wanted} here",
                related=(Related(link.archive.span, f"compiled for {built}"),),
                notes=link.notes,
                help=f"compile a second artefact for {wanted}, or load this one on {built}",
                symptom="device-mismatch",
            )


def _type(value: Value) -> str | None:
    if isinstance(value, Const) and isinstance(value.value, str):
        value = device_named(value.value) or value
    return value.type if isinstance(value, Device) else None


def _other(built: str, values: list[Value]) -> bool | None:
    kind = _type(values[0])
    return None if kind is None else kind != built
