"""The interface of rules: all that they import of aoti-lint, those of `aoti_lint.rules` as well as those of others.

Here is what every rule needs: `Rule`, `Facts`, what a finding is made of, `judge`, versions of torch. By subject there
are `events` and `values`, and for those who need them `shapes`, `inputs` (of a call), `links` (between programs and
packages), `archives` and their `contents`, `ops`, `trials` (of fakes and kernels), `native` (C++), `torch` (facts by
version), `project`, `written` (what stands in code that nobody followed).

What stands in an `__all__` of these modules is public; `docs/rule_interface.md` lists it. `API` is its version: names
are added to it, but none is removed and none changes its meaning before the next.
"""

# ruff: noqa: RUF022  (the names stand in rows)

from __future__ import annotations

from aoti_lint.diagnostics import Applicability, Confidence, Diagnostic, Edit, Fix, Outcome, Related, Severity, Span
from aoti_lint.ir import nodes
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.machine.facts import Facts, Index, OpInput
from aoti_lint.rule.base import API, Rule
from aoti_lint.torch_api.versions import MINORS, SUPPORTED, VersionSet
from aoti_lint.values.cases import surest
from aoti_lint.values.conditions import Cond, Path, decide, usual
from aoti_lint.values.judge import Verdict, catches, conditions, dtypes_differ, judge, reached, weaker
from aoti_lint.values.meter import METER

__all__ = [
    "API", "Applicability", "Cond", "Confidence", "Diagnostic", "Edit", "Facts", "Fix", "Index", "METER", "MINORS",
    "OpInput", "Outcome", "Path", "Related", "Rule", "SUPPORTED", "Severity", "Span", "Verdict", "VersionSet",
    "catches", "conditions", "dataclass", "decide", "dtypes_differ", "judge", "nodes", "reached", "surest", "usual",
    "weaker",
]  # fmt: skip
