"""AOTI605."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, Severity

from ._places import origin


class AutocastRegion(Rule):
    """Part of a program computes in lower precision, because it was exported under autocast.

    What happens:
        The region keeps its dtype for ever: the package computes it in bfloat16 or float16 whatever surrounds the
        call, and turning autocast off around the call changes nothing. Often that is meant, so this is advice
        (`--pedantic` shows it).

    Why:
        `with torch.autocast(…)` inside `forward` becomes part of the graph. Around `torch.export.export` it is ignored;
        around `aoti_compile_and_package` it is compiled in.

    Bad:
        # archive: mixed_precision.pt2  # <- AOTI605
        # file: net.py
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(8, 16)

            def forward(self, x):
                with torch.autocast("cpu", dtype=torch.bfloat16):
                    return self.fc(x)

    Good:
        # archive: evaluated.pt2
        # file: net.py
        import torch

        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = torch.nn.Linear(8, 16)

            def forward(self, x):
                return self.fc(x)

    How to debug:
        `print(program)` shows the region as `wrap_with_autocast`. Compare results with a float32 export.

    Sources:
        Run on torch 2.13: inside `forward`, around the export and around the compile.
        https://docs.pytorch.org/docs/stable/amp.html
    """

    code = "AOTI605"
    name = "autocast-region"
    severity = Severity.INFO
    outcome = Outcome.STYLE
    doubt = "it may be meant"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for archive in facts.archives:
            for program in archive.data.programs:
                regions = [
                    call for call in program.calls
                    if call.target == "higher_order.wrap_with_autocast" and call.args.get("2") != "False"
                ]  # fmt: skip
                if not regions:
                    continue
                traced = origin(facts, regions[0], "the region is here")
                dtype = regions[0].args.get("1", "a lower precision")
                yield self.found_in(
                    facts,
                    archive,
                    Confidence.POSSIBLE,
                    f"part of the program computes in {dtype} for ever: it was traced under autocast",
                    subject=program.name,
                    member=program.member,
                    **traced,
                    help="if it is not meant, take torch.autocast out of forward and export again",
                )
