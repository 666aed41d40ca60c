from __future__ import annotations

from collections.abc import Iterable

from aoti_lint.rule import Diagnostic, Facts, Outcome, Rule, Severity


class UnusedSuppression(Rule):
    """A suppression comment suppresses nothing.

    What happens:
        The comment stays behind when the code it was written for has changed. Nothing fails.

    Why:
        The next real finding in that statement would be silenced by a comment that nobody wrote for it. A comment for a
        rule that does not run (`--select`, `ignore`, `per-file-ignores`) is left alone.

    Bad:
        import torch

        model = torch.nn.Linear(2, 2)  # aoti-lint: ignore[AOTI101]  # <- AOTI001
        model.eval()  # noqa: AOTI201  # <- AOTI001

    Good:
        import torch

        model = torch.nn.Linear(2, 2)
        model.eval()  # noqa

    How to debug:
        Run with `--no-ignores` to see every finding as if there were no suppression comments. A comment counts on any
        line of the statement in which a finding *starts*; for `ignore-file` that is the whole file.
        Ruff reports `# noqa: AOTI101` as an unknown code (RUF100, RUF102) unless it is told of us, in `pyproject.toml`:

            [tool.ruff.lint]
            external = ["AOTI"]

        It leaves `# aoti-lint: ignore[AOTI101]` alone. A bare `# noqa` silences other linters, and never aoti-lint.

    Sources:
        The documentation of aoti-lint.
    """

    code = "AOTI001"
    name = "unused-suppression"
    severity = Severity.WARNING
    outcome = Outcome.NO_EFFECT

    def check(self, facts: Facts) -> Iterable[Diagnostic]:
        """Nothing: only the engine knows what the comments suppressed, after all other rules."""
        return ()
