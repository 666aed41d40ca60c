"""Results of a CUDA graph that were used after its next run: the line that uses one, and the line that made it.

torch names the second in the message (`format_dealloc_msg` of `torch/_inductor/cudagraph_trees.py`, 2.4 to 2.13; run on
2.11, H200); the first is where the error is raised.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from aoti_lint.rerun.result import Culprit, place_at
from aoti_lint.triage.diagnose import Diagnosis
from aoti_lint.triage.log import Frame, clean, frames_in

CAUSES: Final = ("cuda-graph-overwrite", "cuda-graph-gradient-overwritten")
_SAID: Final = re.compile(r"tensor output of CUDAGraphs that has been overwritten by a subsequent run\. Stack trace: ")
_AFTER: Final = re.compile(r"To prevent overwriting, |This can happen with ")
"""What follows the stack trace in the message."""


def by_overwriting(found: Diagnosis, lines: Sequence[str]) -> list[Culprit]:
    """The line that uses what was overwritten, as the log of these lines says; none if it does not."""
    cause = next((one.cause for one in found.causes if one.cause.name in CAUSES), None)
    at = next((at for at, line in enumerate(lines) if _SAID.search(clean(line))), None)
    if cause is None or at is None:
        return []
    frame = next(iter(_made(lines[at:])[-1:]), None)
    # Frames after the message are of the stack in it, and were not being run.
    used = next((frame for frame in reversed(found.log.frames) if frame.at <= at), None)
    what = cause.title
    if frame is not None:
        made = place_at(frame.path, frame.row, frame.function)
        what += f": it is made at {made.path}:{made.line}" + (f" in {made.function}" if made.function else "")
        what += f" (`{made.text}`)" if made.text else ""
    culprit = Culprit(kind="code", name=cause.name, what=what, sure=True, fix=cause.fix, rules=cause.rules)
    if used is None:
        return [culprit]
    place = place_at(used.path, used.row, used.function)
    return [culprit.model_copy(update={"name": used.function or cause.name, "place": place})]


def _made(lines: Sequence[str]) -> list[Frame]:
    """The frames of the stack trace in a message that begins with the first of these lines."""
    text = [_SAID.split(clean(lines[0]), maxsplit=1)[1], *map(clean, lines[1:])]
    end = next((number for number, line in enumerate(text, 1) if _AFTER.search(line)), 1)
    return frames_in(text[:end])
