"""AOTI603."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule

if TYPE_CHECKING:
    from aoti_lint.rule.contents import Program


class SeveralGpus(Rule):
    """A program has its weights or inputs on several GPUs.

    What happens:
        It exports, saves and runs as a program; compiling it raises:

            InductorError: AssertionError: AOTInductor only supports running on one CUDA device

        A GPU beside the CPU is no mistake: with `.to()` between the parts it compiles and is right.

    Why:
        A compiled model is loaded on one device; there is no second index it could be given.

    Bad:
        # archive: two_gpus.pt2  # <- AOTI603
        # file: net.py
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.a = torch.nn.Linear(8, 8).to("cuda:0")
                self.b = torch.nn.Linear(8, 4).to("cuda:1")

            def forward(self, x):
                return self.b(self.a(x).to("cuda:1")).to("cuda:0")

    Good:
        # archive: gpu_and_cpu.pt2
        # file: net.py
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.a = torch.nn.Linear(8, 8).to("cuda:0")
                self.b = torch.nn.Linear(8, 4).to("cpu")

            def forward(self, x):
                return self.b(self.a(x).to("cpu")).to("cuda:0")

    How to debug:
        `{p.device for p in model.parameters()}` names the devices. Compile one package for each part, or move all of it
        to one device before the export.

    Sources:
        Both run on torch 2.11 with two NVIDIA H200.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI603"
    name = "several-gpus"
    outcome = Outcome.RAISES_AT_COMPILE
    doubt = "whether it will be compiled is not known"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for archive in facts.archives:
            for program in archive.data.programs:
                found = devices(program)
                if len(found) < 2:
                    continue
                parts = [f"{name} on {device}" for device, name in list(found.items())[:4]]
                yield self.found_in(
                    facts,
                    archive,
                    # Nobody says yet that it will be compiled.
                    Confidence.LIKELY,
                    f"the program is on {len(found)} GPUs ({', '.join(parts)}): AOTInductor cannot compile it",
                    subject=program.name,
                    member=program.member,
                    help="move all of it to one GPU before the export, or export and compile each part on its own",
                    symptom="device-mismatch",
                )


def devices(program: Program) -> dict[str, str]:
    """The devices of a program that are not the CPU, with the name of one tensor on each, weights first."""
    named = [(w.tensor, w.name) for w in program.weights] + [(t, name) for name, t in program.tensors.items()]
    found: dict[str, str] = {}
    for tensor, name in named:
        if tensor is not None and tensor.device is not None and tensor.device.partition(":")[0] not in ("cpu", "meta"):
            found.setdefault(tensor.device, name)
    # Without a number it is the present one, which may be any of the others.
    kinds = {device.partition(":")[0] for device in found if ":" in device}
    return dict(sorted((d, n) for d, n in found.items() if ":" in d or d not in kinds))
