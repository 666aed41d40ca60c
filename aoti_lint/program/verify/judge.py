"""From what a case came to, to what it means."""

from __future__ import annotations

import itertools
import re
from typing import Literal

from aoti_lint.isolated.process import Died
from aoti_lint.program.verify.cases import Case
from aoti_lint.program.verify.protocol import CallResult, Result, Role
from aoti_lint.quoting.frozen import Frozen

Verdict = Literal[
    "agrees", "values differ", "shape differs", "dtype differs", "structure differs", "input differs", "raises",
    "accepts", "crash", "hang", "both raise", "rejected", "random",
]  # fmt: skip
"""raises: where the reference returns. accepts: returns where the reference raises. rejected: the guards of the program
refuse the inputs, so the contract does not have them. input differs: it leaves an argument in another state."""

GOOD: frozenset[Verdict] = frozenset({"agrees", "both raise", "rejected"})

_GUARD = re.compile(r"Guard failed|Expected input .* to be|expected input .* to be|Expecting", re.IGNORECASE)
"""Sources: `torch/export/_unlift.py` (guards, since 2.9), `torch/_export/utils.py` (`_check_input_constraints`)."""


class Finding(Frozen):
    """What one case showed. `subject` is what was judged, `reference` by what."""

    verdict: Verdict
    text: str = ""
    subject: Role | None = None
    reference: Role | None = None
    call: int = 0
    tolerated: float = 0.0

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return self.verdict in GOOD


def judge(case: Case, result: Result | Died) -> Finding:
    """What the result of a case means."""
    if isinstance(result, Died):
        subject = next((role for role in ("module", "program", "package") if role in result.stage.split()), None)
        return Finding(verdict=result.how, text=f"{result.text} (while {result.stage or 'starting'})", subject=subject)
    roles: list[Role] = list(result.calls)
    failed = {role: next(((n, call) for n, call in enumerate(calls) if call.error), None)
              for role, calls in result.calls.items()}  # fmt: skip
    for reference, subject in itertools.pairwise(roles):
        found = _pair(case, reference, subject, failed[reference], failed[subject])
        if found is not None:
            return found
    differs = difference(result)
    if differs is not None:
        return differs
    error = next((item for item in failed.values() if item is not None), None)
    if error is not None:
        return Finding(verdict="both raise", text=_says(error[1]), call=error[0])
    return Finding(verdict="agrees", tolerated=result.largest)


def difference(result: Result) -> Finding | None:
    """The first of the differences."""
    if not result.differences:
        return None
    first = result.differences[0]
    verdict: Verdict = {
        "structure": "structure differs", "shape": "shape differs", "dtype": "dtype differs",
        "values": "values differ", "input": "input differs",
    }[first.what]  # type: ignore[assignment]  # fmt: skip
    text = first.text if first.path in first.text else f"{first.path} is {first.text}"
    if first.what == "input":
        text = f"argument {first.path} is left in another state: {first.text}"
    return Finding(verdict=verdict, text=text, subject=first.right, reference=first.left, call=first.call)


_Failed = tuple[int, CallResult] | None
"""The call that raised, with its number."""


def _pair(case: Case, reference: Role, subject: Role, left: _Failed, right: _Failed) -> Finding | None:
    """What it means that one of two raised."""
    if left is None and right is None:
        return None
    if left is not None and (right is None or right[0] > left[0]):
        verdict: Verdict = "accepts"
        if reference == "program" and case.kind != "scalar" and _GUARD.search(left[1].text):
            verdict = "rejected"
        return Finding(verdict=verdict, text=_says(left[1]), subject=subject, reference=reference, call=left[0])
    if right is not None and (left is None or left[0] > right[0]):
        return Finding(verdict="raises", text=_says(right[1]), subject=subject, reference=reference, call=right[0])
    return None


def _says(call: CallResult) -> str:
    return f"{call.error}: {call.text.partition(chr(10))[0][:300]}"
