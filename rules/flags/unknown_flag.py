"""AOTI503."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, Severity
from aoti_lint.rule.events import EnvWrite, FileWrite
from aoti_lint.rule.torch import settings
from aoti_lint.rule.values import NONE

from ._names import OWNED, is_slip, is_used, meant, suspicious
from ._runs import by_place


class UnknownFlag(Rule):
    """A variable is set that looks like one of torch's, and that torch does not read.

    What happens:
        Nothing: no message, no effect.

    Why:
        Nobody checks the names of variables. The prefixes differ: `AOT_INDUCTOR_DEBUG_COMPILE`, but
        `AOTINDUCTOR_REPRO_LEVEL` and `AOTI_RUNTIME_CHECK_INPUTS`; some names in guides never existed, such as
        `TORCHINDUCTOR_TRITON_CUDAGRAPHS` (it is `TORCHINDUCTOR_CUDAGRAPHS`); some came or went with a release.

    Bad:
        import os

        os.environ["AOTINDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"] = "3"  # <- AOTI503
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    Bad:
        # torch: 2.6
        import os

        os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"  # <- AOTI503
        import torch

        run = torch._inductor.aoti_load_package("net.pt2")
        run(torch.ones(4))

    Good:
        import os

        os.environ["AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"] = "3"
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    How to debug:
        Print the setting it should change: `torch._inductor.config.aot_inductor.debug_intermediate_value_printer`.

    Sources:
        Every read of the environment in the Python of torch 2.4 to 2.15, by release
        (`aoti_lint/torch_api/settings.json`), and in the C++ of 2.13. Run on torch 2.13 (misspelt names: nothing).
        https://docs.pytorch.org/docs/stable/torch_environment_variables.html
    """

    code = "AOTI503"
    name = "unknown-flag"
    severity = Severity.WARNING
    outcome = Outcome.NO_EFFECT
    doubt = "something other than torch may read the variable"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        written: list[EnvWrite | FileWrite] = [*facts.of(EnvWrite), *facts.of(FileWrite)]
        for events in by_place(event for event in written if event.value != NONE).values():
            for event in {one.name: one for one in events}.values():
                if not suspicious(event.name):
                    continue
                if settings.variable_versions(event.name):
                    yield from self._of_another_release(facts, event)
                else:
                    yield from self._of_none(facts, event)

    def _of_none(self, facts: Facts, event: EnvWrite | FileWrite) -> Iterator[Diagnostic]:
        right = meant(event.name)
        slip = right is not None and is_slip(event.name, right)
        if (not slip and not event.name.startswith(OWNED)) or is_used(facts.project, event.name):
            return
        yield self.found(
            facts,
            event,
            Confidence.LIKELY if slip or right is not None else Confidence.POSSIBLE,
            f"no torch from 2.4 to 2.15 reads {event.name}: it has no effect",
            label="not a variable of torch",
            help=f"did you mean {right}?" if right is not None else "look for its name in `aoti-lint explain`",
        )

    def _of_another_release(self, facts: Facts, event: EnvWrite | FileWrite) -> Iterator[Diagnostic]:
        """A variable that torch has, but not all of the releases the code is for."""
        known = settings.variable_versions(event.name)
        missing = event.versions - known
        if (
            not missing
            or (missing != event.versions and not facts.stated_for(event.root))
            or is_used(facts.project, event.name)
        ):
            return
        yield self.found(
            facts,
            event,
            Confidence.LIKELY if missing == event.versions else Confidence.POSSIBLE,
            f"torch {missing} does not read {event.name}: it has no effect there (torch {known} does)",
            failing=missing,
            label="not read by this torch",
            help="leave it out" if missing == event.versions else f"set it for torch {known} alone, or leave it out",
        )
