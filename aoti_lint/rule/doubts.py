"""What keeps a finding from being certain, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aoti_lint.values.torch_values import Loaded
from aoti_lint.values.values import Const

if TYPE_CHECKING:
    from aoti_lint.torch_api.versions import VersionSet
    from aoti_lint.values.conditions import Cond, Path
    from aoti_lint.values.events.event import Event

MOST = 2
"""More answers that a finding hangs on than this are not told."""
ANOTHER_FILE = "the file that is loaded may be another than the one that is written there"


def doubt(event: Event, assumed: Path, fine: VersionSet, unstated: bool, own: str) -> str:
    """Why a finding about `event` is not certain, as far as that is known.

    `assumed` are the answers to what is not known that lead to it, `fine` the versions of torch that do not have it;
    `unstated`: nobody says which of these it is. `own` is what the rule says.
    """
    if event.expected:
        return "a test expects that something here raises"
    chosen = {cond: event.path[cond] for cond in event.chosen if cond in event.path}
    answers = [told for cond, answer in {**chosen, **assumed}.items() if (told := _told(cond, answer))]
    reasons = [f"if {' and '.join(answers[:MOST])}"] if answers else []
    if fine:
        reasons.append(f"not with torch {fine}" + (", and nothing says which it is" if unstated else ""))
    if event.is_only_read:
        reasons.append(own or "nothing that was followed gets here, or what calls it catches everything")
    if event.is_after_failure:
        reasons.append("only where something before has raised")
    loads = isinstance(getattr(event, "target", None), Loaded)
    return "; ".join(reasons) or own or (ANOTHER_FILE if loads else "")


def _told(cond: Cond, answer: bool) -> str:
    """What is assumed, as a sentence; empty where there is no word for it."""
    if not cond.text or cond.kind in ("unknown", "version", "loop", "exception"):
        return ""
    if cond.key[0] == "eq" and isinstance(cond.key[2], Const):
        return f"{cond.text} is {'' if answer else 'not '}{cond.key[2].value!r}"
    if cond.key[0] == "eq" and cond.kind == "default":
        return f"{cond.text} {'keeps' if answer else 'does not keep'} its value"
    if cond.kind in ("option", "choice"):
        return f"{cond.text} is {'' if answer else 'not '}given"
    return cond.text if answer else f"it is not so that {cond.text}"
