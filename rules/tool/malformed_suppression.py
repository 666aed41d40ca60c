from __future__ import annotations

from collections.abc import Iterable

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule, Severity


class MalformedSuppression(Rule):
    """A suppression comment names no rule, or one that does not exist.

    What happens:
        The comment suppresses nothing, and the finding it was meant for is still reported.

    Why:
        A comment that silences everything would also silence tomorrow's findings, so a suppression must name its rules,
        by code or by name, in brackets.

    Bad:
        import torch

        model = torch.nn.Linear(2, 2)  # aoti-lint: ignore  # <- AOTI003
        model.eval()  # aoti-lint: ignore[load-on-othr-device]  # <- AOTI003
        model.cuda()  # noqa: AOTI999  # <- AOTI003

    Good:
        import torch

        model = torch.nn.Linear(2, 2)  # a comment about aoti-lint
        model.eval()  # noqa
        model.cpu()  # noqa: E501

    How to debug:
        `aoti-lint explain` lists the codes and names of all rules, those of installed rule packages too.

    Sources:
        The documentation of aoti-lint.
    """

    code = "AOTI003"
    name = "malformed-suppression"
    severity = Severity.WARNING
    outcome = Outcome.NO_EFFECT

    def check(self, facts: Facts) -> Iterable[Diagnostic]:
        """Nothing: the engine reports it while it reads the comments."""
        return ()
