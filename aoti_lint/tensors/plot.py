"""Draws what was in the saved tensors, launch by launch, as one page that needs nothing else.

Each argument is a row: the range from its lowest to its highest finite value before the launch and after it, with the
mean. The scale is linear near zero and logarithmic further out, so that 1e-6 and 1e38 are on one page.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median
from typing import Final

from aoti_lint.quoting.html import Html, el
from aoti_lint.report.page import page
from aoti_lint.tensors.dumps import Dump
from aoti_lint.tensors.judge import First, Launch, unwritten

WIDTH: Final = 1000
LEFT, RIGHT = 190, 170
"""Columns for names, and for counts of NaN and infinities."""
ROW, HEAD, AXIS = 20, 30, 30
BEFORE, AFTER = 2, 5
"""How thick ranges are."""
_TITLE: Final = "Saved tensors"
TICKS: Final = 4
"""Powers of ten that are marked to each side of zero, at most."""


def is_plot(head: bytes) -> bool:
    """Whether a file that begins so is such a page."""
    return f"<title>{_TITLE}</title>".encode() in head


def plot(ordered: Sequence[Launch], first: First | None) -> Html:
    """A page of HTML with the picture of one run."""
    fresh = unwritten(ordered)
    told = [dump for launch in ordered for dump in (*launch.before, *launch.after) if dump.path not in fresh]
    said = "No NaN and no infinity in what a kernel was given or left."
    if first is not None:
        verb = "made by" if first.made else "given to"
        said = f"The first bad values were {verb} {first.launch.kernel}."
    return page(
        _TITLE,
        el("h1", _TITLE),
        el("p", said, class_="bad" if first is not None else "good"),
        el("p", "A line reaches from the lowest to the highest finite value, its dot is the mean. Thin is before the "
           "launch, thick after it; red has NaN or infinities, grey is memory that nothing had written yet.",
           class_="quiet"),
        el("div", _picture(ordered, first, _Scale(told), fresh), class_="scroll"),
    )  # fmt: skip


class _Scale:
    """From values to columns: linear below `unit`, logarithmic above."""

    def __init__(self, dumps: Sequence[Dump]) -> None:
        ends = [abs(v) for d in dumps if d.stats is not None for v in (d.stats.low, d.stats.high) if v]
        self.unit = 10.0 ** math.floor(math.log10(median(ends))) if ends else 1.0
        self.most = max(ends, default=1.0)
        self._half = self._bent(self.most) or 1.0

    def _bent(self, value: float) -> float:
        return math.asinh(value / self.unit)

    def column(self, value: float) -> float:
        """The column of a value; of one that is out of range, that of the end."""
        part = max(-1.0, min(1.0, self._bent(value) / self._half))
        return round(LEFT + (WIDTH - LEFT - RIGHT) * (0.5 + part / 2), 1)

    def ticks(self) -> list[float]:
        """Zero and powers of ten to both sides."""
        powers = range(math.floor(math.log10(self.unit)), math.floor(math.log10(self.most)) + 1)
        step = max(1, math.ceil(len(powers) / TICKS))
        ends = [10.0**power for power in powers[::step]]
        return [*(-end for end in reversed(ends)), 0.0, *ends]


def _picture(ordered: Sequence[Launch], first: First | None, scale: _Scale, fresh: set[str]) -> Html:
    drawn: list[Html] = []
    at = AXIS
    for number, launch in enumerate(ordered, 1):
        at += HEAD
        guilty = first is not None and first.launch is launch
        end = "" if launch.finished else "  (nothing was saved after it)"
        title = f"{number}. {launch.kernel}{end}"
        drawn.append(el("text", title, x=0, y=at - 8, font_weight="bold", style="fill: var(--bad)" if guilty else None))
        for name in dict.fromkeys(dump.name.argument for dump in (*launch.before, *launch.after)):
            drawn += _row(name, launch, at, scale, fresh)
            at += ROW
    height = at + 10
    return el(
        "svg", *_axis(scale, height), *drawn, width=WIDTH, height=height, viewBox=f"0 0 {WIDTH} {height}", role="img",
        aria_label="ranges of the saved tensors by launch",
    )  # fmt: skip


def _axis(scale: _Scale, height: int) -> list[Html]:
    drawn = []
    for tick in scale.ticks():
        x = scale.column(tick)
        drawn.append(el("line", x1=x, x2=x, y1=AXIS - 8, y2=height, stroke="var(--rule)"))
        drawn.append(el("text", f"{tick:g}", x=x, y=AXIS - 14, text_anchor="middle", class_="quiet"))
    return drawn


def _row(name: str, launch: Launch, at: int, scale: _Scale, fresh: set[str]) -> list[Html]:
    before = next((d for d in launch.before if d.name.argument == name), None)
    after = next((d for d in launch.after if d.name.argument == name), None)
    drawn = [el("text", name, x=16, y=at + 12)]
    for dump, y, thick in ((before, at + 5, BEFORE), (after, at + 12, AFTER)):
        if dump is not None:
            drawn.append(_range(dump, y, thick, scale, unwritten=dump.path in fresh))
    counted = after or before
    if counted is not None and counted.stats is not None and counted.path not in fresh:
        said = "".join(f"{n} {what}  " for n, what in ((counted.stats.nan, "NaN"), (counted.stats.inf, "Inf")) if n)
        drawn.append(el("text", said.strip(), x=WIDTH - RIGHT + 20, y=at + 14, style="fill: var(--bad)"))
    return drawn


def _range(dump: Dump, y: int, thick: int, scale: _Scale, *, unwritten: bool) -> Html:
    """The range of one tensor; the pointer over it says its numbers."""
    stats = dump.stats
    if stats is None:
        return el("text", f"cannot be read: {dump.problem}", x=LEFT, y=y + 4, class_="quiet")
    if stats.low is None or stats.high is None or stats.mean is None:
        return el("text", ("no finite value" if stats.bad else "empty") if thick == AFTER else "", x=LEFT, y=y + 2)
    colour = "var(--quiet)" if unwritten else "var(--bad)" if stats.bad else "var(--mark)"
    low, high = scale.column(stats.low), scale.column(stats.high)
    said = (
        f"{dump.name.when} {dump.name.argument}: {stats.dtype}{list(stats.shape)}, {stats.low:.6g} … {stats.high:.6g}"
    )
    said += f", mean {stats.mean:.6g}, {stats.nan} NaN, {stats.inf} Inf"
    return el(
        "g",
        el("title", said + (", not written yet" if unwritten else "")),
        el("rect", x=low, y=y - thick / 2, width=round(max(high - low, 1), 1), height=thick, rx=thick / 2, fill=colour),
        el("circle", cx=scale.column(stats.mean), cy=y, r=thick / 2 + 1.5, fill=colour, stroke="var(--paper)"),
        opacity="0.5" if unwritten else None,
    )
