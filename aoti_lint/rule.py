"""The vocabulary of a rule.

A rule is one class in one file. Its docstring is its documentation (`aoti-lint explain CODE`), with these sections, each
a line of its own ending in a colon: `What happens:`, `Why:`, `Bad:` and `Good:` (indented Python that is run through the
linter as a test; a line ending in `# <- CODE` must get the finding, no other may), `How to debug:` and `Sources:`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from aoti_lint.diagnostics import Diagnostic, Outcome, Severity

if TYPE_CHECKING:
    from aoti_lint.interp.facts import Facts


class Rule:
    """Base of all rules, built-in or third-party.

    `code` is never renumbered or reused; `name` is what people say. `severity` is that of a finding that is certain.
    `needs` says what `check` reads beyond events: `ir`, or `cst` (slow: the source is parsed again).
    """

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity] = Severity.ERROR
    outcome: ClassVar[Outcome] = Outcome.RAISES
    needs: ClassVar[frozenset[str]] = frozenset()

    def check(self, facts: Facts) -> Iterable[Diagnostic]:
        """Judge the facts of one run (`events`, packages, versions) and yield what is wrong."""
        raise AssertionError(f"{type(self).__name__} does not say how to check")
