"""AOTI615."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, catches, judge
from aoti_lint.rule.events import CallEvent
from aoti_lint.rule.links import called_archive, capped
from aoti_lint.rule.values import Const, Loaded

from ._contract import asked


class LowerBound2(Rule):
    """A package whose input check begins at 2 is called with size 1 while the check is on.

    What happens:
        The call raises `input_handles[0]: dim value is too small at 0, expected it to be >= 2, but got: 1`, though the
        program was exported with `Dim("batch", min=1)`. Without `AOTI_RUNTIME_CHECK_INPUTS` it works and is right.

    Why:
        Inductor assumes sizes of at least 2 and writes `max(2, min)` into the check.

    Bad:
        # archive: dynamic_compiled.pt2
        # file: serve.py
        import os
        os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"
        import torch

        run = torch._inductor.aoti_load_package("dynamic_compiled.pt2")
        run(torch.zeros(1, 8))  # <- AOTI615

    Good:
        # archive: dynamic_compiled.pt2
        # file: serve.py
        import torch

        run = torch._inductor.aoti_load_package("dynamic_compiled.pt2")
        run(torch.zeros(1, 8))

    How to debug:
        Compile with `inductor_configs={"aot_inductor.check_lowerbound": False}` (torch 2.10 and later), or pad the
        batch to 2.

    Sources:
        Run on torch 2.13 (this project's tests).
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI615"
    name = "lower-bound-2"
    outcome = Outcome.RAISES_AT_CALL

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(CallEvent) if facts.archives else ():
            if (
                not event.is_checked
                or not isinstance(event.target, Loaded)
                or catches(event.caught | event.expected, "RuntimeError")
            ):
                continue
            link = called_archive(facts, event)
            packages = link.packages() if link is not None else ()
            if link is None or len(packages) != 1:
                continue
            checks = {f"input {check.index}": check for check in packages[0].checks}
            for one in asked(packages[0], event):
                check = checks.get(one.name)
                for dim, size in enumerate(one.given.shape or ()):
                    if check is None or check.min.get(dim) != 2:
                        continue
                    verdict = judge([size], event.path, lambda v: v[0] == Const(1) if isinstance(v[0], Const) else None)
                    if verdict is None:
                        continue
                    yield self.found(
                        facts,
                        event,
                        capped(link, verdict[0], Confidence.CERTAIN),
                        f"{one.name} has size 1 in dimension {dim}; the check in {link.archive.path} begins at 2: "
                        "the call raises",
                        label="called here, with the check on",
                        related=(Related(link.archive.span, "its check begins at 2, whatever the Dim said"),),
                        notes=link.notes,
                        help='compile it with inductor_configs={"aot_inductor.check_lowerbound": False}',
                        symptom="shape-mismatch",
                    )
