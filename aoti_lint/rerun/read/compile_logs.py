"""What torch.compile logs (`TORCH_LOGS=recompiles,graph_breaks`): what it compiled again and why, and where it stopped.

The messages are those of torch 2.13: `Recompiling function F in FILE:LINE`, a line with the guard that failed for each
compiled version, and `Graph break in user code at FILE:LINE`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from aoti_lint.rerun.result import Culprit, Place, place_at
from aoti_lint.triage.log import clean, users

SHOWN = 3
"""Guards and rows that are named."""
_AGAIN = re.compile(r"Recompiling function (?P<function>\S+) in (?P<path>.+):(?P<line>\d+)")
_FAILED = re.compile(r"^\s*- \d+/\d+: (?P<guard>.+?)(?:\s{2,}#.*|\s+# .*)?$")
_FRAME = re.compile(r'^\s*-\s+File "(?P<path>[^"]+)", line (?P<line>\d+), in (?P<function>\S+)')
"""Of the stack that follows a guard: the lines of the user's that made it, the innermost last."""
_BREAK = re.compile(r"Graph break in user code at (?P<path>.+):(?P<line>\d+)")
_REASON = re.compile(r"Graph Break Reason: (?P<reason>.+)")
_COMPILES = re.compile(r"dynamo|compile|PythonDispatchMode|^inductor|^gc\b")
_ROW = re.compile(r"^\s*(?P<name>\S.*?)\s{2,}(?P<share>[\d.]+)%\s")


@dataclass(slots=True)
class Again:
    """A function that was compiled again, how often, and the guards that failed last each time."""

    function: str
    path: str
    line: int
    times: int = 0
    guards: list[str] = field(default_factory=list)
    makers: dict[str, Place] = field(default_factory=dict)
    """The line that made a guard, by the guard's kind."""


def recompiles(lines: Sequence[str]) -> list[Culprit]:
    """The functions that were compiled again, those most often first, each at the line that made the guard that failed
    most often, if the log tells."""
    found: dict[tuple[str, int], Again] = {}
    open_: Again | None = None
    first = last = False
    for text in map(clean, lines):
        if again := _AGAIN.search(text):
            key = again["path"], int(again["line"])
            open_ = found.setdefault(key, Again(again["function"], *key))
            open_.times += 1
            first = True
        elif open_ is not None and (failed := _FAILED.match(text)):
            # The first is the version that was compiled last: it tells what changed since.
            if first:
                open_.guards.append(failed["guard"].strip())
            last, first = first, False
        elif open_ is not None and open_.guards and last and (frame := _FRAME.match(text)) and users(frame["path"]):
            spot = place_at(frame["path"], int(frame["line"]), frame["function"])
            open_.makers[_kind(open_.guards[-1])] = spot
    return [_culprit(one) for one in sorted(found.values(), key=lambda one: -one.times)]


def _kind(guard: str) -> str:
    """A guard without its numbers."""
    return re.sub(r"\d+(?:\.\d+)?", "…", guard)


def _culprit(one: Again) -> Culprit:
    kinds = Counter(map(_kind, one.guards))
    said = []
    for kind, times in kinds.most_common(SHOWN):
        example = next(guard for guard in reversed(one.guards) if _kind(guard) == kind)
        said.append(f"`{example}`" + (f" and the like, {times} times" if times > 1 else ""))
    maker = next((one.makers[kind] for kind, _ in kinds.most_common(1) if kind in one.makers), None)
    return Culprit(
        kind="code", name=one.function, sure=True, place=maker or place_at(one.path, one.line, one.function),
        what=f"it was compiled again{_times(one.times)}, as a guard failed: {'; '.join(said)}",
        fix="Sizes: torch.compile(dynamic=True) or torch._dynamo.mark_dynamic. Numbers and flags that change: keep "
        "them out of what is compiled, or pass them as tensors.",
    )  # fmt: skip


def graph_breaks(lines: Sequence[str]) -> list[Culprit]:
    """The lines at which compiled code is cut into pieces. Whether they cost much is not known from this."""
    found: dict[tuple[str, int], list[str]] = {}
    open_: list[str] = []
    for text in map(clean, lines):
        if stop := _BREAK.search(text):
            open_ = found.setdefault((stop["path"], int(stop["line"])), [])
            open_.append("")
        elif open_ and (reason := _REASON.search(text)):
            open_[-1] = reason["reason"].strip()
        elif open_ and open_[-1].endswith(":") and text.strip():
            # A sentence that ends so stands before the reason.
            open_[-1] = text.strip().rstrip(":") + "."
    return [
        Culprit(
            kind="code", name="graph break", sure=False, place=place_at(path, line),
            what=f"torch.compile stops here{_times(len(reasons))}: {reasons[-1] or 'its log has the reason'}",
            fix="What is before and after it becomes two graphs, with Python between: write it without reading tensors "
            "in Python (.item(), if, print), or move it out.",
        )
        for (path, line), reasons in found.items()
    ]  # fmt: skip


def _times(number: int) -> str:
    return f" {number} times" if number > 1 else ""


def takes_most(lines: Sequence[str]) -> str | None:
    """The first rows of the profiler's table, in a sentence; None without one."""
    rows = [(row["name"].strip(), float(row["share"])) for line in lines if (row := _ROW.match(line))]
    compiling = sum(share for name, share in rows if _COMPILES.search(name))
    others = [f"{name} ({share:g} %)" for name, share in rows if not _COMPILES.search(name)]
    if not others:
        return None
    first = f"compiling takes {compiling:.0f} % of the time, and most of the rest" if compiling else "most of the time"
    return f"{first} is spent in {', '.join(others[:SHOWN])}"
